// The HTTP+JSON binding of A2A (specification §11): finds the route, calls the request handler, and writes results and
// errors as ProtoJSON. The request handler checks the rights.

import { formatSSEErrorEvent, formatSSEEvent, StreamResponse } from "@a2a-js/sdk"
import { A2AError, ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors"
import type { ServerCallContext } from "@a2a-js/sdk/server"
import { type Json, parseObject } from "@holdpoint/agents/internal"
import type { A2aBinding, A2aCall } from "../binding.ts"
import { assertDepth } from "../depth.ts"
import { StoreUnavailableError, TooManyStreamsError } from "../errors.ts"
import { assertVersion } from "../version.ts"
import { type MatchedRoute, matchRoute } from "./match.ts"
import { errorBody, methodNotAllowed, refusal, statusOf } from "./refusal.ts"
import { routes } from "./routes.ts"

export interface RestBindingParts {
  /** Receives errors that the client did not cause. */
  readonly report: (activity: string, error: unknown) => void
}

const version = "1.0"
const mediaType = "application/a2a+json"
const readTypes: readonly string[] = [mediaType, "application/json"]

export function createRestBinding(parts: RestBindingParts): A2aBinding {
  return {
    interfaces: [{ protocolBinding: "HTTP+JSON", protocolVersion: version }],
    async fetch(call) {
      const { request, path } = call
      if (path === "" || path.startsWith("/.well-known/")) return undefined
      const match = matchRoute(routes, path)
      if (match === undefined) return refusal(404, noRoute(request.method, path))
      const route = match.byMethod.get(request.method === "HEAD" ? "GET" : request.method)
      if (route === undefined || (request.method === "HEAD" && "stream" in route))
        return methodNotAllowed(request.method, [...match.byMethod.keys()])
      try {
        const response = await answer(call, { parts, matched: match, route })
        if (request.method !== "HEAD") return response
        await response.body?.cancel()
        return new Response(null, response)
      } catch (error) {
        return refuse(parts, error)
      }
    },
  }
}

const noRoute = (method: string, path: string): string =>
  `There is no A2A operation at ${method} ${path}. The operations of HTTP+JSON are message:send, message:stream, ` +
  "tasks, tasks/{id}, tasks/{id}:cancel, tasks/{id}:subscribe, tasks/{id}/pushNotificationConfigs and extendedAgentCard."

interface FoundRoute {
  readonly parts: RestBindingParts
  readonly matched: MatchedRoute<(typeof routes)[number]>
  readonly route: (typeof routes)[number]
}

async function answer(call: A2aCall, { parts, matched, route }: FoundRoute): Promise<Response> {
  assertVersion(call.version, version)
  const body = await readBody(call)
  if (body === undefined) return refusal(413, "The body of this request is too large for this server.")
  const context = call.context()
  if (matched.tenant !== undefined) context.setTenant(matched.tenant)
  const { searchParams: query } = new URL(call.request.url)
  const tenant = matched.tenant ?? query.get("tenant") ?? ""
  const restRequest = { ids: matched.ids, body, query, tenant, context, handler: call.handler }
  if ("stream" in route) return streamResponse(call, { parts, context, events: route.stream(restRequest) })
  const result = await route.answer(restRequest)
  const headers = { ...extensionsOf(context), "cache-control": "no-store" }
  if (result === undefined) return new Response(null, { status: 204, headers })
  return new Response(JSON.stringify(result), {
    status: route.status ?? 200,
    headers: { ...headers, "content-type": mediaType },
  })
}

interface StreamedEvents {
  readonly parts: RestBindingParts
  readonly context: ServerCallContext
  readonly events: AsyncGenerator<StreamResponse, void, undefined>
}

/**
 * Streams events. An error before the first event becomes a response with its status; a later error becomes an event.
 */
async function streamResponse(call: A2aCall, { parts, context, events }: StreamedEvents): Promise<Response> {
  const first = await events.next()
  async function* eventTexts(): AsyncGenerator<string> {
    try {
      if (first.done !== true) yield formatSSEEvent(StreamResponse.toJSON(first.value))
      for await (const event of events) yield formatSSEEvent(StreamResponse.toJSON(event))
    } catch (error) {
      reportOwn(parts, error)
      yield formatSSEErrorEvent(errorBody(error))
    } finally {
      await events.return()
    }
  }
  return call.stream(eventTexts(), extensionsOf(context))
}

/** The JSON of the body: an empty object when there is none. Undefined when it is too large. */
async function readBody({ request, text }: A2aCall): Promise<Json | undefined> {
  if (request.method !== "POST") return {}
  const read = await text()
  if (read === undefined) return undefined
  const contentType = request.headers.get("content-type")
  const type = contentType?.split(";")[0]?.trim().toLowerCase()
  if (contentType !== null && type !== undefined && !readTypes.includes(type))
    throw new ContentTypeNotSupportedError(`The body must be ${readTypes.join(" or ")}, not “${type}”.`)
  // Some clients write the absence of a body as the JSON text null.
  if (read.trim() === "" || read.trim() === "null") return {}
  const body = parseObject(read)
  if (body === undefined) throw new RequestMalformedError("The body must be a JSON object.")
  assertDepth(body)
  return body
}

function extensionsOf({ activatedExtensions = [] }: ServerCallContext): Readonly<Record<string, string>> {
  return activatedExtensions.length === 0 ? {} : { "a2a-extensions": activatedExtensions.join(", ") }
}

function refuse(parts: RestBindingParts, error: unknown): Response {
  reportOwn(parts, error)
  const isCrowded = error instanceof TooManyStreamsError
  return Response.json(errorBody(error), {
    status: error instanceof StoreUnavailableError ? 503 : isCrowded ? 429 : statusOf(error),
    headers: { "content-type": mediaType, "cache-control": "no-store", ...(isCrowded ? { "retry-after": "60" } : {}) },
  })
}

function reportOwn({ report }: RestBindingParts, error: unknown): void {
  if (!(error instanceof A2AError)) report("answering a request of A2A over HTTP+JSON", error)
}
