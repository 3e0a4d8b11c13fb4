// An agent behind the run API as a language model of the AI SDK. The agent has its own instructions, tools and memory,
// so only the person's last message of a prompt is sent.

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider"
import type { Chat, ChatEvent, ClientOptions } from "@holdpoint/client"
import { ClientError, createClient } from "@holdpoint/client"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { createContents, createParts, noUsage } from "./parts.ts"
import { readPrompt } from "./prompt.ts"

/** The agents of a Holdpoint server, as language models. */
export interface HoldpointProvider {
  /** Returns the agent of this name, as a language model. */
  agent(name: string, options?: AgentModelOptions): LanguageModelV4
}

/** The options of a model: the conversation that it continues. */
export interface AgentModelOptions {
  /**
   * The id under which the server stores the history. `providerOptions.holdpoint.conversationId` of a call takes
   * precedence. Without either, every call is a separate conversation.
   */
  readonly conversationId?: string
}

/**
 * The metadata of a question in the stream. It is `providerMetadata.holdpoint` of a `custom` part whose kind is
 * `holdpoint.elicitation`.
 */
export interface ElicitationMetadata {
  /** The conversation's id, which an answer needs together with the question's id. */
  readonly conversationId: string
  readonly event: StreamEvent
}

/** Creates language models from the agents of a Holdpoint server. The options are those of `createClient`. */
export function holdpoint(options: ClientOptions): HoldpointProvider {
  return { agent: (name, { conversationId } = {}) => createModel({ options, name, conversationId }) }
}

interface ModelParts {
  readonly options: ClientOptions
  readonly name: string
  readonly conversationId: string | undefined
}

function createModel(parts: ModelParts): LanguageModelV4 {
  return {
    ...{ specificationVersion: "v4", provider: "holdpoint", modelId: parts.name, supportedUrls: {} },
    async doStream(call) {
      const { conversationId, events, warnings } = await begin(parts, call)
      const toParts = createParts({ conversationId, includesRaw: call.includeRawChunks === true })
      async function* stream(): AsyncGenerator<LanguageModelV4StreamPart> {
        yield { type: "stream-start", warnings }
        for await (const event of events) yield* toParts(event)
      }
      return { stream: toReadable(stream()) }
    },
    async doGenerate(call) {
      const { conversationId, events, warnings } = await begin(parts, call)
      const contents = createContents(conversationId)
      for await (const event of events) {
        if (event.type === "error") throw new ClientError("reply_failed", event.message)
        contents.add(event)
      }
      const content: LanguageModelV4Content[] = [...contents.all()]
      return { content, finishReason: contents.finishReason(), usage: noUsage, warnings }
    },
  }
}

async function begin({ options, name, conversationId }: ModelParts, call: LanguageModelV4CallOptions) {
  const requestedId = call.providerOptions?.holdpoint?.conversationId ?? conversationId
  const id = typeof requestedId === "string" ? requestedId : crypto.randomUUID()
  const { text, warnings } = readPrompt(call, requestedId === undefined)
  const headers = Object.entries({ ...options.headers, ...call.headers }).filter(([, value]) => value !== undefined)
  const client = createClient({ ...options, headers: Object.fromEntries(headers) as Record<string, string> })
  const chat = client.chat(id, { agent: name })
  return { conversationId: id, warnings, events: await startReading(chat, text, call.abortSignal) }
}

/**
 * Begins to read a reply. Refusals are thrown before the stream is returned, because callers of a model expect them
 * from the call.
 */
async function startReading(
  chat: Chat,
  text: string,
  signal: AbortSignal | undefined,
): Promise<AsyncGenerator<ChatEvent>> {
  const reply = chat.send(text, signal === undefined ? {} : { signal })
  const firstEvent = await reply.next()
  return (async function* () {
    if (firstEvent.done !== true) yield firstEvent.value
    yield* reply
  })()
}

function toReadable<T>(values: AsyncGenerator<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await values.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await values.return(undefined)),
  })
}
