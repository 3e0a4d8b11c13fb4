// Builds the response to a call whose handler is suspended: a question, an error that carries a question, or a text.

import type { OpenCall, QuestionOptions, Waiting } from "@holdpoint/calls/internal"
import { callOf, noteAsker } from "@holdpoint/calls/internal"
import type { Elicitation, HoldpointError } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import { elicitationIdKey, elicitationUntilKey, errorCodes } from "@holdpoint/hub/internal"
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server"
import { inputRequired, ProtocolError, UrlElicitationRequiredError } from "@modelcontextprotocol/server"
import type { ChannelMethod } from "./channel.ts"
import { factsOf } from "./incoming.ts"
import { linkOf } from "./prompt.ts"
import type { McpRequest, McpRun } from "./request.ts"
import { identityOf } from "./request.ts"
import { sealState } from "./state.ts"
import type { Settings } from "./surface.ts"
import type { Prompt, UrlEntry } from "./wire.ts"
import { toElicitParams } from "./wire.ts"
import type { Link } from "./words.ts"
import { linkWords, stopWords, storeWords, unstoredWords } from "./words.ts"

type CallResponse = InputRequiredResult | CallToolResult

/** A question that the call waits for. `prompt` is absent if the client has already shown it. */
export interface McpWaiting extends Waiting {
  /** How the client is asked. `stop`: this process closes. */
  readonly method: Exclude<ChannelMethod, "push" | "none"> | "stop"
  readonly mode: Elicitation["mode"]
  readonly prompt?: Prompt
  /** The address where a person can answer, if there is one. */
  readonly link?: Link
  /** Whether this question replaces an expired one, so that the client has not received its link yet. */
  readonly isRenewed?: boolean
  readonly until?: QuestionOptions["until"]
}

export async function answerWaiting(run: McpRun, waiting: readonly McpWaiting[]): Promise<CallResponse> {
  const call = await callOf(run)
  const newQuestions = waiting.filter(({ isNew }) => isNew)
  const isOwnPage = (one: McpWaiting): boolean => leadsToOwnPage(run.request.surface.settings, one)
  const namesOf = (questions: readonly McpWaiting[]) => ({ questions: questions.map(({ elicitation }) => elicitation) })
  // Started together, so that their writes share one commit.
  const [response] = await Promise.all([
    answer(run, call, waiting),
    noteAsker(run, call, { ...namesOf(newQuestions.filter((one) => !isOwnPage(one))), state: "again" }),
    noteAsker(run, call, { ...namesOf(newQuestions.filter(isOwnPage)), state: "given" }),
  ])
  return response
}

/** Whether the link leads to the author's own page and is sent by an error or a text, which no client can accept. */
function leadsToOwnPage({ addresses }: Settings, { method, link }: McpWaiting): boolean {
  if (method === "round" || link === undefined) return false
  const ownPages = [paths.visit, paths.connect, paths.question] as const
  return !ownPages.some((page) => addresses?.to(page, link.elicitation) === link.url)
}

async function answer(run: McpRun, call: OpenCall, waiting: readonly McpWaiting[]): Promise<CallResponse> {
  const { request } = run
  const questionMs = longestOf(waiting)
  const links = waiting.flatMap(({ link }) => (link === undefined ? [] : [link]))
  if (waiting.some(({ method }) => method === "stop")) {
    await call.sendAway(identityOf(request).repeatDigest, questionMs)
    return toWords(request, stopWords, errorCodes.not_answered.jsonRpc)
  }
  if (waiting.some(({ method }) => method === "round")) {
    if (call.round < request.surface.settings.rounds) return answerRound(request, call, waiting)
    // The client would refuse another input_required result. The question stays open, and the next call finds its
    // answer.
    await call.sendAway(identityOf(request).repeatDigest, questionMs)
    return answerText(request, { links, isAgain: true })
  }
  const isAgain = call.wasSentAway && !waiting.some(({ isRenewed }) => isRenewed === true)
  await call.sendAway(identityOf(request).repeatDigest, questionMs)
  const entries = waiting.flatMap(({ method, link }) =>
    method === "error" && link !== undefined ? [toEntry(link)] : [],
  )
  if (entries.length === 0) return answerText(request, { links, isAgain })
  throw new UrlElicitationRequiredError(entries, "This call needs the user to visit a page first.")
}

/** Answers a call whose questions are still open: the client is asked to call again, and no new prompt is shown. */
export function answerStill(run: McpRun, open: readonly Elicitation[]): Promise<CallResponse> {
  const { settings } = run.request.surface
  const waiting = open.map((elicitation): McpWaiting => {
    const { id, mode, expiresAt, createdAt } = elicitation
    const link = linkOf(elicitation, settings)
    const lifetimeMs = expiresAt - createdAt
    const waits = { key: id, method: "round", mode, elicitation: id, lifetimeMs, isNew: false } as const
    return link === undefined ? waits : { ...waits, link }
  })
  return answerWaiting(run, waiting)
}

async function answerRound(request: McpRequest, call: OpenCall, waiting: readonly McpWaiting[]): Promise<CallResponse> {
  const { surface, connection, incoming } = request
  const questionMs = longestOf(waiting)
  // Empty when a form is among the questions: only the client knows the answer to a form that it shows.
  const links = waiting.every(({ mode }) => mode === "url") ? waiting.map(({ elicitation }) => elicitation) : []
  const isShown = waiting.some(({ prompt }) => prompt !== undefined)
  const round = await call.advance(questionMs, { isShown, links, isTiedToProcess: !connection.outlivesProcess })
  const expiresAt = surface.runtime.now() + questionMs + stateGraceMs
  const facts = factsOf(connection, incoming, identityOf(request).principal)
  const requestState = sealState(surface.tokens, { ...facts, call: call.id, round, expiresAt })
  // A program that waits at the same hub joins the question there instead of asking another one.
  const metaOf = (id: string, until: McpWaiting["until"]) =>
    connection.parent === undefined ? {} : { _meta: { [elicitationIdKey]: id, [elicitationUntilKey]: until } }
  // Leaves out questions that are sent as a text with a link: the client gets that text after the other questions.
  const prompts = waiting.flatMap(({ key, method, prompt, elicitation, until }) =>
    prompt === undefined || method !== "round"
      ? []
      : [
          [
            key,
            {
              method: "elicitation/create",
              params: { ...toElicitParams(prompt, "2026-07-28", elicitation), ...metaOf(elicitation, until) },
            },
          ] as const,
        ],
  )
  return inputRequired({
    ...(prompts.length === 0 ? {} : { inputRequests: Object.fromEntries(prompts) as never }),
    requestState,
  })
}

/**
 * How much longer than its questions a request state is valid: a person on a page gets more time, and a last-minute
 * answer still counts.
 */
const stateGraceMs = 30 * 60_000

const longestOf = (waiting: readonly McpWaiting[]): number => Math.max(...waiting.map(({ lifetimeMs }) => lifetimeMs))

const toEntry = ({ elicitation, message, url }: Link): UrlEntry => ({
  mode: "url",
  elicitationId: elicitation,
  url,
  message,
})

interface LinkText {
  readonly links: readonly Link[]
  /** Whether the client received these links before. */
  readonly isAgain: boolean
}

function answerText(request: McpRequest, { links, isAgain }: LinkText): CallToolResult {
  return toWords(request, linkWords(links, isAgain), errorCodes.not_answered.jsonRpc)
}

/** The result for a refusal that the author did not catch, or for another error with its own message. */
export function toFailure(request: McpRequest, error: HoldpointError): CallToolResult {
  if (error.code !== "not_answered") request.surface.report(`running ${request.incoming.name}`, error)
  return toWords(request, error.message, errorCodes[error.code].jsonRpc)
}

/**
 * The result of a call that has begun nothing before the storage failed, or that this process leaves to another. Until
 * it is left, the same call, made again, would be a new one.
 */
export async function toStoreFailure(request: McpRequest, { code }: HoldpointError): Promise<CallToolResult> {
  const isLeft = (await request.incoming.call?.isLeft()) ?? true
  return isLeft
    ? toWords(request, storeWords, errorCodes[code].jsonRpc)
    : toWords(request, unstoredWords, errorCodes.effect_unknown.jsonRpc)
}

function toWords({ incoming }: McpRequest, text: string, code: number): CallToolResult {
  if (incoming.method === "tools/call") return { isError: true, content: [{ type: "text", text }] }
  throw new ProtocolError(code, text)
}
