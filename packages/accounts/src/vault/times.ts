// Timeouts and intervals of the vault, in milliseconds.

/** The times by which a vault refreshes, retries and gives up. The defaults suit most providers. */
export interface VaultTimes {
  /** How long parallel needs are gathered into one question. */
  readonly gatherMs: number
  /** The timeout of a request to a provider, after which its result is unknown. */
  readonly requestMs: number
  /** The duration of a lease to refresh: longer than two requests, so that its holder can try twice. */
  readonly leaseMs: number
  /** The largest clock difference between two nodes. */
  readonly skewMs: number
  /** How often a node that waits for another's refresh reads the record, in case a notification is lost. */
  readonly lookMs: number
  /** How long a failed refresh is not retried, unless the provider sends Retry-After. */
  readonly restMs: number
  /** The least time before expiry at which a token is refreshed, if its lifetime allows. */
  readonly aheadMs: number
  /** How long cached credentials and connections are used without reading them again: a notification may be lost. */
  readonly trustMs: number
  /** The shortest interval between two writes of a connection's last use. */
  readonly useMs: number
  /** The first pause between attempts to revoke a grant. Each further pause is twice as long. */
  readonly revokeFirstMs: number
  /** The longest pause between attempts to revoke a grant. */
  readonly revokeMostMs: number
  /** How often a node looks for revocations that a crashed node left. */
  readonly revokeLookMs: number
}

export const defaultVaultTimes: VaultTimes = {
  gatherMs: 30,
  requestMs: 10_000,
  leaseMs: 30_000,
  skewMs: 5 * 60_000,
  lookMs: 500,
  restMs: 5_000,
  aheadMs: 60_000,
  trustMs: 60_000,
  useMs: 60_000,
  revokeFirstMs: 60_000,
  revokeMostMs: 6 * 60 * 60_000,
  revokeLookMs: 10 * 60_000,
}
