// Takes requestState from a question and presents it as an attacker would: altered, in another call, as another person.

import type { CallState } from "./call-state.ts"
import { describeCallState, toCallState } from "./call-state.ts"
import { expect, skip } from "./check.ts"
import { within } from "./dialogue.ts"
import type { Json } from "./json.ts"
import { dig } from "./json.ts"
import { responsesTo, sendModern } from "./modern.ts"
import type { AskedQuestion, Stage } from "./stage.ts"
import { both } from "./stage.ts"
import type { UrlModePerson } from "./target.ts"

export interface Presented {
  readonly name: string
  readonly arguments: Json
  /** A string, or any value that an attacker sends. */
  readonly state: unknown
  readonly responses: Json
  readonly who: UrlModePerson
}

/** The state of a question in url mode, with what an honest client would send. */
export async function takeState(stage: Stage): Promise<Presented & { readonly state: string }> {
  return presentedBy(stage, await stage.askUrl(), "url")
}

/** What an honest client would send to accept every question. */
export function presentedBy(
  stage: Stage,
  { callState }: AskedQuestion,
  mode: "url" | "form",
): Presented & { readonly state: string } {
  const state = dig(callState.raw, "result", "requestState")
  if (typeof state !== "string") return skip("the question comes without requestState")
  const { name, arguments: given = {} } = stage.tools[mode] ?? { name: "" }
  const responses = responsesTo(callState, (question) =>
    question.mode === "url" ? { action: "accept" } : { action: "accept", content: stage.contentFor(question) },
  )
  return { name, arguments: given, state, responses, who: "first" }
}

export async function present(stage: Stage, shown: Presented, limitMs = stage.legMs): Promise<CallState> {
  const sent = sendModern(stage.line(shown.who), {
    method: "tools/call",
    capabilities: both,
    params: {
      name: shown.name,
      arguments: shown.arguments,
      ...shown.responses,
      ...(shown.state === undefined ? {} : { requestState: shown.state }),
    },
  })
  const reply = await within(sent.reply, limitMs)
  sent.abort()
  return reply === undefined ? { kind: "held" } : toCallState(reply.message, reply.status)
}

/** Only a JSON-RPC error is a correct answer. */
export async function refusesState(stage: Stage, shown: Presented): Promise<void> {
  const callState = await present(stage, shown)
  expect(callState.kind === "refused" && callState.code !== undefined, "a JSON-RPC error", describeCallState(callState))
}

/** The same text with another letter or digit near this relative position. */
export function alter(text: string, place: number): string {
  const at = Math.min(text.length - 2, Math.max(0, Math.floor(text.length * place)))
  const found = [...text.slice(at)].findIndex((character) => /[a-z0-9]/i.test(character))
  const index = at + Math.max(0, found)
  const other = text[index] === "7" ? "8" : text[index] === "Q" ? "J" : /\d/.test(text[index] ?? "") ? "7" : "Q"
  return `${text.slice(0, index)}${other}${text.slice(index + 1)}`
}
