// The JSON-RPC binding of A2A 0.3. The SDK translates requests and responses to the handler of 1.0. A request without a
// version counts as 0.3 (specification §3.6.2). HTTP+JSON of 0.3 is not offered: the SDK supports it only for Express.

import { Extensions, formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk"
import { LEGACY_HTTP_EXTENSION_HEADER } from "@a2a-js/sdk/compat/v0_3"
import { LegacyA2AError, LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server"
import { A2AError, ContentTypeNotSupportedError } from "@a2a-js/sdk/errors"
import type { ServerCallContext } from "@a2a-js/sdk/server"
import { parseObject } from "@holdpoint/agents/internal"
import { isTooDeep } from "@holdpoint/hub/internal"
import type { A2aBinding, A2aCall } from "../binding.ts"
import { tooDeepWords } from "../depth.ts"
import { rpcStatusOf } from "../errors.ts"
import { absentVersion } from "../version.ts"
import { asksForLegacy } from "./card.ts"

export interface LegacyRpcParts {
  /** Receives errors that the client did not cause. */
  readonly report: (activity: string, error: unknown) => void
}

export function createLegacyRpcBinding(parts: LegacyRpcParts): A2aBinding {
  return {
    interfaces: [{ protocolBinding: "JSONRPC", protocolVersion: absentVersion }],
    async fetch(call) {
      const { request, path, version } = call
      const isLegacy = (version?.trim() ?? "") === "" || asksForLegacy(version)
      if (path !== "" || request.method !== "POST" || !isLegacy) return undefined
      const text = await call.text()
      if (text === undefined) return rpcError(null, LegacyA2AError.invalidRequest("The request is too large."))
      const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
      if (type !== undefined && type !== "application/json")
        return rpcError(null, new ContentTypeNotSupportedError(`The body must be application/json, not “${type}”.`))
      const body = parseObject(text)
      if (body === undefined) return rpcError(null, LegacyA2AError.parseError("The body must be one JSON object."))
      if (isTooDeep(body)) return rpcError(body.id, LegacyA2AError.invalidParams(tooDeepWords))
      return answer(parts, call, body)
    },
  }
}

/** The SDK's answer to a request: one JSON-RPC response, or a stream of them. */
type RpcAnswer = Awaited<ReturnType<LegacyJsonRpcTransportHandler["handle"]>>

async function answer(parts: LegacyRpcParts, call: A2aCall, body: Record<string, unknown>): Promise<Response> {
  const context = call.context()
  // Clients of 0.3 name the extensions that they request in another header than clients of 1.0.
  const requestedExtensions = call.request.headers.get(LEGACY_HTTP_EXTENSION_HEADER)
  if (requestedExtensions !== null)
    context.setRequestedExtensions(Extensions.parseServiceParameter(requestedExtensions))
  const result = await new LegacyJsonRpcTransportHandler(call.handler).handle(body, context)
  if (!isStream(result)) return Response.json(result, { headers: headersOf(context) })
  const first = await settled(result.next())
  if ("error" in first) return refuse(parts, body.id, first.error)
  const { value } = first
  async function* eventTexts(): AsyncGenerator<string> {
    try {
      if (value.done !== true) yield formatSSEEvent(value.value)
      for await (const event of result as AsyncGenerator<unknown>) yield formatSSEEvent(event)
    } catch (error) {
      yield formatSSEErrorEvent(toEnvelope(body.id, toSafeError(parts, error)))
    } finally {
      await (result as AsyncGenerator<unknown>).return(undefined)
    }
  }
  return call.stream(eventTexts(), headersOf(context))
}

const isStream = (rpcAnswer: RpcAnswer): rpcAnswer is Extract<RpcAnswer, AsyncGenerator> =>
  Symbol.asyncIterator in rpcAnswer

async function settled<T>(promise: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await promise }
  } catch (error) {
    return { error }
  }
}

const refuse = (parts: LegacyRpcParts, id: unknown, error: unknown): Response => rpcError(id, toSafeError(parts, error))

const rpcError = (id: unknown, error: unknown): Response => Response.json(toEnvelope(id, error), rpcStatusOf(error))

const toEnvelope = (id: unknown, error: unknown) => ({
  ...{ jsonrpc: "2.0", id: typeof id === "string" || typeof id === "number" ? id : null },
  error: LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error),
})

/** Reports an unexpected error to the log, and replaces it by an error without details. */
function toSafeError({ report }: LegacyRpcParts, error: unknown): unknown {
  if (error instanceof A2AError) return error
  report("answering a request of A2A 0.3", error)
  return LegacyA2AError.internalError("The server failed to handle this request. Try again.")
}

function headersOf({ activatedExtensions = [] }: ServerCallContext): Readonly<Record<string, string>> {
  return activatedExtensions.length === 0 ? {} : { [LEGACY_HTTP_EXTENSION_HEADER]: activatedExtensions.join(", ") }
}
