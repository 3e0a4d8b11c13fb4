// Turns what an agent asks into questions for the person, and their outcomes into parts for the agent. The questions are
// ours, with ids of their own; the ids of the agent never reach the person.

import type { Part } from "@a2a-js/sdk"
import { formWords, linkWords } from "../../../asking/foreign-words.ts"
import { askFormFor, askUrlFor, isUnaskable } from "../../../asking/on-behalf.ts"
import { confirmForm } from "../../../core/confirmation.ts"
import type { Outcome } from "../../../core/elicitation.ts"
import type { Content } from "../../../core/form.ts"
import { form, text } from "../../../core/form.ts"
import type { FormSource } from "../../../core/question.ts"
import { toSafeUrl } from "../../../core/question.ts"
import { checkUrl, displayHost } from "../../../core/url.ts"
import type { A2aAnswer } from "../extension.ts"
import type { Attempt } from "./attempt.ts"
import { dataPart, textPart } from "./parts.ts"
import type { AskedForm, AskedLink } from "./questions.ts"
import type { Settings } from "./settings.ts"
import { authorizeWords } from "./words.ts"

/** What came of a question. `refused`: it cannot be put to a person, and why. */
export type Put = { readonly outcome: Outcome } | { readonly refused: string }

export function putForm(attempt: Attempt, key: string, { message, schema, expiresAt }: AskedForm): Promise<Put> {
  const { settings } = attempt.peer
  return orRefused(() =>
    askFormFor(
      attempt.ask,
      { ...wordingOf(settings, key, formWords(settings, message)), ...until(expiresAt) },
      schema as FormSource,
    ),
  )
}

/** The field of a question that is asked in plain text. */
const answerForm = form({ answer: text({ title: "Your answer" }) })

/** Asks what the agent asks in plain text, with one field for the answer. */
export function putText(attempt: Attempt, key: string, said: string): Promise<Put> {
  const { settings } = attempt.peer
  return orRefused(() => askFormFor(attempt.ask, wordingOf(settings, key, formWords(settings, said)), answerForm))
}

export interface Opened {
  /** Gets the id of our question when it is asked. */
  readonly onAsked: (elicitation: string) => void
}

/** Sends the person to a page. The question is completed when the agent goes on. */
export function putLink(
  attempt: Attempt,
  key: string,
  { url, message, expiresAt, onAsked }: AskedLink & Opened,
): Promise<Put> {
  const { settings } = attempt.peer
  const put = async (): Promise<Outcome> => {
    const address = toSafeUrl(url)
    const checked = checkUrl(address)
    const words = linkWords(settings, {
      ...{ host: displayHost(address), message },
      flags: checked.ok ? checked.flags : [],
    })
    return askUrlFor(attempt.ask, { ...wordingOf(settings, key, words), ...until(expiresAt), onAsked }, address)
  }
  return orRefused(put)
}

/** Tells the person what the agent waits for, where it sent no link. The answer is a Yes: it is done. */
export function putNotice(attempt: Attempt, key: string, { said, onAsked }: Opened & { said: string }): Promise<Put> {
  const { settings } = attempt.peer
  const wording = { ...wordingOf(settings, key, authorizeWords(settings, said)), onAsked }
  return orRefused(() => askFormFor(attempt.ask, wording, noticeForm))
}

const noticeForm = confirmForm({ yes: "It is done", no: "Cancel" })

/** The part by which the agent of the extension learns the answer. */
export function toAnswer(id: string, put: Put): Part {
  const answer: A2aAnswer = { type: "elicitation-response", elicitationId: id, ...actionOf(put) }
  return dataPart(answer)
}

export const toTextAnswer = (content: Content): Part => textPart(String(content.answer ?? ""))

function actionOf(put: Put): Omit<A2aAnswer, "type" | "elicitationId"> {
  if ("refused" in put) return { action: "decline" }
  const { outcome } = put
  if (outcome.status === "completed")
    return { action: "accept", ...(outcome.content === undefined ? {} : { content: outcome.content }) }
  if (outcome.status !== "declined") return { action: "cancel" }
  const reason = outcome.reason?.message
  return { action: "decline", ...(reason === undefined ? {} : { reason }) }
}

const until = (expiresAt: number | undefined) => (expiresAt === undefined ? {} : { expiresAt })

const wordingOf = (settings: Settings, key: string, message: string) => ({
  ...{ key, message, options: {}, about: { agentName: settings.name, agentAddress: settings.address } },
})

async function orRefused(asking: () => Promise<Outcome>): Promise<Put> {
  try {
    return { outcome: await asking() }
  } catch (error) {
    if (!isUnaskable(error)) throw error
    return { refused: error.message }
  }
}
