// A question at which a run stops.

/** A question at which a run stops. */
export interface Waiting {
  readonly key: string
  readonly elicitation: string
  /** How long the person has to answer. */
  readonly lifetimeMs: number
  /** Whether the question still has to be shown to the person, which must not wait for questions shown before. */
  readonly isNew: boolean
}
