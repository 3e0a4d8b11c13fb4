// How much may be asked. Defaults protect people from floods; a hub's owner may set others.

export interface Limits {
  /** Open questions that one person may have before more are refused. */
  readonly pendingPerPerson: number
  readonly pendingPerTenant: number
  /** Of the message, in characters. */
  readonly messageLength: number
  readonly minLifetimeMs: number
  readonly maxLifetimeMs: number
}

export const defaultLimits: Limits = {
  pendingPerPerson: 20,
  pendingPerTenant: 10_000,
  messageLength: 4_000,
  minLifetimeMs: 1_000,
  maxLifetimeMs: 7 * 24 * 60 * 60 * 1_000,
}

/** What an MCP consent has unless the asker says otherwise. */
export const defaultLifetimeMs = 300_000
