// Turns a server's elicitation into a question for the person, and the outcome into a reply for the server. The
// question has its own id at this hub; the server's ids never reach the person.

import type { Ask } from "@holdpoint/calls"
import type { QuestionOptions } from "@holdpoint/calls/internal"
import {
  askFormFor,
  askUrlFor,
  crowdedNote,
  declinedNote,
  formWords,
  isTooMany,
  isUnaskable,
  linkWords,
} from "@holdpoint/calls/internal"
import type { FormSource, Outcome } from "@holdpoint/hub"
import { displayHost } from "@holdpoint/hub/forms"
import { checkUrl, toSafeUrl } from "@holdpoint/hub/internal"
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client"
import type { Settings } from "./settings.ts"

export type ElicitParams = ElicitRequest["params"]

/**
 * The parameters of one question: the `ask` of the run, the key of the question, and the settings of the asking server.
 */
export interface QuestionParts {
  readonly ask: Ask
  readonly key: string
  readonly settings: Settings
  /** Called with the id of the hub's question when it is asked. */
  readonly onAsked?: (elicitation: string) => void
}

export interface ServerReply {
  readonly reply: ElicitResult
  /** Why the person was not asked, for the model. */
  readonly note?: string
}

/** Asks the person the server's question. Resolves to the reply for the server. */
export async function answerElicitation(parts: QuestionParts, params: ElicitParams): Promise<ServerReply> {
  try {
    return { reply: toReply(await askPerson(parts, params)) }
  } catch (error) {
    if (!isUnaskable(error)) throw error
    if (isTooMany(error)) return { reply: { action: "cancel" }, note: crowdedNote(parts.settings, error.message) }
    return { reply: { action: "decline" }, note: declinedNote(parts.settings, error.message) }
  }
}

function askPerson(parts: QuestionParts, params: ElicitParams): Promise<Outcome> {
  if (params.mode === "url") return askToOpenPage(parts, params)
  const { ask, settings } = parts
  return askFormFor(ask, wordingOf(parts, formWords(settings, params.message)), params.requestedSchema as FormSource)
}

/**
 * Asks the person to open a page of the server. Resolves when they have agreed: only the server knows when they have
 * finished there.
 */
export async function askToOpenPage(
  parts: QuestionParts,
  { url, message }: { readonly url: string; readonly message: string },
): Promise<Outcome> {
  const address = toSafeUrl(url)
  const urlCheck = checkUrl(address)
  const flags = urlCheck.ok ? urlCheck.flags : []
  const words = linkWords(parts.settings, { host: displayHost(address), flags, message })
  return askUrlFor(parts.ask, wordingOf(parts, words, { until: "accepted" }), address)
}

const wordingOf = ({ key, settings, onAsked }: QuestionParts, message: string, options: QuestionOptions = {}) => ({
  ...{ key, message, options, about: aboutOf(settings) },
  ...(onAsked === undefined ? {} : { onAsked }),
})

/** Returns the part of a question's context that names the asking server. */
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
