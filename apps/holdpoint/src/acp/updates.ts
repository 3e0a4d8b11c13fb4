// Converts the chunks of a reply's log to ACP updates for the editor's chat. The converter remembers the calls that it
// has shown. A model may use the same call id again in the next reply, so the id in the chat has the reply's number.

import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk"
import type { Chunk, Run } from "@holdpoint/agents/internal"
import { toImage } from "./message.ts"
import { quoted, words } from "./words.ts"

/** A tool call, as the chat shows it. */
export interface ShownCall {
  readonly title: string
  readonly input?: unknown
}

export interface Updates {
  /** The updates for the next chunk of the reply. */
  updatesOf(chunk: Chunk): readonly SessionUpdate[]
  /** The id under which the chat shows this call of the reply. */
  idOf(toolCall: string): string
  /** The call with this id of the model. Undefined when the chat does not show it. */
  call(toolCall: string): ShownCall | undefined
  /** Whether the chat shows this call without a result. */
  isOpen(toolCall: string): boolean
}

export function createUpdates({ number, message }: Pick<Run, "number" | "message">): Updates {
  const calls = new Map<string, ShownCall>()
  const open = new Set<string>()
  let textCount = 0
  let hasText = false
  const idOf = (toolCall: string): string => `${number}.${toolCall}`

  const textChunk = (sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): SessionUpdate => ({
    ...{ sessionUpdate, messageId: `${message}.${textCount}` },
    content: { type: "text", text },
  })
  const startText = (): readonly SessionUpdate[] => {
    textCount++
    // Editors without support for message ids join texts, so a blank line separates them.
    return hasText ? [textChunk("agent_message_chunk", "\n\n")] : []
  }
  const callUpdate = (toolCall: string, { title, ...details }: ShownCall): SessionUpdate => {
    const isShown = calls.has(toolCall)
    calls.set(toolCall, { title, ...details })
    open.add(toolCall)
    hasText = false
    const input = "input" in details ? { rawInput: details.input } : {}
    const status = "input" in details ? ("in_progress" as const) : ("pending" as const)
    const fields = { toolCallId: idOf(toolCall), title, status, ...input }
    if (isShown) return { sessionUpdate: "tool_call_update", ...fields }
    return { sessionUpdate: "tool_call", kind: "other", ...fields }
  }
  const end = (toolCall: string, status: "completed" | "failed", text: string, output?: unknown): SessionUpdate => {
    open.delete(toolCall)
    return {
      ...{ sessionUpdate: "tool_call_update", toolCallId: idOf(toolCall), status },
      ...(text === "" ? {} : { content: [toContent(text)] }),
      ...(output === undefined ? {} : { rawOutput: output }),
    }
  }
  const endOpen = (text: string): readonly SessionUpdate[] => [...open].map((call) => end(call, "failed", text))

  return {
    idOf,
    call: (toolCall) => calls.get(toolCall),
    isOpen: (toolCall) => open.has(toolCall),
    updatesOf(chunk) {
      switch (chunk.type) {
        case "text-start":
          return startText()
        case "text-delta":
          hasText = true
          return [textChunk("agent_message_chunk", chunk.delta)]
        case "reasoning-start":
          textCount++
          return []
        case "reasoning-delta":
          return [textChunk("agent_thought_chunk", chunk.delta)]
        case "file":
          return toImage(chunk).map((content) => ({ sessionUpdate: "agent_message_chunk", content }))
        case "tool-input-start":
          return [callUpdate(chunk.toolCallId, { title: chunk.title ?? chunk.toolName })]
        case "tool-input-available":
          return [callUpdate(chunk.toolCallId, { title: chunk.title ?? chunk.toolName, input: chunk.input })]
        case "tool-input-error":
          return [
            callUpdate(chunk.toolCallId, { title: chunk.title ?? chunk.toolName, input: chunk.input }),
            end(chunk.toolCallId, "failed", chunk.errorText),
          ]
        case "tool-output-available":
          return [end(chunk.toolCallId, "completed", toText(chunk.output), chunk.output)]
        case "tool-output-error":
          return [end(chunk.toolCallId, "failed", chunk.errorText)]
        case "tool-output-denied":
          return [end(chunk.toolCallId, "failed", words.denied)]
        case "reset-step":
          return [
            ...endOpen(words.interrupted),
            ...(hasText ? [textChunk("agent_message_chunk", words.stepAgain)] : []),
          ]
        case "error":
        case "abort":
          return endOpen(words.interrupted)
        default:
          return []
      }
    },
  }
}

/** Quotes the output of a tool: editors render Markdown here, and untrusted text must not make them fetch an image. */
const toContent = (text: string): ToolCallContent => ({
  type: "content",
  content: { type: "text", text: quoted(text) },
})

function toText(output: unknown): string {
  if (typeof output === "string") return output
  const texts = Array.isArray(output)
    ? output.flatMap((part) => (part?.type === "text" ? [String(part.text)] : []))
    : []
  return texts.length > 0 ? texts.join("\n") : (JSON.stringify(output, null, 2) ?? "")
}

/** Removes what an interrupted step had logged before it began again. */
export function withoutResetSteps(chunks: readonly Chunk[]): readonly Chunk[] {
  const remaining: Chunk[] = []
  for (const chunk of chunks) {
    if (chunk.type === "reset-step") remaining.length = remaining.findLastIndex(({ type }) => type === "start-step") + 1
    else remaining.push(chunk)
  }
  return remaining
}
