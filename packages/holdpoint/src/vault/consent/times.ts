// How long things take and last on the way to a connection, in milliseconds.

export interface ConsentTimes {
  /** From the click to the provider's answer. */
  readonly oauthMs: number
  /** As long as the server keeps a login flow. */
  readonly loginFlowMs: number
  /** From the click to the first look whether a login flow was granted. */
  readonly firstPollMs: number
  /** How long a failed attempt leaves for another try before the asker is told. */
  readonly retryMs: number
  /** After this, what a process began is taken to be left behind by a dead one. */
  readonly abandonedMs: number
  /** How long the end of a flow is remembered, so that its page can tell it. */
  readonly rememberMs: number
}

export const defaultConsentTimes: ConsentTimes = {
  oauthMs: 10 * 60_000,
  loginFlowMs: 20 * 60_000,
  firstPollMs: 1_000,
  retryMs: 2 * 60_000,
  abandonedMs: 60_000,
  rememberMs: 24 * 60 * 60_000,
}
