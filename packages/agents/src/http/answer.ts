// Accepts answers to the questions of a conversation, from the person whose conversation it is. Repeating an answer
// changes nothing and succeeds.

import { callOfParent } from "@holdpoint/calls"
import type { Elicitation, Reason, StepResult } from "@holdpoint/hub"
import { isSamePerson, isSettled } from "@holdpoint/hub"
import { errorCodes } from "@holdpoint/hub/internal"
import { toStreamEvent } from "@holdpoint/hub/stream"
import { isObject, type Json } from "../json.ts"
import { allowsSomething, approveInBrowser } from "../local-approval.ts"
import type { Conversation, Run } from "../records.ts"
import { readJson, readName } from "./body.ts"
import type { RunCaller } from "./callers.ts"
import type { ApiParts, Route } from "./parts.ts"
import { problem, refusalProblem } from "./problem.ts"

export interface PersonAnswer {
  readonly elicitationId: string
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: unknown
  /** Why the person declined, in their words. */
  readonly reason?: string
}

/** POST /run/api/elicitation-responses */
export const postAnswer: Route = async (parts, { request, caller }) => {
  const body = await readJson(request)
  if (body instanceof Response) return body
  const name = readName(body.conversationId, caller)
  if (name instanceof Response) return name
  const answer = readAnswer(body)
  if (answer === undefined) return problem({ status: 400, code: "invalid_answer", detail: answerShape })
  return (await giveAnswer(parts, caller, { name, answer })).response
}

const answerShape =
  'An answer is { "elicitationId": …, "action": "accept", "decline" or "cancel", "content": {…} for a form }.'

export function readAnswer(value: unknown): PersonAnswer | undefined {
  if (!isObject(value)) return undefined
  const { elicitationId, action, content, reason } = value as Json
  if (typeof elicitationId !== "string") return undefined
  if (action !== "accept" && action !== "decline" && action !== "cancel") return undefined
  const reasonMember = typeof reason === "string" && reason.trim() !== "" ? { reason: reason.slice(0, 1_000) } : {}
  return { elicitationId, action, ...(content === undefined ? {} : { content }), ...reasonMember }
}

export interface AnswerResult {
  readonly response: Response
  /** Whether the answer changed the question, so that the run that asked it is woken. */
  readonly isChanged: boolean
}

/** Answers a question of one of the caller's own conversations. */
export async function giveAnswer(
  parts: ApiParts,
  { principal, isPerson, mayApprove }: RunCaller,
  { name, answer }: { readonly name: string; readonly answer: PersonAnswer },
): Promise<AnswerResult> {
  const { conversations, hub } = parts
  if (!isPerson) return { response: noPerson(), isChanged: false }
  const conversation = await conversations.find(principal, name)
  const elicitation = conversation === undefined ? undefined : await hub.get(answer.elicitationId)
  if (
    conversation === undefined ||
    elicitation === undefined ||
    !(await isAnnouncedIn(parts, conversation, elicitation.id))
  )
    return { response: noSuchQuestion(name), isChanged: false }
  if (!mayApprove && elicitation.mode === "form" && allowsSomething(elicitation.requestedSchema, answer))
    return { response: notFromPrograms(parts, elicitation.id), isChanged: false }
  const { action, content, reason } = answer
  // The same codes as on every other surface where people answer.
  const code = action === "cancel" ? "person_cancelled" : "person_declined"
  const declined: { readonly reason?: Reason } = reason === undefined ? {} : { reason: { code, message: reason } }
  const result = await hub.answer(elicitation.id, {
    ...{ by: principal, action, via: "run api", ...declined },
    ...(content === undefined ? {} : { content }),
  })
  return { response: toResponse(elicitation, answer, result), isChanged: result.ok && result.changed }
}

const noPerson = (): Response => {
  const detail =
    "An API key identifies a program, but only people can answer questions. Get a token for the person first."
  return problem({ status: 403, code: "no_person", detail })
}

const notFromPrograms = ({ inbox }: ApiParts, id: string): Response =>
  problem({ status: 403, code: "only_in_the_browser", detail: approveInBrowser(`${inbox}/${id}`) })

const noSuchQuestion = (name: string): Response =>
  problem({ status: 404, code: "not_found", detail: `The conversation “${name}” has no such question.` })

function toResponse(
  { id, mode, detail }: Elicitation,
  { action, content }: PersonAnswer,
  result: StepResult,
): Response {
  if (result.ok) return Response.json({ elicitationId: id, status: result.elicitation.status, changed: result.changed })
  const { code, status, ended } = result.refusal
  const currentStatus = ended?.status ?? status
  // A question that is shown as the link to its page: agreeing to open it changes nothing.
  if (detail !== undefined && action === "accept" && code === "detail_unseen" && content === undefined)
    return Response.json({ elicitationId: id, status: currentStatus ?? "pending", changed: false })
  // Accepting a link again succeeds and changes nothing: only the page of the link can complete the question.
  if (mode === "url" && action === "accept" && (code === "already_accepted" || currentStatus === "completed"))
    return Response.json({ elicitationId: id, status: currentStatus ?? "accepted", changed: false })
  return refusalProblem(result.refusal, errorCodes[code].http)
}

/** Whether a run of the conversation announced this question. */
async function isAnnouncedIn(
  { conversations, logs }: ApiParts,
  conversation: Conversation,
  id: string,
): Promise<boolean> {
  const isAnnounced = async (run: Run): Promise<boolean> =>
    (await logs.read(run, 0)).some(({ chunk }) => chunk.type === "data-elicitation" && chunk.id === id)
  for (const run of (await conversations.runs(conversation)).toReversed()) if (await isAnnounced(run)) return true
  return false
}

/** GET /run/api/elicitations: the caller's open questions: in their browser all of them, for a program those it may see. */
export const listQuestions: Route = async (parts, { caller }) => {
  const { tenant, issuer, subject } = caller.principal
  // Omits the caller's roles, because questions to a role, which others may answer too, are not asked in conversations.
  const questions = await openQuestionsOf(parts, { ...caller, principal: { tenant, issuer, subject } })
  return Response.json({ elicitations: questions.map((one) => toStreamEvent(one)) })
}

/** The open questions that the caller may see. */
export async function openQuestionsOf(parts: ApiParts, caller: RunCaller): Promise<readonly Elicitation[]> {
  const open = await everyOpenQuestion(parts, caller)
  const isShown = await Promise.all(open.map((one) => isShownTo(parts, caller, one)))
  return open.filter(({ status }, index) => isShown[index] === true && !isSettled(status))
}

async function everyOpenQuestion({ hub }: ApiParts, { principal }: RunCaller): Promise<readonly Elicitation[]> {
  const query = { tenant: principal.tenant, principal, state: "open", limit: pageSize } as const
  const open: Elicitation[] = []
  for (;;) {
    const after = open.at(-1)
    const page = await hub.list(after === undefined ? query : { ...query, after })
    open.push(...page)
    if (page.length < pageSize) return open
  }
}

const pageSize = 1_000

/**
 * Whether the caller may see a question that is addressed to them. A program with a token in the person's name sees only
 * the questions in the person's conversations, not those that other programs ask.
 */
export const isShownTo = async (
  parts: ApiParts,
  caller: RunCaller,
  question: Pick<Elicitation, "parent">,
): Promise<boolean> => caller.seesInbox || isAskedIn(parts, caller, question)

/** Whether a run of the caller asks the question. With a token for one conversation, a run of that conversation. */
async function isAskedIn(
  { conversations }: ApiParts,
  { principal, conversation: name }: RunCaller,
  { parent }: Pick<Elicitation, "parent">,
): Promise<boolean> {
  const id = callOfParent(parent)
  const run = id === undefined ? undefined : await conversations.get(id)
  if (run === undefined || !isSamePerson(run.person, principal)) return false
  return name === undefined || (await conversations.find(principal, name))?.id === run.conversation
}
