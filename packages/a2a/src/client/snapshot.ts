// A task at one moment, as JSON for the journal. Pure.

import type { Message, Task } from "@a2a-js/sdk"
import { Role, TaskState } from "@a2a-js/sdk"
import { excessError } from "./gate.ts"
import { agentLimits } from "./limits.ts"
import type { A2aPart } from "./parts.ts"
import { listOf, toParts, toReplyParts, withinLimit } from "./parts.ts"
import { questionsOf } from "./questions.ts"

/** The state of a task at the agent. `input` and `auth`: the agent waits for a person. */
export type State = "working" | "input" | "auth" | "completed" | "failed" | "canceled" | "rejected"

/** Whether a task in this state never changes again. */
export const isEnded = (state: unknown): boolean => endStates.has(state)

const endStates: ReadonlySet<unknown> = new Set<State>(["completed", "failed", "canceled", "rejected"])

/** A task at one moment. */
export interface Snapshot {
  readonly state: State
  /**
   * Changes when the agent waits for something else. Equal marks mean that the agent still waits for the same answer.
   */
  readonly mark: string
  /** The parts of the agent's message about the state. */
  readonly said: readonly A2aPart[]
  /** The result of a completed task. Empty in other states. */
  readonly result: readonly A2aPart[]
}

export function toSnapshot(task: Task): Snapshot {
  const { status, artifacts } = task
  const { state: taskState = TaskState.TASK_STATE_UNSPECIFIED, message, timestamp } = status ?? {}
  assertId(message?.messageId)
  const state = states[taskState] ?? "working"
  const messageParts = toParts(message)
  const isWaiting = state === "input" || state === "auth"
  if (isWaiting && JSON.stringify(messageParts).length > agentLimits.questionCharacters)
    throw excessError(`it asks with more than ${agentLimits.questionCharacters} characters`)
  const artifactParts = toReplyParts(...listOf(artifacts))
  return {
    // The parts of a completed task are in its result.
    ...{ state, said: state === "completed" ? [] : isWaiting ? messageParts : withinLimit(messageParts) },
    mark: JSON.stringify([state, ...(linksOf(state, messageParts) ?? [message?.messageId ?? "", timeOf(timestamp)])]),
    result:
      state !== "completed"
        ? []
        : artifactParts.length > 0
          ? artifactParts
          : messageParts.length > 0
            ? withinLimit(messageParts)
            : lastReply(task),
  }
}

/**
 * Returns the links that a task waits for, or undefined when it waits for anything else. The links identify the state,
 * because an agent may repeat them in another message, and the person should not be asked again.
 */
function linksOf(state: State, said: readonly A2aPart[]): readonly string[] | undefined {
  const { forms, links } = questionsOf({ state, said })
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

const isFromAgent = ({ role }: Message): boolean => role === Role.ROLE_AGENT

/** A time in ISO 8601 is shorter. */
const timeOf = (timestamp: string | undefined): string => String(timestamp ?? "").slice(0, 100)

/** Throws when an agent names something by a text that is too long to be stored and repeated as an id. */
export function assertId(id: unknown): void {
  if (typeof id === "string" && id.length > agentLimits.idCharacters)
    throw excessError(`it has an id of more than ${agentLimits.idCharacters} characters`)
}

/** Reads the reply of agents that send it only in the task's history. */
const lastReply = ({ history }: Task): readonly A2aPart[] => toReplyParts(listOf(history).findLast(isFromAgent))

/** Whether one of the messages of a task has this id, which proves that the message has arrived. */
export const hasMessage = ({ history, status }: Task, id: string): boolean =>
  [...listOf(history), ...(status?.message === undefined ? [] : [status.message])].some(
    ({ messageId }) => messageId === id,
  )
