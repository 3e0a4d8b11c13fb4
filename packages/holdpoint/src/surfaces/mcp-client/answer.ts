// Turns what a server asks into a question for the person, and its outcome into a reply for the server. The question is
// ours, with an id of its own; the ids of the server never reach the person.

import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client"
import type { Ask } from "../../asking/ask.ts"
import { declinedNote, formWords, linkWords } from "../../asking/foreign-words.ts"
import { askFormFor, askUrlFor, isUnaskable } from "../../asking/on-behalf.ts"
import type { QuestionOptions } from "../../asking/question.ts"
import type { Outcome } from "../../core/elicitation.ts"
import type { FormSource } from "../../core/question.ts"
import { toSafeUrl } from "../../core/question.ts"
import { checkUrl, displayHost } from "../../core/url.ts"
import type { Settings } from "./settings.ts"

export type Asked = ElicitRequest["params"]

/** For whom, and under which key, something is asked. */
export interface Asking {
  readonly ask: Ask
  readonly key: string
  readonly settings: Settings
  /** Gets the id of our question when it is asked. */
  readonly onAsked?: (elicitation: string) => void
}

export interface Replied {
  readonly reply: ElicitResult
  /** Why the person was not asked, for the model. */
  readonly note?: string
}

/** Asks the person what the server asks. Resolves when there is a reply for the server. */
export async function answerAsked(asking: Asking, asked: Asked): Promise<Replied> {
  try {
    return { reply: toReply(await put(asking, asked)) }
  } catch (error) {
    if (!isUnaskable(error)) throw error
    return { reply: { action: "decline" }, note: declinedNote(asking.settings, error.message) }
  }
}

function put(asking: Asking, asked: Asked): Promise<Outcome> {
  if (asked.mode === "url") return visit(asking, asked)
  const { ask, settings } = asking
  return askFormFor(ask, wordingOf(asking, formWords(settings, asked.message)), asked.requestedSchema as FormSource)
}

/** Asks the person to open a page of the server. Resolves when they agreed: only the server knows when it is done. */
export async function visit(
  asking: Asking,
  { url, message }: { readonly url: string; readonly message: string },
): Promise<Outcome> {
  const address = toSafeUrl(url)
  const checked = checkUrl(address)
  const flags = checked.ok ? checked.flags : []
  const words = linkWords(asking.settings, { host: displayHost(address), flags, message })
  return askUrlFor(asking.ask, wordingOf(asking, words, { until: "accepted" }), address)
}

const wordingOf = ({ key, settings, onAsked }: Asking, message: string, options: QuestionOptions = {}) => ({
  ...{ key, message, options, about: aboutOf(settings) },
  ...(onAsked === undefined ? {} : { onAsked }),
})

/** Says in the question's context which server asks. */
export const aboutOf = ({ name, address }: Settings): Readonly<Record<string, string>> =>
  address === undefined ? { server: name } : { server: name, serverAddress: address }

function toReply(outcome: Outcome): ElicitResult {
  if (outcome.status === "declined") return { action: "decline" }
  if (outcome.status !== "completed") return { action: "cancel" }
  const { content } = outcome
  return content === undefined
    ? { action: "accept" }
    : { action: "accept", content: { ...content } as ElicitResult["content"] & object }
}
