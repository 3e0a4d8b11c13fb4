// Time and randomness, so that tests can control both.

/** The clock, the timers and the source of ids that a hub uses. */
export interface Runtime {
  /** Milliseconds since 1970. May go backwards. */
  now(): number
  /** Creates a UUID v4. Ids of one process may share a prefix; at least 90 bits of each are random. */
  newId(): string
  /** Calls back once after about `delayMs`. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void
}
