// The records of agents: conversations, their runs, and the log of what each run sends. What people and models write is
// sealed.

import type { PrincipalId } from "@holdpoint/sdk"
import type { KeptRecord, RecordKind } from "@holdpoint/sdk/storage"

/** A conversation of one person with one agent. */
export interface Conversation extends KeptRecord {
  /** The id that the client chose. Conversations of different people can have the same one. */
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
 * `running`: a process works on it. `waiting`: it waits for people, and no process has it in memory. The other states
 * are final.
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
  /** Whether the person asked for another reply instead. A replaced run is left out of the prompt. */
  readonly isReplaced?: boolean
  readonly isStopRequested?: boolean
  /** When the status last changed. Missing in runs from before this was recorded. */
  readonly statusAt?: number
  readonly createdAt: number
  readonly expiresAt: number
}

export const runKind: RecordKind<Run> = {
  name: "run",
  owner: ({ conversation }) => conversation,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** Consecutive chunks of a run's log, stored in one write. */
export interface LogPart extends KeptRecord {
  readonly run: string
  /** The number of the first chunk. The chunks of a run are numbered from 1. */
  readonly first: number
  readonly count: number
  /** The version of the run when the process that wrote this part took the run. A later process has a higher one. */
  readonly runVersion: number
  readonly expiresAt: number
}

export const logKind: RecordKind<LogPart> = {
  name: "run_log",
  owner: ({ run }) => run,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/**
 * The tools of an MCP server as they were listed last, for people who have not connected it yet. Contains no secrets.
 */
export interface ToolList extends KeptRecord {
  readonly server: string
  readonly tools: readonly ListedTool[]
  readonly listedAt: number
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
