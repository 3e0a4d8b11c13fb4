// Converts the stored messages of a conversation into the stream events that would have shown them.

import type { ChatEvent, ChatMessage } from "@holdpoint/client"
import type { StreamEvent } from "@holdpoint/hub/stream"

type Part = ChatMessage["parts"][number]

/** The text of a person's message. */
export const textOfMessage = ({ parts }: ChatMessage): string =>
  parts.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : [])).join("\n")

export const toEvents = ({ parts }: ChatMessage): readonly ChatEvent[] => parts.flatMap(eventsOf)

function eventsOf(part: Part): readonly ChatEvent[] {
  if (part.type === "step-start") return [{ type: "step" }]
  if (part.type === "text") return [{ type: "text", text: String(part.text) }]
  if (part.type === "data-elicitation") return [part.data as StreamEvent]
  return typeof part.toolCallId === "string" ? toolEvents(part, part.toolCallId) : []
}

function toolEvents(part: Part, toolCallId: string): readonly ChatEvent[] {
  const toolName = part.type === "dynamic-tool" ? String(part.toolName) : part.type.replace(/^tool-/, "")
  const title = typeof part.title === "string" ? { title: part.title } : {}
  const call: ChatEvent = { type: "tool-call", toolCallId, toolName, input: part.input, ...title }
  switch (part.state) {
    case "output-available":
      return [call, { type: "tool-result", toolCallId, output: part.output }]
    case "output-error":
      return [call, { type: "tool-error", toolCallId, isDenied: false, message: String(part.errorText ?? "") }]
    case "output-denied":
      return [call, { type: "tool-error", toolCallId, isDenied: true, message: "" }]
    default:
      return [call]
  }
}
