// The sizes of measurements: the full run, the quick run, and a tiny run that only shows that everything works.

export type EngineName = "memory" | "sqlite" | "postgres"

export interface Sizes {
  /** How many rounds each variant runs. */
  readonly rounds: number
  /** How long one variant runs in each round. */
  readonly sliceMs: number
  readonly concurrencies: readonly number[]
  /** How many other questions are pending; growth is measured from the second number to the last. */
  readonly pending: readonly [number, number, number]
  readonly pendingEngines: readonly EngineName[]
  /** How many settled questions a database has; rates and times are compared between the two. */
  readonly settled: readonly [number, number]
  /** Samples for each number of pending questions. */
  readonly wakeSamples: number
  readonly idleMs: number
  readonly crossSamples: number
  readonly pollers: number
  readonly pollSamples: number
  /** How many of its own intervals each poller is observed for. */
  readonly pollIntervals: number
  readonly pollEveryMs: readonly number[]
  /** How many connections exist while the vault is measured. */
  readonly connections: number
  /** How many calls are held open at once. */
  readonly heldCalls: number
  /** How many calls of a Nextcloud tool run at once. */
  readonly toolConcurrencies: readonly number[]
  /** The number of server starts. */
  readonly starts: number
  /** The wait after the start before memory is read. */
  readonly settleMs: number
  /** How many tokens a reply of an agent has. */
  readonly agentTokens: number
  /** How many answers are measured until the next token. */
  readonly agentAnswers: number
  readonly waitingConversations: number
  /** How many requests of programs wait for a person at once. */
  readonly waitingCallers: number
}

export const full: Sizes = {
  rounds: 9,
  sliceMs: 700,
  concurrencies: [1, 16, 256],
  pending: [1, 1_000, 100_000],
  pendingEngines: ["memory", "sqlite", "postgres"],
  settled: [1_000, 1_000_000],
  wakeSamples: 1_800,
  idleMs: 5_000,
  crossSamples: 400,
  pollers: 1_000,
  pollSamples: 200,
  pollIntervals: 3,
  pollEveryMs: [500, 1_000, 2_000],
  connections: 1_000,
  heldCalls: 2_000,
  toolConcurrencies: [32, 1],
  starts: 15,
  settleMs: 1_000,
  agentTokens: 4_000,
  agentAnswers: 200,
  waitingConversations: 1_000,
  waitingCallers: 10_000,
}

/** Too few questions are pending for the targets about many, so those targets are not judged. */
export const quick: Sizes = {
  ...full,
  rounds: 3,
  sliceMs: 250,
  pending: [1, 1_000, 20_000],
  pendingEngines: ["memory", "sqlite"],
  settled: [1_000, 20_000],
  wakeSamples: 300,
  idleMs: 2_000,
  crossSamples: 100,
  pollSamples: 60,
  pollIntervals: 1,
  starts: 7,
  agentTokens: 2_000,
  agentAnswers: 60,
  waitingCallers: 2_000,
}

export const tiny: Sizes = {
  ...quick,
  rounds: 1,
  sliceMs: 20,
  concurrencies: [1, 4],
  pending: [1, 10, 50],
  pendingEngines: ["sqlite"],
  settled: [10, 50],
  wakeSamples: 5,
  idleMs: 50,
  crossSamples: 5,
  pollers: 10,
  pollSamples: 5,
  pollEveryMs: [20],
  connections: 20,
  heldCalls: 20,
  toolConcurrencies: [2],
  starts: 1,
  settleMs: 10,
  agentTokens: 20,
  agentAnswers: 3,
  waitingConversations: 5,
  waitingCallers: 20,
}
