// What the streamed and the whole response to an OpenAI client share.

import type { StreamEvent } from "@holdpoint/sdk/stream"
import type { Run } from "../../records.ts"
import type { Talk } from "../chat.ts"
import type { Continued } from "../reply.ts"

/** How a client is told of questions. `none`: only that the run waits, in words, at the end of the response. */
export type EventsWay = "member" | "content" | "none"

/** One response to an OpenAI client. */
export interface Completion extends Continued {
  readonly talk: Talk
  readonly events: EventsWay
}

/** What every chunk and every body begins with. */
export const headOf = (run: Run, object: "chat.completion" | "chat.completion.chunk") => ({
  ...{ id: `chatcmpl-${run.message}`, object, created: Math.floor(run.createdAt / 1_000), model: run.agent },
})

/** Names the conversation, for clients that did not. */
export const headersOf = ({ name }: Talk): Readonly<Record<string, string>> => ({ "x-holdpoint-conversation": name })

/** For people whose client cannot show questions: what waits, and where to answer. */
export function waitingWords(elicitations: readonly StreamEvent[], inbox: string): string {
  const questions = elicitations.map(({ message }) => message).join("\n\n")
  return `\n\nThis waits for your answer:\n\n${questions}\n\nAnswer at ${inbox}. The work goes on as soon as you have answered.`
}
