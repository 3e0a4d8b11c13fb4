// What a call is answered with when its handler did not come to its end: a question, an error that is a question, or words.

import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server"
import { inputRequired, ProtocolError, UrlElicitationRequiredError } from "@modelcontextprotocol/server"
import type { OpenCall } from "../../asking/open-call.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { HoldpointError } from "../../core/error.ts"
import { errorCodes } from "../../core/error.ts"
import { isModern } from "./client.ts"
import { factsOf } from "./incoming.ts"
import { linkOf } from "./prompt.ts"
import { sealState } from "./state.ts"
import type { Turn, Waiting } from "./turn.ts"
import type { UrlEntry } from "./wire.ts"
import { toElicitParams } from "./wire.ts"
import type { Link } from "./words.ts"
import { linkWords } from "./words.ts"

type Answered = InputRequiredResult | CallToolResult

export async function answerWaiting(turn: Turn, waiting: readonly Waiting[]): Promise<Answered> {
  const call = await turn.call()
  const links = waiting.flatMap(({ link }) => (link === undefined ? [] : [link]))
  if (waiting.some(({ carrier }) => carrier === "round")) {
    if (call.round < turn.surface.settings.rounds) return answerRound(turn, waiting)
    // The client's patience is over before the person's: the question stays open, and the next call finds its answer.
    return park(turn, call, links, true)
  }
  if (isModern(turn.client)) return park(turn, call, links, call.wasParked)
  const isAgain = call.round > 0
  await call.advance(longestOf(waiting))
  const entries = waiting.flatMap(({ carrier, link }) =>
    carrier === "error" && link !== undefined ? [toEntry(link)] : [],
  )
  if (entries.length === 0) return answerText(turn, links, isAgain)
  throw new UrlElicitationRequiredError(entries, "This call needs the user to visit a page first.")
}

/** Nothing has happened: the client is asked to come again, and shown nothing new. */
export function answerStill(turn: Turn, open: readonly Elicitation[]): Promise<Answered> {
  const { settings } = turn.surface
  const waiting = open.map((elicitation): Waiting => {
    const { id, expiresAt, createdAt } = elicitation
    const link = linkOf(elicitation, settings)
    const waits = { key: id, carrier: "round", elicitation: id, lifetimeMs: expiresAt - createdAt } as const
    return link === undefined ? waits : { ...waits, link }
  })
  return answerWaiting(turn, waiting)
}

/** The client has nothing to bring back: it calls again. */
async function park(turn: Turn, call: OpenCall, links: readonly Link[], isAgain: boolean): Promise<Answered> {
  await (turn.knownBy === undefined ? call.finish() : call.park(turn.knownBy))
  return answerText(turn, links, isAgain)
}

async function answerRound(turn: Turn, waiting: readonly Waiting[]): Promise<Answered> {
  const { surface, connection, incoming, callId, principal } = turn
  const call = await turn.call()
  const questionMs = longestOf(waiting)
  const round = await call.advance(questionMs)
  const expiresAt = surface.runtime.now() + questionMs + stateGraceMs
  const facts = factsOf(connection, incoming, principal)
  const requestState = sealState(surface.tokens, { ...facts, call: callId, round, expiresAt })
  // What goes in words waits until nothing else is asked.
  const prompts = waiting.flatMap(({ key, carrier, prompt, elicitation }) =>
    prompt === undefined || carrier !== "round"
      ? []
      : [[key, { method: "elicitation/create", params: toElicitParams(prompt, "2026-07-28", elicitation) }] as const],
  )
  return inputRequired({
    ...(prompts.length === 0 ? {} : { inputRequests: Object.fromEntries(prompts) as never }),
    requestState,
  })
}

/** Whoever has begun on a page is given time of their own, and what was answered at the last moment still counts. */
const stateGraceMs = 30 * 60_000

const longestOf = (waiting: readonly Waiting[]): number => Math.max(...waiting.map(({ lifetimeMs }) => lifetimeMs))

const toEntry = ({ elicitation, message, url }: Link): UrlEntry => ({
  mode: "url",
  elicitationId: elicitation,
  url,
  message,
})

function answerText(turn: Turn, links: readonly Link[], isAgain: boolean): CallToolResult {
  return toWords(turn, linkWords(links, isAgain), errorCodes.not_answered.jsonRpc)
}

/** A refusal that the author did not catch, or something else that has words of its own. */
export function toFailure(turn: Turn, error: HoldpointError): CallToolResult {
  if (error.code !== "not_answered") turn.surface.report(`running ${turn.incoming.name}`, error)
  return toWords(turn, error.message, errorCodes[error.code].jsonRpc)
}

function toWords(turn: Turn, text: string, code: number): CallToolResult {
  if (turn.incoming.method === "tools/call") return { isError: true, content: [{ type: "text", text }] }
  throw new ProtocolError(code, text)
}
