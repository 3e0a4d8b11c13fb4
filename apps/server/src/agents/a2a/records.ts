// The records of A2A: which runs are tasks, and which messages of a client were taken as answers. None of them has the
// state of a task, which is that of its run, or a word of what people wrote.

import type { PrincipalId } from "@holdpoint/sdk"
import type { KeptRecord, RecordKind } from "@holdpoint/sdk/storage"

/** A run that was begun by a message over A2A. Its id is that of the run, which is the id of the task. */
export interface A2aTask extends KeptRecord {
  /** The digest of the person and the agent. */
  readonly owner: string
  readonly person: PrincipalId
  readonly agent: string
  /** The context id, which is the name of the conversation. */
  readonly context: string
  /** The id of the message that began it. */
  readonly message: string
  readonly createdAt: number
  readonly expiresAt: number
}

export const a2aTaskKind: RecordKind<A2aTask> = {
  name: "a2a_task",
  owner: ({ owner }) => owner,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** A message that answered questions of a task. Its id is a digest of the task and the message's id. */
export interface A2aMessage extends KeptRecord {
  readonly task: string
  readonly message: string
  /** The digest of its parts: the same id with other parts is another message. */
  readonly digest: string
  /** The questions that it answers. */
  readonly questions: readonly string[]
  readonly at: number
  readonly expiresAt: number
}

export const a2aMessageKind: RecordKind<A2aMessage> = {
  name: "a2a_message",
  owner: ({ task }) => task,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}
