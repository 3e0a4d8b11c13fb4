// What an editor's chat is told of a reply, from the chunks of its log. Pure, with a memory of what was told: the ids of
// calls are the provider's and may come again in the next reply, so they are told with the reply's number.

import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk"
import type { Run } from "../agents/records.ts"
import type { Chunk } from "../agents/run-log.ts"
import { toImage } from "./message.ts"
import { quoted, words } from "./words.ts"

export interface ToldCall {
  readonly title: string
  readonly input?: unknown
}

export interface Updates {
  /** What to tell of this chunk. */
  of(chunk: Chunk): readonly SessionUpdate[]
  /** The id under which the chat shows this call of the reply. */
  idOf(toolCall: string): string
  /** A call that the chat shows. */
  call(toolCall: string): ToldCall | undefined
  /** Whether the chat shows this call without an end. */
  isOpen(toolCall: string): boolean
}

export function createUpdates({ number, message }: Pick<Run, "number" | "message">): Updates {
  const calls = new Map<string, ToldCall>()
  const open = new Set<string>()
  let texts = 0
  let isSaid = false
  const idOf = (toolCall: string): string => `${number}.${toolCall}`

  const say = (sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): SessionUpdate => ({
    ...{ sessionUpdate, messageId: `${message}.${texts}` },
    content: { type: "text", text },
  })
  const begin = (): readonly SessionUpdate[] => {
    texts++
    // Editors that do not know ids of messages join them.
    return isSaid ? [say("agent_message_chunk", "\n\n")] : []
  }
  const tellCall = (toolCall: string, { title, ...more }: ToldCall): SessionUpdate => {
    const isKnown = calls.has(toolCall)
    calls.set(toolCall, { title, ...more })
    open.add(toolCall)
    isSaid = false
    const input = "input" in more ? { rawInput: more.input } : {}
    const status = "input" in more ? ("in_progress" as const) : ("pending" as const)
    const told = { toolCallId: idOf(toolCall), title, status, ...input }
    if (isKnown) return { sessionUpdate: "tool_call_update", ...told }
    return { sessionUpdate: "tool_call", kind: "other", ...told }
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
    of(chunk) {
      switch (chunk.type) {
        case "text-start":
          return begin()
        case "text-delta":
          isSaid = true
          return [say("agent_message_chunk", chunk.delta)]
        case "reasoning-start":
          texts++
          return []
        case "reasoning-delta":
          return [say("agent_thought_chunk", chunk.delta)]
        case "file":
          return toImage(chunk).map((content) => ({ sessionUpdate: "agent_message_chunk", content }))
        case "tool-input-start":
          return [tellCall(chunk.toolCallId, { title: chunk.title ?? chunk.toolName })]
        case "tool-input-available":
          return [tellCall(chunk.toolCallId, { title: chunk.title ?? chunk.toolName, input: chunk.input })]
        case "tool-input-error":
          return [
            tellCall(chunk.toolCallId, { title: chunk.title ?? chunk.toolName, input: chunk.input }),
            end(chunk.toolCallId, "failed", chunk.errorText),
          ]
        case "tool-output-available":
          return [end(chunk.toolCallId, "completed", toText(chunk.output), chunk.output)]
        case "tool-output-error":
          return [end(chunk.toolCallId, "failed", chunk.errorText)]
        case "tool-output-denied":
          return [end(chunk.toolCallId, "failed", words.denied)]
        case "reset-step":
          return [...endOpen(words.interrupted), ...(isSaid ? [say("agent_message_chunk", words.stepAgain)] : [])]
        case "error":
        case "abort":
          return endOpen(words.interrupted)
        default:
          return []
      }
    },
  }
}

/** Editors read Markdown here. What a tool read may come from strangers: it must not make the editor fetch an image. */
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

/** A reply as it was said in the end: without what a step had said before it was interrupted. */
export function withoutDropped(chunks: readonly Chunk[]): readonly Chunk[] {
  const kept: Chunk[] = []
  for (const chunk of chunks) {
    if (chunk.type === "reset-step") kept.length = kept.findLastIndex(({ type }) => type === "start-step") + 1
    else kept.push(chunk)
  }
  return kept
}
