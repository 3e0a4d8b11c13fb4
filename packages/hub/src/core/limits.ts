// Limits on questions. The defaults protect people from floods; a hub may set others.

/** How many questions may be open, how long they live, and how long their texts may be. */
export interface Limits {
  /** The most open questions for one person. */
  readonly pendingPerPerson: number
  readonly pendingPerTenant: number
  /** The longest message, in characters. */
  readonly messageLength: number
  readonly minLifetimeMs: number
  readonly maxLifetimeMs: number
}

/** The limits of a hub whose options set no others. */
export const defaultLimits: Limits = {
  pendingPerPerson: 20,
  pendingPerTenant: 10_000,
  messageLength: 4_000,
  minLifetimeMs: 1_000,
  maxLifetimeMs: 7 * 24 * 60 * 60 * 1_000,
}

/** The default lifetime of a question. */
export const defaultLifetimeMs = 300_000
