// Converts the events of a reply to stream parts and contents of the AI SDK. Pure. No event causes an error: an event
// without a matching part is omitted, or passed on as a raw chunk.

import type {
  JSONValue,
  LanguageModelV4Content,
  LanguageModelV4CustomContent,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
  LanguageModelV4Usage,
} from "@ai-sdk/provider"
import type { ChatEvent } from "@holdpoint/client"

/** An empty token usage: the run API does not report any. */
export const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

export interface PartsOptions {
  readonly conversationId: string
  /** Whether chunks of unknown types are passed on, as raw chunks. */
  readonly includesRaw: boolean
}

/** Creates the function that converts each event of a reply, in order. */
export function createParts({ conversationId, includesRaw }: PartsOptions) {
  const toContents = createContentConverter(conversationId)
  let openPart: { readonly type: "text" | "reasoning"; readonly id: string } | undefined
  let count = 0
  function* close(): Generator<LanguageModelV4StreamPart> {
    if (openPart !== undefined) yield { type: `${openPart.type}-end`, id: openPart.id }
    openPart = undefined
  }
  return function* toParts(event: ChatEvent): Generator<LanguageModelV4StreamPart> {
    if (event.type === "text" || event.type === "reasoning") {
      if (openPart?.type !== event.type) {
        yield* close()
        openPart = { type: event.type, id: String(count++) }
        yield { type: `${openPart.type}-start`, id: openPart.id }
      }
      yield { type: `${openPart.type}-delta`, id: openPart.id, delta: event.text }
      return
    }
    yield* close()
    if (event.type === "error") yield { type: "error", error: new Error(event.message) }
    else if (event.type === "end") yield { type: "finish", finishReason: toFinishReason(event.status), usage: noUsage }
    else if (event.type === "unknown") yield* includesRaw ? [{ type: "raw", rawValue: event.chunk } as const] : []
    else if (event.type === "step-reset") yield { type: "custom", kind: "holdpoint.step-reset" }
    else yield* toContents(event)
  }
}

/** Collects the events of a reply as contents. A step that begins again replaces its earlier contents. */
export function createContents(conversationId: string) {
  const toContents = createContentConverter(conversationId)
  let finished: LanguageModelV4FinishReason = { unified: "other", raw: undefined }
  let earlierContent: readonly LanguageModelV4Content[] = []
  let step: LanguageModelV4Content[] = []
  return {
    add(event: ChatEvent): void {
      const lastContent = step.at(-1)
      if (event.type === "step") {
        earlierContent = [...earlierContent, ...step]
        step = []
      } else if (event.type === "step-reset") step = []
      else if (event.type === "end") finished = toFinishReason(event.status)
      else if (event.type !== "text" && event.type !== "reasoning") step.push(...toContents(event))
      else if (lastContent?.type === event.type)
        step[step.length - 1] = { type: event.type, text: lastContent.text + event.text }
      else step.push({ type: event.type, text: event.text })
    },
    all: (): readonly LanguageModelV4Content[] => [...earlierContent, ...step],
    finishReason: () => finished,
  }
}

type WholeContent = LanguageModelV4CustomContent | LanguageModelV4ToolCall | LanguageModelV4ToolResult

/**
 * Converts an event that becomes a whole part. The server has already called the tools, so callers must not call them
 * again.
 */
function createContentConverter(conversationId: string): (event: ChatEvent) => readonly WholeContent[] {
  const names = new Map<string, string>()
  const toResult = (toolCallId: string, result: unknown): LanguageModelV4ToolResult => ({
    ...{ type: "tool-result", toolCallId, toolName: names.get(toolCallId) ?? "unknown", dynamic: true },
    result: (result ?? {}) as NonNullable<JSONValue>,
  })
  return (event) => {
    switch (event.type) {
      case "tool-call": {
        const { toolCallId, toolName, input } = event
        names.set(toolCallId, toolName)
        const text = JSON.stringify(input ?? {})
        return [{ type: "tool-call", toolCallId, toolName, input: text, providerExecuted: true, dynamic: true }]
      }
      case "tool-result":
        return [toResult(event.toolCallId, event.output)]
      case "tool-error": {
        const words = event.isDenied ? "The person did not allow this call." : event.message
        return [{ ...toResult(event.toolCallId, words), isError: true }]
      }
      case "elicitation-request":
      case "elicitation-resolved": {
        const { number: _number, ...question } = event
        const metadata = { conversationId, event: question as unknown as JSONValue }
        return [{ type: "custom", kind: "holdpoint.elicitation", providerMetadata: { holdpoint: metadata } }]
      }
      default:
        return []
    }
  }
}

const reasons = { done: "stop", failed: "error", stopped: "other" } as const

const toFinishReason = (status: keyof typeof reasons): LanguageModelV4FinishReason => ({
  unified: reasons[status],
  raw: status,
})
