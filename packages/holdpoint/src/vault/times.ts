// How long things take and last in the vault, in milliseconds.

export interface VaultTimes {
  /** How long needs that come at the same time are gathered before their owner is asked for all of them. */
  readonly gatherMs: number
  /** A request to a provider that takes longer counts as unknown. */
  readonly requestMs: number
  /** Longer than two requests: who holds a lease may try twice before anybody else may. */
  readonly leaseMs: number
  /** By how much the clocks of two nodes may differ. */
  readonly skewMs: number
  /** How often who waits for another node's refresh looks for itself, should word of it be lost. */
  readonly lookMs: number
  /** How long a refresh that came to nothing is not repeated, unless the provider names a time. */
  readonly restMs: number
  /** A token is refreshed at least so long before its end, as far as its life allows. */
  readonly aheadMs: number
  /** What was opened is read again after this, should word of a change be lost. */
  readonly trustMs: number
  /** How often at most the last use is written down. */
  readonly useMs: number
  /** Between tries to give a grant back: the first pause, which doubles, and the longest. */
  readonly revokeFirstMs: number
  readonly revokeMostMs: number
  /** How often a node looks for revocations that a dead one has left. */
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
