// The client of the run API: conversations with agents, and the person's open questions.

import type { ElicitationRequestEvent } from "@holdpoint/hub/stream"
import type { Content, Status } from "@holdpoint/hub/wire"
import type { Chat, ChatOptions } from "./chat.ts"
import { createChat } from "./chat.ts"
import type { Following, RunEvent } from "./events.ts"
import { readEvents } from "./events.ts"
import { createQuestions, type Questions } from "./questions.ts"
import type { RequestOptions } from "./request.ts"
import { createRequests } from "./request.ts"

/** A client of a Holdpoint server with agents, in one person's name. */
export interface Client {
  /**
   * Returns a conversation. The client chooses the id; other people may use the same id for their own conversations.
   */
  chat(conversationId: string, options?: ChatOptions): Chat
  /** Answers a question of a conversation. Sending the same answer again changes nothing and is a success. */
  answer(answer: QuestionAnswer): Promise<AnsweredQuestion>
  /** Returns the person's open questions, of every conversation and program. */
  elicitations(): Promise<readonly ElicitationRequestEvent[]>
  /**
   * Follows conversations and the person's inbox in one stream, until the loop is left or the signal aborts. A reply in
   * progress is sent from its first chunk, and later replies follow automatically. A lost connection is resumed
   * automatically, without a time limit; only a refusal is thrown.
   */
  events(following: Following): AsyncGenerator<RunEvent, void, undefined>
  /** Questions over the HTTP API, which needs no agents: for programs with a key, and for people's own answers. */
  readonly questions: Questions
}

/** The address of the server, and the credentials of the caller. */
export interface ClientOptions extends RequestOptions {}

/** The person's answer to a question. */
export interface QuestionAnswer {
  readonly conversationId: string
  readonly elicitationId: string
  /** For a link, `accept` means that the person opens the link; only the page completes the question. */
  readonly action: "accept" | "decline" | "cancel"
  /** The values of a form. */
  readonly content?: Content
  /** The reason for a decline, in the person's words. The agent receives it. */
  readonly reason?: string
}

/** The state of a question after an answer. */
export interface AnsweredQuestion {
  readonly elicitationId: string
  readonly status: Status
  /** False when the same answer was sent before. */
  readonly changed: boolean
}

/** Creates a client. Refusals of the server are thrown as `ClientError`. */
export function createClient(options: ClientOptions): Client {
  const request = createRequests(options)
  return {
    chat: (conversationId, chatOptions = {}) => createChat(request, conversationId, chatOptions),
    async answer(body) {
      const response = await request({ method: "POST", path: "elicitation-responses", body })
      return (await response.json()) as AnsweredQuestion
    },
    async elicitations() {
      const response = await request({ path: "elicitations" })
      const { elicitations } = (await response.json()) as { readonly elicitations: readonly ElicitationRequestEvent[] }
      return elicitations
    },
    events: (following) => readEvents(request, following),
    questions: createQuestions(createRequests(options, "api")),
  }
}
