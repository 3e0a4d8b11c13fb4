// The shared parts of A2A, and the lookup of tasks that a caller may use.

import { createHash } from "node:crypto"
import type { AgentsConfig } from "@holdpoint/agents"
import type { Conversations, ReaderParts, Run, Runs } from "@holdpoint/agents/internal"
import { personKey } from "@holdpoint/agents/internal"
import type { Addresses, Hub, Principal, PrincipalId, Runtime } from "@holdpoint/hub"
import { isSamePerson } from "@holdpoint/hub"
import type { Records } from "@holdpoint/hub/storage"
import { noSuchTask } from "./errors.ts"
import type { A2aPush } from "./push-port.ts"
import type { A2aMessage, A2aTask } from "./records.ts"

export interface A2aParts {
  readonly config: AgentsConfig
  readonly hub: Pick<Hub, "answer" | "get">
  readonly addresses: Addresses
  readonly runtime: Runtime
  readonly runs: Runs
  readonly conversations: Conversations
  readonly readers: ReaderParts
  readonly tasks: Records<A2aTask>
  readonly messages: Records<A2aMessage>
  /** How long a person has to answer. */
  readonly questionMs: number
  /** Undefined when push notifications are not offered. */
  readonly push: A2aPush | undefined
}

/** One request: its agent and its authenticated person. */
export interface A2aVisit {
  readonly agent: string
  readonly person: Principal
  /** Whether the caller's Yes counts. False for the person's own programs in local mode. */
  readonly mayApprove: boolean
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/** A task of the caller, with its run. */
export interface KnownTask {
  readonly task: A2aTask
  readonly run: Run
}

export const ownerOf = (person: PrincipalId, agent: string): string => digest([personKey(person), agent])

export const digest = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url")

/** Finds a task of this caller with this agent. Throws the same error for every other task. */
export async function findTask({ tasks, conversations }: A2aParts, visit: A2aVisit, id: string): Promise<KnownTask> {
  const task = await tasks.get(id)
  if (task === undefined || task.agent !== visit.agent || !isSamePerson(task.person, visit.person)) throw noSuchTask(id)
  const run = await conversations.get(id)
  if (run === undefined) throw noSuchTask(id)
  return { task, run }
}
