// Texts about what the asker did after the answer, and whether a later No arrived in time.

import type { AfterAnswer, AnswerEffect } from "@holdpoint/hub/internal"
import { type Html, html } from "./html.ts"
import { timeOf } from "./time.ts"

export interface AfterAnswerView extends Omit<AfterAnswer, "asker"> {
  /** `self`: the person asked the question themselves, on their account page. */
  readonly asker: AfterAnswer["asker"] | "self"
  /** The asker's name. */
  readonly name: string
  readonly now: number
}

/** The text about a question that was answered with Yes. `kept` says what the Yes still does when the asker is gone. */
export function afterAnswerWords(view: AfterAnswerView, kept = keptWords(view)): Html {
  const { name, now, asker, effect, isRefused } = view
  const { state, at = now } = effect
  if (isRefused) return html`A No came after that${noWords[state](name, timeOf(at, now))}`
  if (state === "done") return html`${name} has the answer, and finished with it ${timeOf(at, now)}.`
  if (state === "begun") return html`${name} has the answer, and began to act on it ${timeOf(at, now)}.`
  switch (asker) {
    case "waits":
      return html`${name} has the answer and continues.`
    case "again":
      return html`${name} gets the answer when it asks again. If your program still shows the question, answer it there as well; a No there still stops it.`
    case "unknown":
      return html`${name} gets the answer, if it is still waiting for it.`
    case "gone":
      return html`${name} is no longer waiting for it. ${kept}`
    case "self":
      return html`There is nothing else to do.`
  }
}

const keptWords = ({ isRepeatable }: AfterAnswerView): string =>
  isRepeatable
    ? "The answer is kept for a while: repeat the request, and it continues from there."
    : "The program that asked has gone, so the answer changes nothing."

/** The warning about an open question whose asker is gone. Undefined while the asker may still be waiting. */
export function goneWords({ name, asker, isRepeatable }: AfterAnswerView): string | undefined {
  if (asker !== "gone") return undefined
  const effectWords = isRepeatable
    ? "An answer is kept for a while, for when the request is repeated."
    : "An answer changes nothing."
  return `${name} is no longer waiting for it: the program that asked has gone. ${effectWords}`
}

const noWords: Readonly<Record<AnswerEffect["state"], (name: string, time: Html) => Html>> = {
  stopped: (name) => html`, before ${name} reported that it had begun anything. It stops there.`,
  begun: (name, time) => html`, but ${name} had already begun ${time}. What it began could not be stopped.`,
  done: (name, time) => html`, but ${name} had already finished with it ${time}.`,
  unknown: (name) => html`. ${name} had the answer already, and may act on it.`,
}

/** The text about the asker of a question that ended without a Yes. */
export function toldWords({ name, asker }: Pick<AfterAnswerView, "name" | "asker">): string {
  const words = {
    waits: `${name} has been told.`,
    again: `${name} is told when it asks again.`,
    unknown: `${name} is told, if it is still waiting.`,
    gone: `${name} is no longer waiting for it.`,
    self: "There is nothing else to do.",
  }
  return words[asker]
}
