// The faulty servers' side of 2026-07-28: the first call, and the retries with requestState.

import type { Json, Question } from "./behaviour.ts"
import type { QuestionStore } from "./question-store.ts"

export interface ModernRequest {
  readonly id: unknown
  readonly method: string
  readonly params: Json
  readonly owner: string
  readonly capabilities: unknown
  readonly earlier: unknown
}

export interface Answer {
  readonly status: number
  readonly message: Json
}

const era = "2026-07-28"
export const tools = [
  { name: "connect", inputSchema: { type: "object", properties: { account: { type: "string" } } } },
  { name: "greet", inputSchema: { type: "object", properties: {} } },
]

export async function answerModern(store: QuestionStore, request: ModernRequest): Promise<Answer> {
  const { id, method, params } = request
  const complete = (result: Json): Answer => ({
    status: 200,
    message: { jsonrpc: "2.0", id, result: { resultType: "complete", ...result } },
  })
  if (method === "server/discover") return complete({ supportedVersions: [era], capabilities: { tools: {} } })
  if (method === "tools/list") return complete({ tools })
  if (method !== "tools/call") return { status: 404, message: errorOf(id, -32601, "There is no such method.") }
  const call = JSON.stringify([params.name, params.arguments])
  const mode = params.name === "connect" ? "url" : "form"
  const question =
    params.requestState === undefined
      ? store.ask(request.owner, call)
      : store.open(params.requestState, request.owner, call)
  if (question === undefined) return { status: 200, message: errorOf(id, -32602, "Invalid or expired requestState") }
  if (params.requestState === undefined) return first(store, request, question, mode)
  const response = responseTo(params, mode)
  return mode === "url" ? retryUrl(store, id, question, response) : retryForm(store, id, question, response)
}

function first(
  store: QuestionStore,
  { id, capabilities, earlier }: ModernRequest,
  question: Question,
  mode: "url" | "form",
): Answer {
  if (!store.behaviour.canAsk(mode, capabilities, era, earlier)) {
    const data = { requiredCapabilities: { elicitation: { [mode]: {} } } }
    return { status: 400, message: { ...errorOf(id, -32021, "This needs elicitation.", data) } }
  }
  return { status: 200, message: asking(store, id, question, mode) }
}

async function retryUrl(
  store: QuestionStore,
  id: unknown,
  question: Question,
  response: Json | undefined,
): Promise<Answer> {
  const { behaviour } = store
  const again = (): Answer => ({ status: 200, message: asking(store, id, question, "url") })
  if (response === undefined && question.status === "open") return again()
  if (response?.action === "decline" || response?.action === "cancel") {
    if (!behaviour.refusalEnds) return again()
    store.change(question, "refused")
    return { status: 200, message: failed(id, "It was declined.") }
  }
  if (question.status === "refused") return { status: 200, message: failed(id, "It was declined.") }
  if (question.status === "open") question.status = "accepted"
  if (behaviour.asksAgain(question) && question.status !== "done") return again()
  if (!behaviour.isFinished(question)) await store.untilSettled(question, behaviour.holdMs)
  if (behaviour.isFinished(question)) return { status: 200, message: succeeded(id, behaviour.finalText(question)) }
  const result = { resultType: "input_required", requestState: store.seal(question) }
  return { status: 200, message: { jsonrpc: "2.0", id, result } }
}

function retryForm(store: QuestionStore, id: unknown, question: Question, response: Json | undefined): Answer {
  const { behaviour } = store
  const again = (): Answer => ({ status: 200, message: asking(store, id, question, "form") })
  if (response === undefined) return again()
  if (response.action !== "accept") {
    if (!behaviour.refusalEnds) return again()
    return { status: 200, message: failed(id, "It was declined.") }
  }
  const { name } = (response.content ?? {}) as Json
  if (behaviour.checksContent && typeof name !== "string") return again()
  return { status: 200, message: succeeded(id, behaviour.greeting(String(name))) }
}

function asking(store: QuestionStore, id: unknown, question: Question, mode: "url" | "form"): Json {
  const params = paramsOf(store, question, mode, era)
  const entry = { method: "elicitation/create", params }
  const result = { resultType: "input_required", inputRequests: { [mode]: entry }, requestState: store.seal(question) }
  return { jsonrpc: "2.0", id, result }
}

export function paramsOf(
  store: QuestionStore,
  question: Question,
  mode: "url" | "form",
  era: Parameters<QuestionStore["behaviour"]["urlParams"]>[1],
): Json {
  const { behaviour } = store
  if (mode === "form") {
    const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
    const withMode = era === "2025-06-18" ? {} : { mode }
    return behaviour.formParams({ ...withMode, message: "What is your name?", requestedSchema }, era)
  }
  const id = era === "2025-11-25" ? { elicitationId: question.id } : {}
  return behaviour.urlParams({ mode, message: "Connect your account.", url: behaviour.link(question), ...id }, era)
}

function responseTo({ inputResponses }: Json, mode: string): Json | undefined {
  return (inputResponses as Readonly<Record<string, Json>> | undefined)?.[mode]
}

const succeeded = (id: unknown, text: string): Json => ({
  jsonrpc: "2.0",
  id,
  result: { resultType: "complete", content: [{ type: "text", text }] },
})
const failed = (id: unknown, text: string): Json => ({
  jsonrpc: "2.0",
  id,
  result: { resultType: "complete", content: [{ type: "text", text }], isError: true },
})

export const errorOf = (id: unknown, code: number, message: string, data?: Json): Json => ({
  jsonrpc: "2.0",
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
})
