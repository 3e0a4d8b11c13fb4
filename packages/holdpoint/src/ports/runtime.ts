// Time and randomness, so that tests can control both.

/** The clock, the timers and the source of ids that a hub uses. */
export interface Runtime {
  /** Milliseconds since 1970. May go backwards. */
  now(): number
  /** A UUID v4, with at least 90 random bits that no other id shares. */
  newId(): string
  /** Calls back once after about `delayMs`. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void
}
