// A call of a 2026-07-28 server, which answers with questions until it has what it needs. Each round is a request of its
// own, so the call survives the end of this process.

import type { InputRequest } from "@modelcontextprotocol/client"
import { askingOf, elicitationOf, joinQuestion } from "../../asking/on-behalf.ts"
import { elicitationIdKey } from "../../core/in-process.ts"
import { displayHost } from "../../core/url.ts"
import type { Asked } from "./answer.ts"
import { answerAsked } from "./answer.ts"
import type { Attempt } from "./call.ts"
import type { Leg } from "./leg.ts"
import { elicitationIn } from "./leg.ts"
import { askWhetherDone } from "./links.ts"
import { sendOnce } from "./send.ts"
import { memberOf } from "./wire.ts"
import { tooManyWords, unsupportedWords } from "./words.ts"

type Input = Extract<Leg, { kind: "input" }>

/** The most rounds of one call. */
const mostRounds = 40

export async function followRounds(attempt: Attempt, first: Leg): Promise<Leg> {
  const { peer, ask } = attempt
  /** The pages that the person agreed to open, and our questions for them. */
  const visits = new Map<string, string | undefined>()
  let leg = first
  let polls = 0
  for (let round = 1; leg.kind === "input"; round++) {
    if (round > mostRounds) return { kind: "error", message: tooManyWords(peer.settings) }
    const foreign = Object.values(leg.requests).find((request) => elicitationIn(request) === undefined)
    if (foreign !== undefined) return { kind: "error", message: unsupportedWords(peer.settings, foreign.method) }
    polls = isBare(leg) ? polls + 1 : 0
    const inputResponses = await answerRound(attempt, { leg, round, visits })
    const open = [...visits.values()]
    leg = await sendOnce(attempt, `leg ${round}`, {
      ...(leg.state === undefined ? {} : { requestState: leg.state }),
      ...(Object.keys(inputResponses).length === 0 ? {} : { inputResponses }),
      isHeld: visits.size > 0,
      ...(polls === 0 ? {} : { pauseMs: Math.min(250 * 2 ** polls, mostPauseMs) }),
      onSent: async (next) => {
        if (goesOn(next, visits)) await Promise.all(open.map((id) => id && askingOf(ask).hub.complete(id)))
      },
    })
    if (goesOn(leg, visits)) visits.clear()
  }
  return leg
}

const mostPauseMs = 30_000

/** Whether the server only wants to be called again. */
const isBare = (leg: Input): boolean => Object.keys(leg.requests).length === 0

/** Whether the server has gone on after the person visited its pages: it neither waits nor asks for them again. */
function goesOn(leg: Leg, visits: ReadonlyMap<string, unknown>): boolean {
  if (leg.kind !== "input") return true
  const requests = Object.values(leg.requests).map(elicitationIn)
  return !isBare(leg) && !requests.some((asked) => asked?.mode === "url" && visits.has(asked.url))
}

interface Round {
  readonly leg: Input
  readonly round: number
  readonly visits: Map<string, string | undefined>
}

/** Asks everything that the server asks in this round. Questions of this process are joined, and need no reply. */
async function answerRound(attempt: Attempt, { leg, round, visits }: Round): Promise<Readonly<Record<string, object>>> {
  const replies = await Promise.all(
    Object.entries(leg.requests).map(async ([name, request], at) => {
      const reply = await answerRequest(attempt, { request, key: `question ${round}.${at + 1}`, visits })
      return reply === undefined ? [] : [[name, reply] as const]
    }),
  )
  return Object.fromEntries(replies.flat())
}

interface Requested extends Pick<Round, "visits"> {
  readonly request: InputRequest
  readonly key: string
}

async function answerRequest(attempt: Attempt, { request, key, visits }: Requested): Promise<object | undefined> {
  const { peer, ask, notes } = attempt
  const asked = elicitationIn(request)
  if (asked === undefined) return undefined
  const joined = peer.isInProcess ? idIn(asked) : undefined
  if (joined !== undefined) {
    await joinQuestion(ask, key, { elicitation: joined, mode: asked.mode === "url" ? "url" : "form" })
    return undefined
  }
  if (asked.mode === "url" && visits.has(asked.url)) {
    const isDone = await askWhetherDone(attempt, { key, hosts: [displayHost(asked.url)], links: [] })
    return { action: isDone ? "accept" : "cancel" }
  }
  const { reply, note } = await answerAsked({ ask, key, settings: peer.settings }, asked)
  if (note !== undefined) notes.push(note)
  if (asked.mode === "url" && reply.action === "accept") visits.set(asked.url, await elicitationOf(ask, key))
  return reply
}

/** The id of the question at our own hub. Only a server of this process may name one. */
function idIn(asked: Asked): string | undefined {
  const id = memberOf(memberOf(asked, "_meta"), elicitationIdKey)
  return typeof id === "string" ? id : undefined
}
