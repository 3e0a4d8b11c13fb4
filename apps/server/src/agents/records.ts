// The records of agents: conversations, their runs, and the log of what each run sent. What people and models wrote is
// sealed.

import type { PrincipalId } from "@holdpoint/sdk"
import type { KeptRecord, RecordKind } from "@holdpoint/sdk/storage"

/** A conversation of one person with one agent. */
export interface Conversation extends KeptRecord {
  /** The id that the client chose. Other people may have conversations with the same one. */
  readonly name: string
  /** The digest of the person. */
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
 * `running`: a process works on it. `waiting`: it waits for people, and no process has it in memory. The others are
 * ends.
 */
export type RunStatus = "running" | "waiting" | "done" | "failed" | "stopped"

/** One reply of an agent, from the person's message to its end. The message and the reply are in `sealed`. */
export interface Run extends KeptRecord {
  readonly conversation: string
  /** The place of the run in its conversation, from 1. */
  readonly number: number
  readonly agent: string
  readonly person: PrincipalId
  /** The id of the reply as a message. */
  readonly message: string
  readonly status: RunStatus
  /** Whether the person asked for another reply instead: it is left out of what the model reads. */
  readonly isReplaced?: boolean
  readonly isStopRequested?: boolean
  /** When it got its status. Runs from before this was recorded have none. */
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

/** Some chunks that a run sent, as one write. */
export interface LogPart extends KeptRecord {
  readonly run: string
  /** The number of the first chunk. The chunks of a run are numbered from 1. */
  readonly first: number
  readonly count: number
  /** The version of the run when the process that wrote this took it: a later process has a higher one. */
  readonly runVersion: number
  readonly expiresAt: number
}

export const logKind: RecordKind<LogPart> = {
  name: "run_log",
  owner: ({ run }) => run,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** The tools of an MCP server as they were listed last, for people who have not connected it yet. Nothing of it is secret. */
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
