// The HTTP endpoint: checks host and origin, authenticates the caller, and dispatches by protocol revision. Each
// request gets its own server.

import { errorCodes, isObject, isStoreFailure } from "@holdpoint/hub/internal"
import type { RequestId } from "@modelcontextprotocol/server"
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server"
import { withAccessTools } from "./access.ts"
import type { AuthenticatedCaller } from "./authenticate.ts"
import { authenticate, scopeRefusalOf, toResponse } from "./authenticate.ts"
import { readBody, toBody } from "./body.ts"
import type { Client } from "./client.ts"
import { isRequestId, memberOf } from "./client.ts"
import { claimCall, readIncoming } from "./incoming.ts"
import { LateResponse } from "./late-response.ts"
import { createLegacy } from "./legacy.ts"
import { createOriginCheck } from "./origin-check.ts"
import type { McpOptions, McpRequestInfo } from "./settings.ts"
import { defaultBodyBytes } from "./settings.ts"
import type { Connection, Incoming, Surface } from "./surface.ts"
import { connections, modernClient, noteProtocol, withReportedErrors } from "./surface.ts"
import { invalidState, toError, tooDeep } from "./wire.ts"
import { storeWords } from "./words.ts"

export interface McpHttp {
  fetch(request: Request, requestInfo?: McpRequestInfo): Promise<Response>
  close(): Promise<void>
}

export function createHttp(surface: Surface, options: McpOptions): McpHttp {
  const { callers, maxBodyBytes = defaultBodyBytes } = options
  const originCheck = createOriginCheck(options)
  const legacy = createLegacy(surface, options)
  const modern = createModern(surface, options)

  const post = async (request: Request, arrival: AuthenticatedCaller, parsedBody: unknown): Promise<Response> => {
    if (!isJsonContentType(request.headers.get("content-type")))
      return toResponse(415, toError(null, -32_000, "Unsupported Media Type: Content-Type must be application/json"))
    const body = parsedBody === undefined ? await readBody(request, maxBodyBytes) : toBody(parsedBody)
    if (!body.ok) return bodyRefusals[body.reason](maxBodyBytes)
    const scopeRefusal = scopeRefusalOf(options, arrival, body.value)
    if (scopeRefusal !== undefined) return scopeRefusal
    const isLegacy = !claimsEnvelope(body.value) && (await isLegacyRequest(request, body.value))
    return isLegacy ? legacy.post(request, body.value, arrival) : modern.post(request, body.value, arrival)
  }

  const serve = async (request: Request, requestInfo: McpRequestInfo): Promise<Response> => {
    const arrival = await authenticate(callers, request, requestInfo)
    if (arrival instanceof Response) return arrival
    if (request.method === "POST") return post(request, arrival, requestInfo.parsedBody)
    return legacy.respond(request, arrival)
  }

  return {
    async fetch(request, requestInfo = {}) {
      const refusal = originCheck.refuse(request)
      if (refusal !== undefined) return refusal
      const metadata = typeof callers === "object" && "metadata" in callers ? callers.metadata(request) : undefined
      if (metadata !== undefined) return metadata
      if (request.method === "OPTIONS") return originCheck.preflight(request)
      try {
        return originCheck.admit(request, await serve(request, requestInfo))
      } catch (error) {
        surface.report(`answering ${request.method}`, error)
        if (isStoreFailure(error)) return toResponse(503, toError(null, errorCodes[error.code].jsonRpc, storeWords))
        return toResponse(500, toError(null, -32_603, "Internal server error"))
      }
    },
    async close() {
      await legacy.close()
      await modern.close()
    },
  }
}

/** Whether the body has the envelope of 2026-07-28: then the request cannot be of an older revision. */
function claimsEnvelope(body: unknown): boolean {
  const method = memberOf(body, "method")
  const meta = memberOf(memberOf(body, "params"), "_meta")
  return (
    typeof method === "string" && method !== "initialize" && memberOf(meta, PROTOCOL_VERSION_META_KEY) !== undefined
  )
}

/** The same errors that the SDK's own handler returns. */
const bodyRefusals = {
  too_large: (most: number) =>
    toResponse(
      413,
      toError(null, -32_000, `Request body too large: a message holds at most ${most} bytes. Send it in parts.`),
    ),
  too_deep: () => toResponse(400, tooDeep(null)),
  not_json: () => toResponse(400, toError(null, -32_700, "Parse error: the request body is not valid JSON")),
  unreadable: () => toResponse(400, toError(null, -32_700, "Parse error: the request body could not be read")),
}

function createModern(surface: Surface, options: McpOptions) {
  const factory = withReportedErrors(surface, withAccessTools(surface, options))
  const onerror = (error: Error): void => noteProtocol(surface, error)
  const bus = options.bus === undefined ? {} : { bus: options.bus }
  const handler = createMcpHandler(factory, { legacy: "reject", onerror, ...bus })
  const ownState = new Set(options.ownState)

  const post = async (request: Request, body: unknown, arrival: AuthenticatedCaller): Promise<Response> => {
    const params = memberOf(body, "params")
    const id = memberOf(body, "id")
    const requestState = memberOf(params, "requestState")
    const requests = new Map<RequestId, Incoming>()
    const lateResponse = new LateResponse({ surface, incoming: requests })
    const connection = new RequestConnection(surface, {
      caller: arrival.caller,
      params,
      lateResponse,
      incoming: requests,
    })
    let incoming = readIncoming(body)
    const usesOurState = incoming !== undefined && !ownState.has(incoming.name)
    if (incoming !== undefined && usesOurState && requestState !== undefined) {
      incoming = await claimCall(connection, incoming, requestState)
      if (incoming === undefined) return toResponse(200, invalidState(id))
    }
    if (incoming !== undefined && isRequestId(id)) connection.incoming.set(id, incoming)
    const { authInfo } = arrival
    const auth = authInfo === undefined ? {} : { authInfo }
    // The handler's request does not contain the client's signal, because `AbortSignal.any` takes much memory in each
    // held call.
    request.signal.addEventListener("abort", lateResponse, { once: true })
    if (request.signal.aborted) lateResponse.handleEvent()
    const { url, method, headers } = request
    const handlerRequest = new Request(url, { method, headers, signal: lateResponse.disconnected.signal })
    const pendingResponse = connections.run(connection, () =>
      handler.fetch(handlerRequest, { parsedBody: body, ...auth }),
    )
    if (incoming === undefined) return pendingResponse
    const response = await lateResponse.respond(pendingResponse)
    // The SDK refused the request before the handler ran, so the call is released and its request state stays valid.
    if (!response.ok) await incoming.claimed?.release()
    return response
  }

  return {
    post,
    async close() {
      await handler.close()
    },
  }
}

interface ModernRequest extends Pick<Connection, "caller" | "incoming"> {
  readonly params: unknown
  readonly lateResponse: LateResponse
}

/** The connection of one request of 2026-07-28. */
class RequestConnection implements Connection {
  readonly surface: Surface
  readonly caller: Connection["caller"]
  readonly outlivesProcess = true
  readonly via = "mcp"
  readonly incoming: Connection["incoming"]
  readonly #lateResponse: LateResponse
  readonly #meta: Readonly<Record<string, unknown>>

  constructor(surface: Surface, { caller, params, lateResponse, incoming }: ModernRequest) {
    const meta = memberOf(params, "_meta")
    this.surface = surface
    this.caller = caller
    this.incoming = incoming
    this.#lateResponse = lateResponse
    this.#meta = isObject(meta) ? meta : {}
  }

  client(): Client {
    return modernClient(this.#meta, this.surface.settings.clients)
  }

  onHeld(): void {
    this.#lateResponse.begin()
  }
}
