// The events of a chat: chunks of the AI SDK's UI message stream, as fewer, typed events. Pure. Unknown chunks become
// `unknown` events and are never refused, because newer servers send new types.

import type { ElicitationRequestEvent, ElicitationResolvedEvent } from "@holdpoint/hub/stream"

/** An event of a reply. `number` is the event's position in the reply, to resume after it. */
export type ChatEvent = EventContent & { readonly number?: number }

type EventContent =
  /** A part of the agent's text. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | ToolCallEvent
  | { readonly type: "tool-result"; readonly toolCallId: string; readonly output: unknown }
  /** The tool failed, or the person did not allow the call. */
  | { readonly type: "tool-error"; readonly toolCallId: string; readonly isDenied: boolean; readonly message: string }
  | ElicitationRequestEvent
  | ElicitationResolvedEvent
  /** The agent begins a step. */
  | { readonly type: "step" }
  /** The step begins again: the events since its `step` event are void. */
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

/** A chunk of the stream, as the server sent it. */
export interface ChatChunk {
  readonly type: string
  readonly [member: string]: unknown
}

export function readChunk(data: string): ChatChunk | undefined {
  const value = readObject(data)
  return isChunk(value) ? value : undefined
}

export const isChunk = (value: unknown): value is ChatChunk => isObject(value) && typeof value.type === "string"

/** Parses the data of an event as a JSON object. Undefined for `[DONE]`, and for other data of newer servers. */
export function readObject(data: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Converts a chunk to an event. Undefined for a chunk that has no content of its own, such as the end of a text. */
export function toChatEvent(chunk: ChatChunk): ChatEvent | undefined {
  if (chunksWithoutEvent.has(chunk.type)) return undefined
  const read = Object.hasOwn(readers, chunk.type) ? readers[chunk.type] : undefined
  return read?.(chunk) ?? { type: "unknown", chunk }
}

const chunksWithoutEvent: ReadonlySet<string> = new Set([
  ...["start", "finish-step", "text-start", "text-end", "reasoning-start", "reasoning-end"],
  // Left out, because the complete tool call follows in another chunk, and an approval as an elicitation.
  ...["tool-input-start", "tool-input-delta", "tool-approval-request"],
])

/** Converts chunks by type. Each function returns undefined for a chunk that lacks required members. */
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
