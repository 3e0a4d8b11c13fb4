// What the streamed and the whole response to an OpenAI client have in common.

import type { StreamEvent } from "@holdpoint/hub/stream"
import type { Run } from "../../records.ts"
import type { ConversationRequest } from "../chat.ts"
import type { ContinuedRun } from "../reply.ts"

/**
 * How a response contains questions: as an extra member, as JSON in the content, or not at all. With `none`, text at
 * its end states that the run waits.
 */
export type QuestionFormat = "member" | "content" | "none"

/** One response to an OpenAI client. */
export interface Completion extends ContinuedRun {
  readonly chat: ConversationRequest
  readonly events: QuestionFormat
  /**
   * Random for each response. Lines with questions contain it, so that a client can tell them from lines that the model
   * wrote: the model never sees it. Undefined unless questions are in the content.
   */
  readonly nonce: string | undefined
}

/** The first members of every chunk and of every body. */
export const headOf = (run: Run, object: "chat.completion" | "chat.completion.chunk") => ({
  ...{ id: `chatcmpl-${run.message}`, object, created: Math.floor(run.createdAt / 1_000), model: run.agent },
})

/** The response headers: the id of the conversation, which the server may have chosen, and the nonce of questions. */
export const headersOf = ({ chat, nonce }: Pick<Completion, "chat" | "nonce">): Readonly<Record<string, string>> => ({
  "x-holdpoint-conversation": chat.name,
  ...(nonce === undefined ? {} : { "x-holdpoint-nonce": nonce }),
})

/** The text for people whose client cannot show questions: the open questions, and where to answer them. */
export function waitingWords(elicitations: readonly StreamEvent[], inbox: string): string {
  const questions = elicitations.map(({ message }) => message).join("\n\n")
  return `\n\nThis waits for your answer:\n\n${questions}\n\nAnswer at ${inbox}. The agent continues as soon as you have answered.`
}
