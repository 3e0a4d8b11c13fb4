// The stored records of agents: conversations, their runs, and the log of each run. The texts of people and models are
// sealed.

import type { PrincipalId } from "@holdpoint/hub"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

/** A conversation of one person with one agent. */
export interface Conversation extends KeptRecord {
  /** The id that the client chose. Conversations of different people can have the same id. */
  readonly name: string
  /** The `personKey` of the person. */
  readonly owner: string
  readonly agent: string
  readonly createdAt: number
  readonly expiresAt: number
}

export const conversationKind: RecordKind<Conversation> = {
  name: "conversation",
  owner: ({ owner }) => owner,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/**
 * `running`: a process works on the run. `waiting`: the run waits for people, and is not in the memory of a process.
 * The other states are final.
 */
export type RunStatus = "running" | "waiting" | "done" | "failed" | "stopped"

/** One reply of an agent, from the person's message to its end. The message and the reply are in `sealed`. */
export interface Run extends KeptRecord {
  readonly conversation: string
  /** The number of the run in its conversation, from 1. */
  readonly number: number
  readonly agent: string
  readonly person: PrincipalId
  /** The id of the reply as a message. */
  readonly message: string
  readonly status: RunStatus
  /** Whether the person asked for another reply instead of this one. The prompt omits a replaced run. */
  readonly isReplaced?: boolean
  readonly isStopRequested?: boolean
  /** Whether another call does the work of the run, and not a call with the id of the run. */
  readonly isPartOfCall?: true | undefined
  /** When the status last changed. */
  readonly statusAt: number
  readonly createdAt: number
  readonly expiresAt: number
}

const endings: ReadonlySet<RunStatus> = new Set(["done", "failed", "stopped"])

/** Whether the run has ended. */
export const hasEnded = ({ status }: Pick<Run, "status">): boolean => endings.has(status)

export const runKind: RecordKind<Run> = {
  name: "run",
  owner: ({ conversation }) => conversation,
  // A run that has not ended is looked at, to find one that no call continues.
  dueAt: (run) => (hasEnded(run) || run.isPartOfCall === true ? undefined : run.statusAt),
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** Consecutive chunks of a run's log, stored in one write. */
export interface LogPart extends KeptRecord {
  readonly run: string
  /** The number of the first chunk. The chunks of a run are numbered from 1. */
  readonly first: number
  readonly count: number
  /** The version of the run when the writing process claimed it. A later process has a higher version. */
  readonly runVersion: number
  /** The log that wrote the part, by which it recognises its own write. */
  readonly writer: string
  readonly expiresAt: number
}

export const logKind: RecordKind<LogPart> = {
  name: "run_log",
  owner: ({ run }) => run,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/**
 * The last listed tools of an MCP server, for people who have not connected the server yet, and the accepted lists.
 * Contains no secrets.
 */
export interface ToolList extends KeptRecord {
  readonly server: string
  readonly tools: readonly ListedTool[]
  readonly listedAt: number
  /** The digests of the lists that count as accepted, and the tools of the newest of them. */
  readonly accepted: { readonly digests: readonly string[]; readonly tools: readonly ListedTool[] }
}

export interface ListedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations?: Readonly<Record<string, unknown>>
}

export const toolListKind: RecordKind<ToolList> = {
  name: "tool_list",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: () => undefined,
}
