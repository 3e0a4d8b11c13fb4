// The stored records of A2A: the runs that are tasks, and the messages of clients that were accepted as answers. They
// contain neither the state of a task, which is the state of its run, nor the texts of people.

import type { PrincipalId } from "@holdpoint/hub"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

/** A run that a message over A2A began. The record, the run and the task have the same id. */
export interface A2aTask extends KeptRecord {
  /** The digest of the person and the agent. */
  readonly owner: string
  readonly person: PrincipalId
  readonly agent: string
  /** The context id, which is the name of the conversation. */
  readonly context: string
  /** The id of the message that began the task. */
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

/** A message that answered questions of a task. Its id is a digest of the ids of the task and the message. */
export interface A2aMessage extends KeptRecord {
  readonly task: string
  readonly message: string
  /** The digest of the message's parts, which detects a reused message id. */
  readonly digest: string
  /** The ids of the questions that the message answered. */
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
