// The JSON-RPC binding of A2A 1.0: one address, POST only. The SDK reads the requests and writes the responses.

import { A2A_ERROR_CODE, JsonRpcRequestMalformedError } from "@a2a-js/sdk/errors"
import { JsonRpcTransportHandler, type ServerCallContext } from "@a2a-js/sdk/server"
import { isObject, type Json, parseObject, problem } from "@holdpoint/agents/internal"
import { toServerSentEvent } from "@holdpoint/hub/stream"
import type { A2aBinding, A2aCall } from "./binding.ts"
import { assertDepth } from "./depth.ts"
import { rpcStatusOf } from "./errors.ts"
import { assertVersion } from "./version.ts"

const protocolVersion = "1.0"

export const jsonRpcBinding: A2aBinding = {
  interfaces: [{ protocolBinding: "JSONRPC", protocolVersion }],
  async fetch(call) {
    const { request, path } = call
    if (path !== "") return undefined
    if (request.method !== "POST") {
      const response = problem({ status: 405, code: "wrong_method", detail: "JSON-RPC requests must use POST." })
      response.headers.set("allow", "POST")
      return response
    }
    if (!isJson(request)) {
      const detail = "A JSON-RPC request must have the content type application/json."
      return problem({ status: 415, code: "wrong_content_type", detail })
    }
    const text = await call.text()
    if (text === undefined) return problem({ status: 413, code: "too_large", detail: "The body is too large." })
    return respond(call, text)
  },
}

async function respond(call: A2aCall, text: string): Promise<Response> {
  const context = call.context()
  const body = parseObject(text)
  const id = idOf(body)
  try {
    assertVersion(call.version, protocolVersion)
    assertRequest(text, body)
    assertDepth(body)
    const answer = await new JsonRpcTransportHandler(call.handler).handle({ ...body }, context)
    if (!(Symbol.asyncIterator in answer)) return Response.json(answer, { headers: extensionHeaders(context) })
    // Awaited before the stream begins, so that an early refusal becomes a normal response without a stream.
    const first = await answer.next()
    return call.stream(toEvents(first, answer, id), extensionHeaders(context))
  } catch (error) {
    const { status, headers } = rpcStatusOf(error)
    return Response.json(toError(id, error), { status, headers: { ...headers, ...extensionHeaders(context) } })
  }
}

/** Checks the request here, because the SDK answers an invalid JSON-RPC request with the code of invalid parameters. */
function assertRequest(text: string, body: Json | undefined): asserts body is Json {
  if (body?.jsonrpc === "2.0" && typeof body.method === "string") return
  const isJson = body !== undefined || /^\s*\[/.test(text)
  throw new JsonRpcRequestMalformedError({
    message: isJson ? "The body must be one JSON-RPC 2.0 request." : "The body must be a JSON object.",
    envelopeCode: isJson ? A2A_ERROR_CODE.INVALID_REQUEST : A2A_ERROR_CODE.PARSE_ERROR,
  })
}

type Answers = Extract<Awaited<ReturnType<JsonRpcTransportHandler["handle"]>>, AsyncGenerator>

async function* toEvents(
  first: Awaited<ReturnType<Answers["next"]>>,
  answers: Answers,
  id: string | number | null,
): AsyncGenerator<string> {
  try {
    if (first.done !== true) yield toEvent(first.value)
    for await (const answer of answers) yield toEvent(answer)
  } catch (error) {
    yield toServerSentEvent({ event: "error", data: JSON.stringify(toError(id, error)) })
  } finally {
    await answers.return()
  }
}

const toEvent = (value: unknown): string => toServerSentEvent({ data: JSON.stringify(value) })

const toError = (id: string | number | null, error: unknown) => ({
  ...{ jsonrpc: "2.0", id, error: JsonRpcTransportHandler.mapToJSONRPCError(error) },
})

const idOf = (body: unknown): string | number | null =>
  isObject(body) && (typeof body.id === "string" || typeof body.id === "number") ? body.id : null

export const isJson = ({ headers }: Request): boolean =>
  /^application\/(?:json|a2a\+json)\s*(?:;|$)/i.test(headers.get("content-type") ?? "")

/** The response header with the activated extensions. */
export const extensionHeaders = ({ activatedExtensions = [] }: ServerCallContext): Record<string, string> =>
  activatedExtensions.length === 0 ? {} : { "a2a-extensions": activatedExtensions.join(", ") }
