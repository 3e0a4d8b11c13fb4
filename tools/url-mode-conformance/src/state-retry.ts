// Retries a call with the question's requestState as an attacker would: altered, in another call, as another person.

import type { CallState } from "./call-state.ts"
import { describeCallState, toCallState } from "./call-state.ts"
import { expect, skip } from "./check.ts"
import type { AskedQuestion, CheckContext } from "./check-context.ts"
import { bothModes } from "./check-context.ts"
import { withTimeout } from "./dialogue.ts"
import type { Json } from "./json.ts"
import { dig } from "./json.ts"
import { responsesTo, sendModern } from "./modern-client.ts"
import type { UrlModePerson } from "./target.ts"

export interface StateRetry {
  readonly name: string
  readonly arguments: Json
  /** A string, or any value that an attacker sends. */
  readonly state: unknown
  readonly responses: Json
  readonly person: UrlModePerson
}

/** Asks in url mode, and returns the retry that an honest client would send. */
export async function askForState(context: CheckContext): Promise<StateRetry & { readonly state: string }> {
  return acceptingRetry(context, await context.askUrl(), "url")
}

/** The retry by which an honest client accepts every question. */
export function acceptingRetry(
  context: CheckContext,
  { callState }: AskedQuestion,
  mode: "url" | "form",
): StateRetry & { readonly state: string } {
  const state = dig(callState.raw, "result", "requestState")
  if (typeof state !== "string") return skip("the question comes without requestState")
  const { name, arguments: toolArguments = {} } = context.tools[mode] ?? { name: "" }
  const responses = responsesTo(callState, (question) =>
    question.mode === "url" ? { action: "accept" } : { action: "accept", content: context.contentFor(question) },
  )
  return { name, arguments: toolArguments, state, responses, person: "first" }
}

export async function sendRetry(context: CheckContext, retry: StateRetry, limitMs = context.legMs): Promise<CallState> {
  const pendingRequest = sendModern(context.client(retry.person), {
    method: "tools/call",
    capabilities: bothModes,
    params: {
      name: retry.name,
      arguments: retry.arguments,
      ...retry.responses,
      ...(retry.state === undefined ? {} : { requestState: retry.state }),
    },
  })
  const reply = await withTimeout(pendingRequest.reply, limitMs)
  pendingRequest.abort()
  return reply === undefined ? { kind: "held" } : toCallState(reply.message, reply.status)
}

/** Fails the check unless the server refuses the retry with a JSON-RPC error. */
export async function expectRefusal(context: CheckContext, retry: StateRetry): Promise<void> {
  const callState = await sendRetry(context, retry)
  expect(callState.kind === "refused" && callState.code !== undefined, "a JSON-RPC error", describeCallState(callState))
}

/** Replaces one letter or digit near this relative position (0 to 1). */
export function alter(text: string, position: number): string {
  const start = Math.min(text.length - 2, Math.max(0, Math.floor(text.length * position)))
  const offset = [...text.slice(start)].findIndex((character) => /[a-z0-9]/i.test(character))
  const index = start + Math.max(0, offset)
  const replacement = text[index] === "7" ? "8" : text[index] === "Q" ? "J" : /\d/.test(text[index] ?? "") ? "7" : "Q"
  return `${text.slice(0, index)}${replacement}${text.slice(index + 1)}`
}
