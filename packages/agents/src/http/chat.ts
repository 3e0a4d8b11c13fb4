// POST /run/api/chat: a person's message begins a run, and the response is its stream in the format of the AI SDK. The
// same path accepts answers and approvals, which continue the run that asked. A client that reads the stream of events
// gets 202 instead of the stream.

import { parentOfCall } from "@holdpoint/calls"
import { toServerSentEvent, toStreamEvent } from "@holdpoint/hub/stream"
import { recordRun } from "../begin-run.ts"
import { hasEnded } from "../conversations.ts"
import { isObject, type Json } from "../json.ts"
import type { Run } from "../records.ts"
import type { Chunk } from "../run-log.ts"
import { giveAnswer, type PersonAnswer, readAnswer } from "./answer.ts"
import { type ReadMessage, readJson, readMessage, readName } from "./body.ts"
import type { RunCaller } from "./callers.ts"
import type { ApiParts, Route } from "./parts.ts"
import { canShowQuestions } from "./parts.ts"
import { problem } from "./problem.ts"
import { brokenOffChunks, type RunReading, type RunStep, readRun } from "./reader.ts"
import { findContinuedRun } from "./reply.ts"
import type { StreamPlace } from "./stream-owner.ts"
import { wholeReply } from "./whole-reply.ts"

export const postChat: Route = async (parts, visit) => {
  const { request, caller, place } = visit
  const body = await readJson(request)
  if (body instanceof Response) return body
  const name = readName(body.id ?? body.conversationId, caller)
  if (name instanceof Response) return name
  const lastMessage = Array.isArray(body.messages) ? body.messages.at(-1) : body.message
  const answers = answersIn(lastMessage)
  const chat: ChatRequest = {
    ...{ caller, place, name, isHeld: canShowQuestions(request), signal: request.signal },
    isWhole: body.stream === false || new URL(request.url).searchParams.get("stream") === "false",
    isElsewhere: /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(request.headers.get("prefer") ?? ""),
  }
  if (answers.length > 0) return continueWithAnswers(parts, chat, answers)
  if (body.continue !== undefined) return continueRun(parts, chat, String(body.continue))
  if (body.trigger === "regenerate-message") return regenerate(parts, chat, body)
  const message = await readMessage(isObject(lastMessage) && lastMessage.role !== "user" ? undefined : lastMessage)
  if (message instanceof Response) return message
  const agent = agentOf(parts, body)
  if (agent instanceof Response) return agent
  return begin(parts, chat, { agent, message })
}

/** A request in one of the caller's conversations. */
export interface ConversationRequest {
  readonly caller: RunCaller
  /** The place of the response if it is a stream. */
  readonly place: StreamPlace
  /** The id of the conversation. */
  readonly name: string
  /** Whether the client can show questions, and keeps the stream open while people think. */
  readonly isHeld: boolean
  readonly signal: AbortSignal
}

interface ChatRequest extends ConversationRequest {
  /** Whether the response is one body, sent when the run ends or waits. */
  readonly isWhole: boolean
  /** Whether the client reads the reply in the stream of events, so this response only confirms it (RFC 7240 §4.1). */
  readonly isElsewhere: boolean
}

/** Responds with the rest of a reply that waited for answers. */
async function continueRun(parts: ApiParts, chat: ChatRequest, handle: string): Promise<Response> {
  const continued = await findContinuedRun(parts, chat, handle)
  return continued instanceof Response ? continued : respond(parts, chat, { ...continued, isContinued: true })
}

function respond(parts: ApiParts, chat: ChatRequest, reply: StreamedRun): Response | Promise<Response> {
  if (chat.isElsewhere) return toAcceptedResponse(chat, reply.run)
  return chat.isWhole ? wholeReply(parts, chat, reply) : streamRun(parts, chat, reply)
}

const toAcceptedResponse = ({ name: conversationId }: ConversationRequest, { message: messageId }: Run): Response =>
  Response.json({ conversationId, messageId }, { status: 202, headers: { "preference-applied": "respond-async" } })

export function agentOf({ config }: ApiParts, { agent }: Json): string | Response {
  const names = Object.keys(config.agents)
  const requestedAgent = agent ?? config.default ?? (names.length === 1 ? names[0] : undefined)
  if (typeof requestedAgent === "string" && Object.hasOwn(config.agents, requestedAgent)) return requestedAgent
  const problemText = requestedAgent === undefined ? "Choose an agent" : `There is no agent “${String(requestedAgent)}”`
  return problem({ status: 404, code: "unknown_agent", detail: `${problemText}. Available: ${names.join(", ")}.` })
}

interface NewRun {
  readonly agent: string
  readonly message: ReadMessage
  /** The id of the run that the new one replaces. It is marked as replaced only once the new run is stored. */
  readonly replaced?: string
}

async function begin(parts: ApiParts, chat: ChatRequest, newRun: NewRun): Promise<Response> {
  const run = await beginRun(parts, chat, newRun)
  return run instanceof Response ? run : respond(parts, chat, { run, after: 0 })
}

/** Begins a run with the person's message. Returns a response that refuses it if no run can begin. */
export async function beginRun(parts: ApiParts, chat: ConversationRequest, newRun: NewRun): Promise<Run | Response> {
  const { principal, isPerson } = chat.caller
  const release = isPerson ? parts.runs.reserve(principal) : () => {}
  return release === undefined ? tooManyRuns() : beginReserved(parts, chat, newRun).finally(release)
}

function tooManyRuns(): Response {
  const detail = "You have too many replies in progress. Wait until one ends, or stop one."
  const response = problem({ status: 429, code: "too_many_runs", detail })
  response.headers.set("retry-after", "5")
  return response
}

async function beginReserved(
  parts: ApiParts,
  chat: ConversationRequest,
  { agent, message, replaced }: NewRun,
): Promise<Run | Response> {
  const { caller, name, isHeld } = chat
  const { conversations } = parts
  const input = { person: caller.principal, isPerson: caller.isPerson, canAsk: isHeld, isInChat: isHeld }
  // The run waits for it, because the prompt of the run omits a replaced one.
  const beside = async (): Promise<void> => {
    if (replaced !== undefined) await conversations.change(replaced, (run) => ({ ...run, isReplaced: true }))
  }
  const record = await recordRun(parts, { person: caller.principal, name, agent, ...message }, { input, beside })
  return "run" in record ? record.run : toUnderWayProblem(parts, name, record.underWay)
}

/** The refusal of a second message while the reply to the first is under way. The message is not stored. */
async function toUnderWayProblem({ hub }: ApiParts, name: string, run: Run | undefined): Promise<Response> {
  const parent = run === undefined ? undefined : parentOfCall(run.id)
  const open =
    run === undefined || parent === undefined
      ? []
      : await hub.list({ tenant: run.tenant, parent, state: "open", limit: 50 })
  const detail =
    open.length === 0
      ? "The reply to the last message is still in progress. Wait until it ends, or stop it."
      : "The reply to the last message waits for an answer. Answer the question, or stop the reply."
  const elicitations = open.map((one) => toStreamEvent(one))
  return problem({ status: 409, code: "run_under_way", detail, conversationId: name, elicitations })
}

/** Begins another reply to the person's last message. What tools did in the replaced reply is not undone. */
async function regenerate(parts: ApiParts, chat: ChatRequest, body: Json): Promise<Response> {
  const { conversations } = parts
  const conversation = await conversations.find(chat.caller.principal, chat.name)
  const last = conversation === undefined ? undefined : await conversations.last(conversation)
  if (last === undefined)
    return problem({
      status: 404,
      code: "not_found",
      detail: `The conversation “${chat.name}” has no reply to repeat.`,
    })
  if (!hasEnded(last)) return toUnderWayProblem(parts, chat.name, last)
  const message = await readMessage(conversations.message(last))
  if (message instanceof Response) return message
  const agent = agentOf(parts, { agent: body.agent ?? last.agent })
  if (agent instanceof Response) return agent
  return begin(parts, chat, { agent, message, replaced: last.id })
}

/** The answers in a message: from `data-elicitation-response` parts, and from approvals in the AI SDK's format. */
function answersIn(message: unknown): readonly PersonAnswer[] {
  if (!isObject(message) || !Array.isArray(message.parts)) return []
  return message.parts.flatMap((part: unknown) => {
    if (!isObject(part)) return []
    if (part.type === "data-elicitation-response") return readAnswer(part.data) ?? []
    return part.state === "approval-responded" && isObject(part.approval) ? toApproval(part.approval) : []
  })
}

function toApproval({ id, approved, reason }: Json): readonly PersonAnswer[] {
  if (typeof id !== "string" || typeof approved !== "boolean") return []
  if (approved) return [{ elicitationId: id, action: "accept", content: { confirmed: "yes" } }]
  return [{ elicitationId: id, action: "decline", ...(typeof reason === "string" ? { reason } : {}) }]
}

/** Submits the answers, and streams what the run sends from then on. */
async function continueWithAnswers(
  parts: ApiParts,
  chat: ChatRequest,
  answers: readonly PersonAnswer[],
): Promise<Response> {
  const { conversations, logs } = parts
  const { caller, name } = chat
  const conversation = await conversations.find(caller.principal, name)
  const run = conversation === undefined ? undefined : await conversations.last(conversation)
  const after = run === undefined ? 0 : ((await logs.read(run, 0)).at(-1)?.number ?? 0)
  let isWoken = false
  for (const answer of answers) {
    const { response, isChanged } = await giveAnswer(parts, caller, { name, answer })
    isWoken ||= isChanged
    // A 409 is not an error: the AI SDK's client sends all answers of a message again, even those of earlier runs.
    if (!response.ok && response.status !== 409) return response
  }
  if (run === undefined)
    return problem({ status: 404, code: "not_found", detail: `There is no conversation “${name}”.` })
  return respond(parts, chat, { run, after, isContinued: true, ...(isWoken ? { wokenAfter: run.version } : {}) })
}

interface StreamedRun extends Pick<RunReading, "run" | "after" | "wokenAfter"> {
  readonly run: Run
  /** Whether the client already has the beginning of the reply. */
  readonly isContinued?: boolean
}

export function streamRun(
  { streams, readers }: ApiParts,
  chat: Pick<ConversationRequest, "place" | "isHeld" | "signal">,
  streamed: StreamedRun,
): Response {
  const { run, isContinued = false, ...from } = streamed
  const leave = new AbortController()
  const signal = AbortSignal.any([leave.signal, chat.signal])
  async function* events(): AsyncGenerator<string> {
    if (isContinued) yield toEvent({ type: "start", messageId: run.message })
    for await (const step of readRun(readers, { run, ...from, isHeld: chat.isHeld, signal })) {
      if (step.kind === "chunk") yield toEvent(step.chunk, step.number)
      else for (const chunk of lastChunksOf[step.kind]) yield toEvent(chunk)
    }
    if (!signal.aborted) yield toServerSentEvent({ data: "[DONE]" })
  }
  return streams.respond(events(), {
    leave,
    place: chat.place,
    headers: { "x-vercel-ai-ui-message-stream": "v1" },
  })
}

/** The last chunks of a stream that ends before the log does. */
const lastChunksOf: Readonly<Record<Exclude<RunStep["kind"], "chunk">, readonly Chunk[]>> = {
  // The client does not keep the stream open while the run waits: it will continue with another request.
  pause: [{ type: "finish-step" }, { type: "finish" }],
  "broken-off": brokenOffChunks,
}

const toEvent = (chunk: Chunk, number?: number): string =>
  toServerSentEvent({ id: number, data: JSON.stringify(chunk) })
