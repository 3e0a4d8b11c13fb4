// Texts for models about the end of a task, and for people about an agent's plain-text questions. An agent's own text
// is foreign text, and is shown as a quotation of that agent.

import { clean, formWords, nameOf, truncate } from "@holdpoint/calls/internal"
import type { Outcome } from "@holdpoint/hub"
import type { Settings } from "./settings.ts"

type Agent = Pick<Settings, "name" | "address">

/** Quotes an agent's text for a model. */
export const quote = (text: string): string => `It says: “${truncate(clean(text))}”`

/** The text about a task that did not succeed. */
export const endedWords = (agent: Agent, state: keyof typeof ends, text: string): string =>
  `${nameOf(agent)} ${ends[state]}.${text === "" ? "" : ` ${quote(text)}`}`

const ends = {
  failed: "could not do the task",
  canceled: "cancelled the task",
  rejected: "refused the task",
}

export const refusedWords = (agent: Agent, problem: string): string =>
  `${nameOf(agent)} refused the request. ${problem}`

export const goneWords = (agent: Agent): string =>
  `${nameOf(agent)} no longer knows the task. What it had done until then is not undone.`

export const vanishedWords = (agent: Agent, problem: string): string =>
  `${nameOf(agent)} became unreachable while it worked on the task: ${problem} What it had done until then is not undone.`

export const unreachedWords = (agent: Agent, problem: string): string =>
  `${nameOf(agent)} could not be reached, and was given no task: ${problem} Try again later.`

export const lostWords = (agent: Agent): string =>
  `It is unknown whether ${nameOf(agent)} has begun the task: the connection or this program ended in the middle of the request, and the agent cannot tell. It was not given the task again. Ask the user before you give it again.`

export const excessWords = (agent: Agent, problem: string): string =>
  `${nameOf(agent)} was given the task, and its response was not read: ${problem}. What it had done until then is not undone. Do not give it the same task again; ask for less, or ask the user.`

export const tooLongWords = (agent: Agent): string =>
  `${nameOf(agent)} worked on the task for too long, so it was cancelled. What it had done until then is not undone.`

export const tooManyWords = (agent: Agent): string =>
  `${nameOf(agent)} kept asking and did not finish. The task was cancelled; what it had done until then is not undone.`

/** The text about a plain-text question that the user did not answer. */
export const unansweredWords = (agent: Agent, { status }: Outcome): string =>
  `${nameOf(agent)} asked the user, ${noAnswerWords[status]}. The task was cancelled there. Giving it again immediately is useless; ask the user whether they want to go on.`

const noAnswerWords: Readonly<Record<Outcome["status"], string>> = {
  completed: "and the answer could not be sent",
  declined: "and the user said no",
  cancelled: "and the user dismissed the question",
  expired: "and the user did not answer in time",
  failed: "but the question failed",
  unsupported: "and the user cannot be asked here",
}

/**
 * The text about a plain-text question that cannot be shown to a person. Plain text has no way to decline, so the task
 * is cancelled.
 */
export const unaskableWords = (agent: Agent, problem: string): string =>
  `${nameOf(agent)} asked the user for something that cannot be shown to them. The task was cancelled there. ${problem}`

/** Asks the person to authorise something, for agents that send no link. Part of the question's digest: never change it. */
export const authorizeWords = (agent: Agent, text: string): string =>
  truncate(`${formWords(agent, text)}\n\nThe agent waits until that is done, and sent no link for it.`)

/** The message to the agent when the person says that they have finished. */
export const doneText = "The user says that this is done."

export const unusableCardWords = (agent: Agent, problem: string): string =>
  `The card of ${nameOf(agent)} cannot be used: ${problem}`
