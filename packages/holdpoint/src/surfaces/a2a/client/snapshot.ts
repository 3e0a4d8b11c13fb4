// A task at one moment, as JSON for the journal. Pure.

import type { Message, Task } from "@a2a-js/sdk"
import { Role, TaskState } from "@a2a-js/sdk"
import type { A2aPart } from "./parts.ts"
import { listOf, toParts } from "./parts.ts"
import { wantedBy } from "./questions.ts"

/** What an agent does with a task. `input` and `auth`: it waits for a person. */
export type State = "working" | "input" | "auth" | "completed" | "failed" | "canceled" | "rejected"

/** Whether a task in this state never changes again. */
export const isEnded = (state: unknown): boolean => ends.has(state)

const ends: ReadonlySet<unknown> = new Set<State>(["completed", "failed", "canceled", "rejected"])

/** A task at one moment. */
export interface Snapshot {
  readonly state: State
  /** Tells two moments apart in which the agent waits. */
  readonly mark: string
  /** What the agent says about the state. */
  readonly said: readonly A2aPart[]
  /** The result, of a task that has ended. */
  readonly result: readonly A2aPart[]
}

export function toSnapshot(task: Task): Snapshot {
  const { status, artifacts } = task
  const { state: given = TaskState.TASK_STATE_UNSPECIFIED, message, timestamp } = status ?? {}
  const state = states[given] ?? "working"
  const said = toParts(message)
  const made = toParts(...listOf(artifacts))
  return {
    ...{ state, said },
    mark: JSON.stringify([state, ...(linksOf(state, said) ?? [message?.messageId ?? "", timestamp ?? ""])]),
    result: state !== "completed" ? [] : made.length > 0 ? made : said.length > 0 ? said : lastReply(task),
  }
}

/** An agent may tell again, in other words, that it waits for the same links: the person is not sent there again. */
function linksOf(state: State, said: readonly A2aPart[]): readonly string[] | undefined {
  const { forms, links } = wantedBy({ state, said })
  return state === "auth" && forms.length === 0 && links.length > 0 ? links.map(({ id, url }) => id ?? url) : undefined
}

const states: Readonly<Partial<Record<TaskState, State>>> = {
  [TaskState.TASK_STATE_COMPLETED]: "completed",
  [TaskState.TASK_STATE_FAILED]: "failed",
  [TaskState.TASK_STATE_CANCELED]: "canceled",
  [TaskState.TASK_STATE_REJECTED]: "rejected",
  [TaskState.TASK_STATE_INPUT_REQUIRED]: "input",
  [TaskState.TASK_STATE_AUTH_REQUIRED]: "auth",
}

const isAgents = ({ role }: Message): boolean => role === Role.ROLE_AGENT

/** For agents that put their reply into the history alone. */
const lastReply = ({ history }: Task): readonly A2aPart[] => toParts(listOf(history).findLast(isAgents))

/** Whether one of the messages of a task has this id: then a request with it has arrived. */
export const hasMessage = ({ history, status }: Task, id: string): boolean =>
  [...listOf(history), ...(status?.message === undefined ? [] : [status.message])].some(
    ({ messageId }) => messageId === id,
  )
