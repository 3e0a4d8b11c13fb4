// The JSON-RPC binding of A2A 1.0: one address, POST only. The SDK reads the requests and writes the responses.

import { RequestMalformedError } from "@a2a-js/sdk/errors"
import { JsonRpcTransportHandler, type ServerCallContext, validateVersion } from "@a2a-js/sdk/server"
import { isObject, parseObject } from "../http/body.ts"
import { problem } from "../http/problem.ts"
import type { A2aBinding, A2aCall } from "./binding.ts"

const protocolBinding = "JSONRPC"

export const jsonRpcBinding: A2aBinding = {
  interfaces: [{ protocolBinding, protocolVersion: "1.0" }],
  async fetch(call) {
    const { request, path } = call
    if (path !== "") return undefined
    if (request.method !== "POST") {
      const response = problem({ status: 405, code: "wrong_method", detail: "JSON-RPC requests are sent by POST." })
      response.headers.set("allow", "POST")
      return response
    }
    if (!isJson(request)) {
      const detail = "A JSON-RPC request has the content type application/json."
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
    if (body === undefined) throw new RequestMalformedError("The body must be a JSON object.")
    validateVersion(context.requestedVersion, await call.handler.getAgentCard(), protocolBinding)
    const answer = await new JsonRpcTransportHandler(call.handler).handle({ ...body }, context)
    if (!(Symbol.asyncIterator in answer)) return Response.json(answer, { headers: extensionHeaders(context) })
    // What is refused before the first event is refused as without a stream.
    const first = await answer.next()
    return call.stream(toEvents(first, answer, id), extensionHeaders(context))
  } catch (error) {
    return Response.json(toError(id, error), { headers: extensionHeaders(context) })
  }
}

type Answers = Extract<Awaited<ReturnType<JsonRpcTransportHandler["handle"]>>, AsyncGenerator>

async function* toEvents(
  first: Awaited<ReturnType<Answers["next"]>>,
  answers: Answers,
  id: string | number | null,
): AsyncGenerator<string> {
  if (first.done === true) return
  yield toEvent(first.value)
  try {
    for await (const answer of answers) yield toEvent(answer)
  } catch (error) {
    yield `event: error\n${toEvent(toError(id, error))}`
  }
}

const toEvent = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

const toError = (id: string | number | null, error: unknown) => ({
  ...{ jsonrpc: "2.0", id, error: JsonRpcTransportHandler.mapToJSONRPCError(error) },
})

const idOf = (body: unknown): string | number | null =>
  isObject(body) && (typeof body.id === "string" || typeof body.id === "number") ? body.id : null

export const isJson = ({ headers }: Request): boolean =>
  /^application\/(?:json|a2a\+json)\s*(?:;|$)/i.test(headers.get("content-type") ?? "")

/** The extensions that this response uses. */
export const extensionHeaders = ({ activatedExtensions = [] }: ServerCallContext): Record<string, string> =>
  activatedExtensions.length === 0 ? {} : { "a2a-extensions": activatedExtensions.join(", ") }
