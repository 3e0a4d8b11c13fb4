// What an agent sends, as JSON for the journal and for models: the parts of a reply, and a task at one moment. Pure. An
// agent may send anything, so that nothing is taken for granted.

import type { Message, Part, Task } from "@a2a-js/sdk"
import { TaskState } from "@a2a-js/sdk"

/** A part of what an agent replied. */
export type A2aPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "data"; readonly value: unknown }
  /** The bytes are in base64. */
  | { readonly type: "file"; readonly mediaType: string; readonly data: string; readonly name?: string }
  | { readonly type: "link"; readonly url: string; readonly name?: string }

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
  const made = withinLimit(listOf(artifacts).flatMap(allParts))
  return {
    ...{ state, said },
    mark: JSON.stringify([state, message?.messageId ?? "", timestamp ?? ""]),
    result: state !== "completed" ? [] : made.length > 0 ? made : said.length > 0 ? said : lastReply(task),
  }
}

const states: Readonly<Partial<Record<TaskState, State>>> = {
  [TaskState.TASK_STATE_COMPLETED]: "completed",
  [TaskState.TASK_STATE_FAILED]: "failed",
  [TaskState.TASK_STATE_CANCELED]: "canceled",
  [TaskState.TASK_STATE_REJECTED]: "rejected",
  [TaskState.TASK_STATE_INPUT_REQUIRED]: "input",
  [TaskState.TASK_STATE_AUTH_REQUIRED]: "auth",
}

const isAgents = ({ role }: Message): boolean => role === 2

/** For agents that put their reply into the history alone. */
const lastReply = ({ history }: Task): readonly A2aPart[] => toParts(listOf(history).findLast(isAgents))

/** The parts of a message or an artifact. */
export const toParts = (from: Parts | undefined): readonly A2aPart[] => withinLimit(allParts(from))

interface Parts {
  readonly parts: Part[]
}

const allParts = (from: Parts | undefined): readonly A2aPart[] => listOf(from?.parts).flatMap(toPart)

/** The most characters of a reply that are kept. */
const mostKept = 10_000_000

/** The reply is kept in the journal: of one that is too large, the rest is left out. */
function withinLimit(parts: readonly A2aPart[]): readonly A2aPart[] {
  let left = mostKept
  const kept = parts.filter((part) => {
    left -= JSON.stringify(part).length
    return left >= 0
  })
  const dropped = parts.length - kept.length
  return dropped === 0
    ? parts
    : [...kept, { type: "text", text: `(The reply is too large: ${dropped} of its parts were left out.)` }]
}

function toPart({ content, filename, mediaType }: Part): readonly A2aPart[] {
  const name = typeof filename === "string" && filename !== "" ? { name: filename } : {}
  switch (content?.$case) {
    case "text":
      return [{ type: "text", text: String(content.value) }]
    case "data":
      return [{ type: "data", value: content.value ?? null }]
    case "url":
      return [{ type: "link", url: String(content.value), ...name }]
    case "raw":
      return [
        {
          ...{ type: "file", data: Buffer.from(content.value).toString("base64"), ...name },
          mediaType: mediaType || "application/octet-stream",
        },
      ]
    default:
      return []
  }
}

/** The text in parts, with line breaks between them. */
export const textIn = (parts: readonly A2aPart[]): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")

/** Whether one of the messages of a task has this id: then a request with it has arrived. */
export const hasMessage = ({ history, status }: Task, id: string): boolean =>
  [...listOf(history), ...(status?.message === undefined ? [] : [status.message])].some(
    ({ messageId }) => messageId === id,
  )

const listOf = <T>(value: readonly T[] | undefined): readonly T[] => (Array.isArray(value) ? value : [])

const noLabels = { metadata: undefined, filename: "" } as const

export const textPart = (text: string): Part => ({
  ...{ content: { $case: "text", value: text }, mediaType: "text/plain", ...noLabels },
})

export const dataPart = (value: unknown): Part => ({
  ...{ content: { $case: "data", value }, mediaType: "application/json", ...noLabels },
})
