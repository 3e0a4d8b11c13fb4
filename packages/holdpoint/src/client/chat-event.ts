// The events of a chat: chunks of the AI SDK's UI message stream, in fewer and typed words. Pure. What is not known is
// handed on, never refused: newer servers send more.

import type { ElicitationRequestEvent, ElicitationResolvedEvent } from "../core/stream-event.ts"

/** What happens in a reply. `number` is its place in the reply, to resume after it. */
export type ChatEvent = Happening & { readonly number?: number }

type Happening =
  /** A piece of what the agent says. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | ToolCallEvent
  | { readonly type: "tool-result"; readonly toolCallId: string; readonly output: unknown }
  /** The tool failed, or the person did not allow the call. */
  | { readonly type: "tool-error"; readonly toolCallId: string; readonly isDenied: boolean; readonly message: string }
  | ElicitationRequestEvent
  | ElicitationResolvedEvent
  /** A step of the agent begins. */
  | { readonly type: "step" }
  /** The step begins again: what came since its `step` does not count. */
  | { readonly type: "step-reset" }
  /** The reply failed. It ends after this. */
  | { readonly type: "error"; readonly message: string }
  | { readonly type: "end"; readonly status: "done" | "failed" | "stopped" }
  | { readonly type: "unknown"; readonly chunk: ChatChunk }

interface ToolCallEvent {
  readonly type: "tool-call"
  readonly toolCallId: string
  readonly toolName: string
  /** The name for people, if the tool has one. */
  readonly title?: string
  readonly input: unknown
}

/** A chunk as it was sent. */
export interface ChatChunk {
  readonly type: string
  readonly [member: string]: unknown
}

export function readChunk(data: string): ChatChunk | undefined {
  const value = readObject(data)
  return isChunk(value) ? value : undefined
}

export const isChunk = (value: unknown): value is ChatChunk => isObject(value) && typeof value.type === "string"

/** The object that the data of an event is as JSON. Undefined for `[DONE]`, and for what a newer server sends. */
export function readObject(data: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The event that a chunk stands for; undefined for one that only frames others. */
export function toChatEvent(chunk: ChatChunk): ChatEvent | undefined {
  if (framing.has(chunk.type)) return undefined
  const read = Object.hasOwn(readers, chunk.type) ? readers[chunk.type] : undefined
  return read?.(chunk) ?? { type: "unknown", chunk }
}

const framing: ReadonlySet<string> = new Set([
  ...["start", "finish-step", "text-start", "text-end", "reasoning-start", "reasoning-end"],
  // The call comes as a whole afterwards, and an approval as an elicitation.
  ...["tool-input-start", "tool-input-delta", "tool-approval-request"],
])

/** Each returns undefined for a chunk that has not the members it should have. */
const readers: Readonly<Record<string, (chunk: ChatChunk) => ChatEvent | undefined>> = {
  "text-delta": ({ delta }) => (typeof delta === "string" ? { type: "text", text: delta } : undefined),
  "reasoning-delta": ({ delta }) => (typeof delta === "string" ? { type: "reasoning", text: delta } : undefined),
  "tool-input-available": ({ toolCallId, toolName, title, input }) =>
    typeof toolCallId === "string" && typeof toolName === "string"
      ? { type: "tool-call", toolCallId, toolName, input, ...(typeof title === "string" ? { title } : {}) }
      : undefined,
  "tool-output-available": ({ toolCallId, output }) =>
    typeof toolCallId === "string" ? { type: "tool-result", toolCallId, output } : undefined,
  "tool-input-error": toToolError,
  "tool-output-error": toToolError,
  "tool-output-denied": toToolError,
  "data-elicitation": ({ data }) => (isQuestion(data) ? data : undefined),
  "start-step": () => ({ type: "step" }),
  "reset-step": () => ({ type: "step-reset" }),
  error: ({ errorText }) => ({ type: "error", message: typeof errorText === "string" ? errorText : "" }),
  finish: ({ finishReason }) => ({ type: "end", status: finishReason === "error" ? "failed" : "done" }),
  abort: () => ({ type: "end", status: "stopped" }),
}

function toToolError({ type, toolCallId, errorText }: ChatChunk): ChatEvent | undefined {
  if (typeof toolCallId !== "string") return undefined
  const message = typeof errorText === "string" ? errorText : ""
  return { type: "tool-error", toolCallId, isDenied: type === "tool-output-denied", message }
}

function isQuestion(data: unknown): data is ElicitationRequestEvent | ElicitationResolvedEvent {
  return isObject(data) && (data.type === "elicitation-request" || data.type === "elicitation-resolved")
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
