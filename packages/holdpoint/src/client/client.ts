// The client of the run API: conversations with agents, and the person's open questions.

import type { Status } from "../core/elicitation.ts"
import type { Content } from "../core/form.ts"
import type { ElicitationRequestEvent } from "../core/stream-event.ts"
import type { Chat, ChatOptions } from "./chat.ts"
import { createChat } from "./chat.ts"
import type { Following, RunEvent } from "./events.ts"
import { readEvents } from "./events.ts"
import { createQuestions, type Questions } from "./questions.ts"
import type { RequestOptions } from "./request.ts"
import { createRequests } from "./request.ts"

/** A client of a Holdpoint with agents, in one person's name. */
export interface Client {
  /** A conversation. The id is the client's choice; other people may use the same one for theirs. */
  chat(conversationId: string, options?: ChatOptions): Chat
  /** Answers a question of a conversation. Sending the same answer again changes nothing and is a success. */
  answer(answer: QuestionAnswer): Promise<AnsweredQuestion>
  /** The person's open questions, of every conversation and program. */
  elicitations(): Promise<readonly ElicitationRequestEvent[]>
  /**
   * Follows conversations and the person's inbox in one stream, until the loop is left or the signal aborts. A reply that
   * is under way comes from its first chunk, and later ones by themselves. A lost connection is taken up by itself, for as
   * long as it takes; only a refusal is thrown.
   */
  events(following: Following): AsyncGenerator<RunEvent, void, undefined>
  /** Questions over the HTTP API, which needs no agents: for programs with a key, and for people's own answers. */
  readonly questions: Questions
}

/** Where the server is, and what proves the caller. */
export interface ClientOptions extends RequestOptions {}

/** The person's answer to a question. */
export interface QuestionAnswer {
  readonly conversationId: string
  readonly elicitationId: string
  /** For a link, `accept` means that the person opens it; only the page completes the question. */
  readonly action: "accept" | "decline" | "cancel"
  /** The values of a form. */
  readonly content?: Content
  /** Why not, in the person's words. The agent is told. */
  readonly reason?: string
}

/** A question after an answer. */
export interface AnsweredQuestion {
  readonly elicitationId: string
  readonly status: Status
  /** False when the answer had been given before. */
  readonly changed: boolean
}

/** Makes a client. Refusals of the server are thrown as `ClientError`. */
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
