// Takes requestState from a question and presents it as an attacker would: altered, in another call, as another person.

import type { CallState } from "./call-state.ts"
import { describeCallState, toCallState } from "./call-state.ts"
import { expect, skip } from "./check.ts"
import type { AskedQuestion, CheckContext } from "./check-context.ts"
import { both } from "./check-context.ts"
import { within } from "./dialogue.ts"
import type { Json } from "./json.ts"
import { dig } from "./json.ts"
import { responsesTo, sendModern } from "./modern.ts"
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
export async function takeState(context: CheckContext): Promise<Presented & { readonly state: string }> {
  return presentedBy(context, await context.askUrl(), "url")
}

/** What an honest client would send to accept every question. */
export function presentedBy(
  context: CheckContext,
  { callState }: AskedQuestion,
  mode: "url" | "form",
): Presented & { readonly state: string } {
  const state = dig(callState.raw, "result", "requestState")
  if (typeof state !== "string") return skip("the question comes without requestState")
  const { name, arguments: given = {} } = context.tools[mode] ?? { name: "" }
  const responses = responsesTo(callState, (question) =>
    question.mode === "url" ? { action: "accept" } : { action: "accept", content: context.contentFor(question) },
  )
  return { name, arguments: given, state, responses, who: "first" }
}

export async function present(context: CheckContext, shown: Presented, limitMs = context.legMs): Promise<CallState> {
  const sent = sendModern(context.line(shown.who), {
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
export async function refusesState(context: CheckContext, shown: Presented): Promise<void> {
  const callState = await present(context, shown)
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
