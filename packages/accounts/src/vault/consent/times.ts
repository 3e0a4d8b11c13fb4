// Timeouts and intervals of a consent, in milliseconds.

export interface ConsentTimes {
  /** The longest time from the person's click to the provider's response. */
  readonly oauthMs: number
  /** How long the server keeps a login flow. */
  readonly loginFlowMs: number
  /** From the person's click to the first poll of a login flow. */
  readonly firstPollMs: number
  /** How long a failed attempt leaves for another try before the asker is told. */
  readonly retryMs: number
  /** After this time, unfinished work counts as left by a crashed process. */
  readonly abandonedMs: number
  /** How long an ended flow is kept, so that its page can show the result. */
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
