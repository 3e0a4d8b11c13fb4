// The HTTP+JSON binding of A2A (specification §11): finds the route, calls the request handler, and writes results and
// errors as ProtoJSON. The request handler checks the rights.

import { formatSSEErrorEvent, formatSSEEvent, StreamResponse } from "@a2a-js/sdk"
import { A2AError, ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors"
import type { ServerCallContext } from "@a2a-js/sdk/server"
import type { Json } from "@holdpoint/agents/internal"
import { parseObject } from "@holdpoint/agents/internal"
import { Hono } from "hono"
import type { A2aBinding, A2aCall } from "../binding.ts"
import { assertDepth } from "../depth.ts"
import { StoreUnavailableError, TooManyStreamsError } from "../errors.ts"
import { assertVersion } from "../version.ts"
import { errorBody, methodNotAllowed, refusal, statusOf } from "./refusal.ts"
import { type RestRoute, routes } from "./routes.ts"

export interface RestBindingParts {
  /** Receives errors that the client did not cause. */
  readonly report: (activity: string, error: unknown) => void
}

const version = "1.0"
const mediaType = "application/a2a+json"
const readTypes: readonly string[] = [mediaType, "application/json"]

export function createRestBinding(parts: RestBindingParts): A2aBinding {
  const app = createApp(parts)
  return {
    interfaces: [{ protocolBinding: "HTTP+JSON", protocolVersion: version }],
    async fetch(call) {
      const { request, path } = call
      if (path === "" || path.startsWith("/.well-known/")) return undefined
      const address = toAddress(path)
      if (address === undefined) return refusal(404, noRoute(request.method, path))
      const isHead = request.method === "HEAD"
      const response = await app.fetch(new Request(address, { method: isHead ? "GET" : request.method }), { call })
      if (!isHead) return response
      await response.body?.cancel()
      return new Response(null, response)
    },
  }
}

interface Env {
  readonly Bindings: { readonly call: A2aCall }
}

/** Routes without a tenant take precedence: `/tasks/tasks` is the task “tasks”. */
function createApp(parts: RestBindingParts): Hono<Env> {
  const app = new Hono<Env>()
  for (const prefix of ["", "/:tenant"])
    for (const path of new Set(routes.map((route) => route.path))) {
      const ofPath = routes.filter((route) => route.path === path)
      for (const route of ofPath)
        app.on(route.method, `${prefix}${path}`, async ({ req, env: { call } }, next) => {
          if ("stream" in route && call.request.method === "HEAD") return next()
          return answer(call, { parts, route, params: req.param() }).catch((error: unknown) => refuse(parts, error))
        })
      const allowed = ofPath.map(({ method }) => method)
      app.all(`${prefix}${path}`, ({ env: { call } }) => methodNotAllowed(call.request.method, allowed))
    }
  app.notFound(({ env: { call } }) => refusal(404, noRoute(call.request.method, call.path)))
  return app
}

/** The path as Hono reads it: each part encoded, except the colon of a verb. Undefined when its encoding is invalid. */
function toAddress(path: string): string | undefined {
  try {
    const parts = path.split("/").map((part) => encodeURIComponent(decodeURIComponent(part)).replaceAll("%3A", ":"))
    return `http://a2a${parts.join("/")}`
  } catch {
    return undefined
  }
}

const noRoute = (method: string, path: string): string =>
  `There is no A2A operation at ${method} ${path}. The operations of HTTP+JSON are message:send, message:stream, ` +
  "tasks, tasks/{id}, tasks/{id}:cancel, tasks/{id}:subscribe, tasks/{id}/pushNotificationConfigs and extendedAgentCard."

interface FoundRoute {
  readonly parts: RestBindingParts
  readonly route: RestRoute
  /** The ids in the path. An id before a verb still has the verb. */
  readonly params: Readonly<Record<string, string>>
}

async function answer(call: A2aCall, { parts, route, params }: FoundRoute): Promise<Response> {
  assertVersion(call.version, version)
  const body = await readBody(call)
  if (body === undefined) return refusal(413, "The body of this request is too large for this server.")
  const context = call.context()
  const ids = { ...params, task: params.task?.slice(0, route.verb === undefined ? undefined : -route.verb.length) }
  if (params.tenant !== undefined) context.setTenant(params.tenant)
  const { searchParams: query } = new URL(call.request.url)
  const tenant = params.tenant ?? query.get("tenant") ?? ""
  const restRequest = { ids, body, query, tenant, context, handler: call.handler }
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
