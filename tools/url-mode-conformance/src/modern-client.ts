// A client of 2026-07-28: each request carries the client's capabilities, and answers travel with the retry.

import type { CallState, Question } from "./call-state.ts"
import { toCallState } from "./call-state.ts"
import type { Answers, CallOptions, Client, ToolCall } from "./dialogue.ts"
import { answerTo, headersOf, paramsOf, withTimeout } from "./dialogue.ts"
import type { Head } from "./exchange.ts"
import { exchange } from "./exchange.ts"
import type { Json } from "./json.ts"
import { dig } from "./json.ts"
import type { UrlModeTool } from "./target.ts"

const revision = "2026-07-28"
const metaPrefix = "io.modelcontextprotocol/"

export interface Request {
  readonly method: string
  readonly params: Json
  readonly capabilities: Json
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply extends Head {
  /** The JSON-RPC response; empty when the HTTP response has none. */
  readonly message: Json
}

export interface PendingRequest {
  readonly reply: Promise<Reply>
  abort(): void
}

let lastId = 0

export function sendModern(client: Client, { method, params, capabilities, headers = {} }: Request): PendingRequest {
  const abort = new AbortController()
  const id = ++lastId
  const send = async (): Promise<Reply> => {
    let reply: Reply | undefined
    const name = params.name ?? params.uri
    const head = await exchange({
      fetch: client.target.fetch,
      url: client.target.url,
      signal: abort.signal,
      headers: {
        "mcp-protocol-version": revision,
        "mcp-method": method,
        ...(typeof name === "string" ? { "mcp-name": name } : {}),
        ...headersOf(client),
        ...headers,
      },
      body: { jsonrpc: "2.0", id, method, params: { ...params, _meta: metaOf(capabilities) } },
      onMessage(message, responseHead) {
        client.log.push({ revision, capabilities, requestMethod: method, ...responseHead, message })
        if (reply === undefined && message.method === undefined) reply = { ...responseHead, message }
      },
    })
    await head.ended
    if (reply === undefined) client.log.push({ revision, capabilities, requestMethod: method, ...head })
    return reply ?? { status: head.status, headers: head.headers, message: {} }
  }
  const reply = send()
  reply.catch(() => undefined)
  return { reply, abort: () => abort.abort() }
}

function metaOf(capabilities: Json): Json {
  return {
    [`${metaPrefix}protocolVersion`]: revision,
    [`${metaPrefix}clientInfo`]: { name: "url-mode-checks", version: "1" },
    [`${metaPrefix}clientCapabilities`]: capabilities,
  }
}

export async function callModern(client: Client, tool: UrlModeTool, options: CallOptions): Promise<ToolCall> {
  const { capabilities } = options
  const questions: Question[] = []
  const originalParams = { ...paramsOf(tool), ...options.params }
  let callState: CallState = { kind: "held" }
  let state: Json = {}
  let pendingRequest: PendingRequest | undefined

  const awaitState = async (limitMs: number): Promise<CallState> => {
    const reply = pendingRequest === undefined ? undefined : await withTimeout(pendingRequest.reply, limitMs)
    if (reply === undefined) {
      callState = { kind: "held" }
      return callState
    }
    pendingRequest = undefined
    callState = toCallState(reply.message, reply.status)
    const requestState = dig(reply.message, "result", "requestState")
    state = requestState === undefined ? {} : { requestState }
    if (callState.kind === "asked") questions.push(...callState.questions)
    return callState
  }
  const send = (changes: Json, limitMs: number): Promise<CallState> => {
    pendingRequest?.abort()
    pendingRequest = sendModern(client, {
      method: "tools/call",
      params: { ...originalParams, ...changes },
      capabilities,
    })
    return awaitState(limitMs)
  }

  await send({}, options.limitMs)
  return {
    get callState() {
      return callState
    },
    questions,
    isCompletionReported: () => false,
    answer: (answers, limitMs = options.limitMs) => send({ ...responsesTo(callState, answers), ...state }, limitMs),
    continueCall: (limitMs = options.limitMs) =>
      pendingRequest === undefined ? send(state, limitMs) : awaitState(limitMs),
    async close() {
      pendingRequest?.abort()
      // Also declines accepted questions, because no check will finish them.
      const lastAsked: CallState = { kind: "asked", channel: "result", questions: questions.slice(-1), raw: {} }
      const isOpen = callState.kind === "asked" || callState.kind === "waiting"
      if (isOpen)
        await send({ ...responsesTo(lastAsked, { action: "decline" }), ...state }, client.target.quietMs ?? 1_500)
      pendingRequest?.abort()
    },
  }
}

/** The `inputResponses` that answer all questions of this state. */
export function responsesTo(callState: CallState, answers: Answers): Json {
  const questions = callState.kind === "asked" ? callState.questions : []
  return {
    inputResponses: Object.fromEntries(questions.map((question) => [question.key, answerTo(answers, question)])),
  }
}
