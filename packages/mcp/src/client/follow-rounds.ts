// A call of a server of revision 2026-07-28, which responds with questions until it has all answers. Each round is a
// separate request, so the call survives the end of this process.

import type { JoinedQuestion } from "@holdpoint/calls/internal"
import { askingOf, elicitationOf, joinQuestion } from "@holdpoint/calls/internal"
import { displayHost } from "@holdpoint/hub/forms"
import { elicitationIdKey, elicitationUntilKey } from "@holdpoint/hub/internal"
import type { InputRequest } from "@modelcontextprotocol/client"
import type { ElicitParams } from "./answer.ts"
import { answerElicitation } from "./answer.ts"
import type { Attempt } from "./attempt.ts"
import { askWhetherDone } from "./links.ts"
import { sendOnce } from "./send.ts"
import type { ToolResponse } from "./tool-response.ts"
import { elicitationIn } from "./tool-response.ts"
import { memberOf } from "./wire.ts"
import { tooManyQuestionsWords, tooManyWords, unsupportedWords } from "./words.ts"

type Input = Extract<ToolResponse, { kind: "input" }>

/** The most rounds of questions in one call. After that, the call fails. */
const mostRounds = 40

export async function followRounds(attempt: Attempt, first: ToolResponse): Promise<ToolResponse> {
  const { peer, ask } = attempt
  /** The addresses of the pages that the person agreed to open, with the ids of the hub's questions. */
  const visits = new Map<string, string | undefined>()
  let response = first
  let polls = 0
  let questions = 0
  const { limits } = peer.settings
  for (let round = 1; response.kind === "input"; round++) {
    if (round > mostRounds) return { kind: "error", message: tooManyWords(peer.settings) }
    const unsupported = Object.values(response.requests).find((request) => elicitationIn(request) === undefined)
    if (unsupported !== undefined)
      return { kind: "error", message: unsupportedWords(peer.settings, unsupported.method) }
    questions += Object.keys(response.requests).length
    if (questions > limits.questions)
      return { kind: "error", message: tooManyQuestionsWords(peer.settings, limits.questions) }
    polls = isBare(response) ? polls + 1 : 0
    const inputResponses = await answerRound(attempt, { response, round, visits })
    const visitIds = [...visits.values()]
    response = await sendOnce(attempt, `leg ${round}`, {
      ...(response.state === undefined ? {} : { requestState: response.state }),
      ...(Object.keys(inputResponses).length === 0 ? {} : { inputResponses }),
      isHeld: visits.size > 0,
      ...(polls === 0 ? {} : { pauseMs: Math.min(250 * 2 ** polls, mostPauseMs) }),
      onSent: async (next) => {
        if (hasContinued(next, visits)) await Promise.all(visitIds.map((id) => id && askingOf(ask).hub.complete(id)))
      },
    })
    if (hasContinued(response, visits)) visits.clear()
  }
  return response
}

const mostPauseMs = 30_000

/** Whether the response contains no questions: the server only wants another request. */
const isBare = (response: Input): boolean => Object.keys(response.requests).length === 0

/**
 * Whether the server has continued after the person visited its pages: it neither waits nor sends the same pages again.
 */
function hasContinued(response: ToolResponse, visits: ReadonlyMap<string, unknown>): boolean {
  if (response.kind !== "input") return true
  const requests = Object.values(response.requests).map(elicitationIn)
  return !isBare(response) && !requests.some((params) => params?.mode === "url" && visits.has(params.url))
}

interface Round {
  readonly response: Input
  readonly round: number
  readonly visits: Map<string, string | undefined>
}

/**
 * Asks the person all questions of this round. The questions of a server in this process are joined, and need no reply.
 */
async function answerRound(
  attempt: Attempt,
  { response, round, visits }: Round,
): Promise<Readonly<Record<string, object>>> {
  const replies = await Promise.all(
    Object.entries(response.requests).map(async ([name, request], at) => {
      const reply = await answerRequest(attempt, { request, key: `question ${round}.${at + 1}`, visits })
      return reply === undefined ? [] : [[name, reply] as const]
    }),
  )
  return Object.fromEntries(replies.flat())
}

interface RoundRequest extends Pick<Round, "visits"> {
  readonly request: InputRequest
  readonly key: string
}

async function answerRequest(attempt: Attempt, { request, key, visits }: RoundRequest): Promise<object | undefined> {
  const { peer, ask, notes } = attempt
  const params = elicitationIn(request)
  if (params === undefined) return undefined
  const joinedQuestion = peer.isInProcess ? joinedQuestionIn(params) : undefined
  if (joinedQuestion !== undefined) {
    await joinQuestion(ask, key, joinedQuestion)
    return undefined
  }
  if (params.mode === "url" && visits.has(params.url)) {
    const isDone = await askWhetherDone(attempt, { key, hosts: [displayHost(params.url)], links: [] })
    return { action: isDone ? "accept" : "cancel" }
  }
  const { reply, note } = await answerElicitation({ ask, key, settings: peer.settings }, params)
  if (note !== undefined) notes.push(note)
  if (params.mode === "url" && reply.action === "accept") visits.set(params.url, await elicitationOf(ask, key))
  return reply
}

/** Reads which question at this hub is meant. Only a server in this process may name one. */
function joinedQuestionIn(params: ElicitParams): JoinedQuestion | undefined {
  const meta = memberOf(params, "_meta")
  const elicitation = memberOf(meta, elicitationIdKey)
  if (typeof elicitation !== "string") return undefined
  const until = memberOf(meta, elicitationUntilKey)
  const mode = params.mode === "url" ? "url" : "form"
  return { elicitation, mode, until: until === "accepted" || until === "held" ? until : undefined }
}
