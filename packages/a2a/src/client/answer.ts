// Turns an agent's questions into questions for the person, and their outcomes into message parts for the agent. Each
// question has its own id at this hub; the agent's ids never reach the person.

import type { Part } from "@a2a-js/sdk"
import { askFormFor, askUrlFor, formWords, isTooMany, isUnaskable, linkWords } from "@holdpoint/calls/internal"
import type { Content, FormSource, Outcome } from "@holdpoint/hub"
import { form, text } from "@holdpoint/hub"
import { confirmForm, displayHost } from "@holdpoint/hub/forms"
import { checkUrl, toSafeUrl } from "@holdpoint/hub/internal"
import type { A2aAnswer } from "../extension.ts"
import type { Attempt } from "./attempt.ts"
import { dataPart, textPart } from "./parts.ts"
import type { AskedForm, AskedLink } from "./questions.ts"
import type { Settings } from "./settings.ts"
import { authorizeWords } from "./words.ts"

/** How a question of the agent ended, or, in `refused`, why it cannot be shown to a person. */
export type QuestionResult = { readonly outcome: Outcome } | { readonly refused: string; readonly isCrowded?: boolean }

export function askForm(
  attempt: Attempt,
  key: string,
  { message, schema, expiresAt }: AskedForm,
): Promise<QuestionResult> {
  const { settings } = attempt.peer
  return refusalIfThrown(() =>
    askFormFor(
      attempt.ask,
      { ...wordingOf(settings, key, formWords(settings, message)), ...expiryOption(expiresAt) },
      schema as FormSource,
    ),
  )
}

/** The form for a question that the agent asks in plain text. */
const answerForm = form({ answer: text({ title: "Your answer" }) })

/** Asks a plain-text question of the agent, as a form with one text field. */
export function askText(attempt: Attempt, key: string, question: string): Promise<QuestionResult> {
  const { settings } = attempt.peer
  return refusalIfThrown(() =>
    askFormFor(attempt.ask, wordingOf(settings, key, formWords(settings, question)), answerForm),
  )
}

export interface AskedListener {
  /** Called with the id of the hub's question when it is asked. */
  readonly onAsked: (elicitation: string) => void
}

/**
 * Asks the person to open the agent's link. A Yes leaves the question open; it is completed when the agent continues.
 */
export function askToOpenLink(
  attempt: Attempt,
  key: string,
  { url, message, expiresAt, onAsked }: AskedLink & AskedListener,
): Promise<QuestionResult> {
  const { settings } = attempt.peer
  const askUrl = async (): Promise<Outcome> => {
    const address = toSafeUrl(url)
    const urlCheck = checkUrl(address)
    const words = linkWords(settings, {
      ...{ host: displayHost(address), message },
      flags: urlCheck.ok ? urlCheck.flags : [],
    })
    return askUrlFor(attempt.ask, { ...wordingOf(settings, key, words), ...expiryOption(expiresAt), onAsked }, address)
  }
  return refusalIfThrown(askUrl)
}

/**
 * Asks the person to finish what the agent waits for, when the agent sent no link. The answer Yes means that it is
 * done.
 */
export function askToConfirm(
  attempt: Attempt,
  key: string,
  { text, onAsked }: AskedListener & { text: string },
): Promise<QuestionResult> {
  const { settings } = attempt.peer
  const wording = { ...wordingOf(settings, key, authorizeWords(settings, text)), onAsked }
  return refusalIfThrown(() => askFormFor(attempt.ask, wording, noticeForm))
}

const noticeForm = confirmForm({ yes: "It is done", no: "Cancel" })

/** Builds the data part that answers a question of the elicitation extension. */
export function toAnswer(id: string, result: QuestionResult): Part {
  const answer: A2aAnswer = { type: "elicitation-response", elicitationId: id, ...actionOf(result) }
  return dataPart(answer)
}

export const toTextAnswer = (content: Content): Part => textPart(String(content.answer ?? ""))

function actionOf(result: QuestionResult): Omit<A2aAnswer, "type" | "elicitationId"> {
  if ("refused" in result) return { action: result.isCrowded === true ? "cancel" : "decline" }
  const { outcome } = result
  if (outcome.status === "completed")
    return { action: "accept", ...(outcome.content === undefined ? {} : { content: outcome.content }) }
  if (outcome.status !== "declined") return { action: "cancel" }
  const reason = outcome.reason?.message
  return { action: "decline", ...(reason === undefined ? {} : { reason }) }
}

const expiryOption = (expiresAt: number | undefined) => (expiresAt === undefined ? {} : { expiresAt })

const wordingOf = (settings: Settings, key: string, message: string) => ({
  ...{ key, message, options: {}, about: { agentName: settings.name, agentAddress: settings.address } },
})

async function refusalIfThrown(asking: () => Promise<Outcome>): Promise<QuestionResult> {
  try {
    return { outcome: await asking() }
  } catch (error) {
    if (!isUnaskable(error)) throw error
    return { refused: error.message, isCrowded: isTooMany(error) }
  }
}
