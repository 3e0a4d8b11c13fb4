// One conversation with an agent: sends messages, and reads the replies as events.

import type { TimelineItem } from "@holdpoint/hub/stream"
import type { ChatEvent } from "./chat-event.ts"
import { ClientError } from "./error.ts"
import type { Position } from "./reply.ts"
import { readReply } from "./reply.ts"
import type { SendRequest } from "./request.ts"

/** A conversation of the person with an agent. */
export interface Chat {
  readonly conversationId: string
  /**
   * Sends a message and yields the events of the reply, until its end. Questions are events of the reply, which
   * continues after the answer. A lost connection is resumed automatically. Leaving the loop does not stop the reply.
   */
  send(text: string, reading?: { readonly signal?: AbortSignal }): AsyncGenerator<ChatEvent, void, undefined>
  /**
   * Sends a message whose reply is read with `events` of the client. Resolves to the id of the reply's message as soon
   * as the reply has begun. A failed request is not retried.
   */
  post(text: string, options?: { readonly signal?: AbortSignal }): Promise<PostedMessage>
  /** Yields the events of the last reply until its end: those after `last`, or all without it. */
  resume(
    last?: Pick<ChatEvent, "number"> | number,
    reading?: { readonly signal?: AbortSignal },
  ): AsyncGenerator<ChatEvent, void, undefined>
  /** Stops the reply: steps that have not begun are not executed. */
  stop(): Promise<void>
  /** Returns the messages of the conversation, in the format of the AI SDK. */
  messages(): Promise<readonly ChatMessage[]>
  /** Returns the steps of all replies so far. `events` yields the later steps. */
  timeline(): Promise<readonly (TimelineItem & { readonly messageId: string })[]>
  /**
   * Loads the current state of the conversation. Undefined when it has not begun. `resume` and `events` continue from
   * this state.
   */
  load(): Promise<LoadedChat | undefined>
}

/** A conversation at one moment. */
export interface LoadedChat {
  readonly messages: readonly ChatMessage[]
  /** The state of the last reply. `waiting`: the reply waits for a person's answer. */
  readonly status: "running" | "waiting" | "done" | "failed" | "stopped"
  /** The last reply: the id of its message, and the number of its last event in `messages`. */
  readonly reply?: { readonly messageId: string; readonly number: number }
}

/** The conversation of a sent message, and the message in which the reply arrives. */
export interface PostedMessage {
  readonly conversationId: string
  /** The id of the reply's message. */
  readonly messageId: string
}

/** The options of a conversation. */
export interface ChatOptions {
  /** The agent that answers, by its name in the configuration. */
  readonly agent?: string
}

/** A message of a conversation, with parts in the format of the AI SDK. */
export interface ChatMessage {
  readonly id: string
  readonly role: "user" | "assistant" | "system"
  readonly parts: readonly { readonly type: string; readonly [member: string]: unknown }[]
}

/** The header that declares support for questions. Without this header, the server sends no questions in the reply. */
const showsQuestions = { "x-supports-elicitation": "true" }

export function createChat(request: SendRequest, conversationId: string, { agent }: ChatOptions): Chat {
  const encodedId = encodeURIComponent(conversationId)
  const resume = async ({ lastNumber, message }: Position, signal: AbortSignal): Promise<Response | undefined> => {
    const reply = message === undefined ? "" : `?message=${encodeURIComponent(message)}`
    const headers = { "last-event-id": String(lastNumber) }
    const response = await request({ path: `conversations/${encodedId}/stream${reply}`, headers, signal })
    return response.status === 204 ? undefined : response
  }
  const fetchChat = async (): Promise<LoadedChat> =>
    (await (await request({ path: `conversations/${encodedId}` })).json()) as LoadedChat
  const bodyOf = (text: string) => ({
    ...{ id: conversationId, messages: [{ role: "user", parts: [{ type: "text", text }] }] },
    ...(agent === undefined ? {} : { agent }),
  })
  return {
    conversationId,
    send(text, { signal } = {}) {
      const body = bodyOf(text)
      return readReply({ resume, signal }, { lastNumber: 0, message: undefined }, (connectionSignal) =>
        request({ method: "POST", path: "chat", body, headers: showsQuestions, signal: connectionSignal }),
      )
    },
    async post(text, { signal } = {}) {
      const headers = { ...showsQuestions, prefer: "respond-async" }
      const abortable = signal === undefined ? {} : { signal }
      const response = await request({ method: "POST", path: "chat", body: bodyOf(text), headers, ...abortable })
      return (await response.json()) as PostedMessage
    },
    resume(last = 0, { signal } = {}) {
      const number = typeof last === "number" ? last : (last.number ?? 0)
      return readReply({ resume, signal }, { lastNumber: number, message: undefined })
    },
    async stop() {
      await request({ method: "POST", path: `chat/${encodedId}/stop` })
    },
    messages: async () => (await fetchChat()).messages,
    async timeline() {
      const response = await request({ path: `conversations/${encodedId}/timeline` })
      return ((await response.json()) as { readonly items: Awaited<ReturnType<Chat["timeline"]>> }).items
    },
    load: () =>
      fetchChat().catch((error: unknown) => {
        if (error instanceof ClientError && error.status === 404) return undefined
        throw error
      }),
  }
}
