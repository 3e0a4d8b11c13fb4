// Forgetting. The trail is not touched by it.

export interface Retention {
  /** Notes that an asker has read the content. May be written lazily: losing it only keeps the content longer. */
  noteRead(id: string, at: number): void
  /** Removes what is older than the cutoffs; settled elicitations only. */
  forget(cutoffs: Cutoffs): Promise<Forgotten>
}

export interface Cutoffs {
  readonly contentReadBefore: number
  readonly contentSettledBefore: number
  readonly recordSettledBefore: number
}

export interface Forgotten {
  readonly contents: number
  readonly records: number
}
