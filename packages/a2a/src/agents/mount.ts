// Mounts A2A: the public agent cards, and the address of each agent. Callers are authenticated before a binding gets
// the request.

import { createHash } from "node:crypto"
import type { AgentCard } from "@a2a-js/sdk"
import { type A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server"
import type { AgentsConfig } from "@holdpoint/agents"
import type { Origins, StreamPlaces } from "@holdpoint/agents/internal"
import {
  type AccessRight,
  createAccessRight,
  defaultAgent,
  failureProblem,
  problem,
  readText,
} from "@holdpoint/agents/internal"
import type { Principal, Runtime } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import type { createEventStreams } from "@holdpoint/server/http"
import { Hono } from "hono"
import type { A2aBinding, A2aCall } from "./binding.ts"
import { type A2aCallers, a2aPath } from "./callers.ts"
import { cardPath, cardText } from "./card.ts"
import { asksForLegacy, legacyCardText } from "./legacy/card.ts"
import type { A2aVisit } from "./parts.ts"
import { withPlace } from "./stream-places.ts"

export interface A2aMountParts {
  readonly config: AgentsConfig
  readonly callers: A2aCallers
  readonly origins: Origins
  readonly streams: ReturnType<typeof createEventStreams>
  readonly places: StreamPlaces
  /** The bindings, in the order in which they are tried. */
  readonly bindings: readonly A2aBinding[]
  readonly cardOf: (agent: string) => Promise<AgentCard>
  readonly handlerOf: (visit: A2aVisit) => A2ARequestHandler
  readonly runtime: Pick<Runtime, "after" | "now">
  readonly report: (activity: string, error: unknown) => void
}

export function createA2aMount(parts: A2aMountParts): Mount {
  const { config, callers, origins, report } = parts
  const { resource } = callers
  const metadataPath = resource === undefined ? undefined : new URL(resource.metadataUrl).pathname
  const isAgent = (name: string): boolean => Object.hasOwn(config.agents, name)
  const app = new Hono()
  app.get(cardPath, (context) => {
    const agent = defaultAgent(config)
    return agent === undefined ? noDefault(config) : card(parts, agent, context.req.raw)
  })
  app.get(`${a2aPath}/:agent${cardPath}`, (context) => {
    const agent = context.req.param("agent")
    return isAgent(agent) ? card(parts, agent, context.req.raw) : noAgent(agent, config)
  })
  app.all(`${a2aPath}/:agent/*`, async (context) => {
    const request = context.req.raw
    const agent = context.req.param("agent")
    if (!isAgent(agent)) return noAgent(agent, config)
    const caller = await callers.authenticate(request)
    if (caller instanceof Response) return caller
    return serve(parts, request, { agent, ...caller })
  })
  app.notFound(({ req }) =>
    problem({ status: 404, code: "not_found", detail: `There is nothing at ${req.method} ${req.path}.` }),
  )
  app.onError((error) => {
    report("answering a request over A2A", error)
    return failureProblem(error)
  })
  return {
    handles: (path) => path === cardPath || path.startsWith(`${a2aPath}/`) || path === metadataPath,
    async fetch(request) {
      // Public metadata, which any page reads before it has a token (RFC 9728).
      const metadata = resource?.metadata(request)
      if (metadata !== undefined) return metadata
      return origins.guard(request, () => app.fetch(request))
    },
    async close() {
      parts.streams.close()
    },
  }
}

async function serve(
  { bindings, handlerOf, streams, places, callers, runtime }: A2aMountParts,
  request: Request,
  { agent, person, mayApprove }: Omit<A2aVisit, "signal">,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  const leave = new AbortController()
  const signal = AbortSignal.any([leave.signal, request.signal])
  const version = versionOf(request)
  const { handler, place } = withPlace(handlerOf({ agent, person, mayApprove, signal }), places, { person })
  let text: Promise<string | undefined> | undefined
  const call: A2aCall = {
    request,
    version,
    handler,
    path: pathname.slice(`${a2aPath}/${agent}`.length).replace(/^\/$/, ""),
    text: () => (text ??= readText(request)),
    context: () => toContext(request, version, person),
    stream(events, headers = {}) {
      const isAllowed = async (): Promise<boolean> => !((await callers.authenticate(request)) instanceof Response)
      const accessRight = createAccessRight(runtime, isAllowed, () => leave.abort())
      return streams.respond(whileAllowed(accessRight, events), { leave, headers, place })
    },
  }
  for (const binding of bindings) {
    const response = await binding.fetch(call)
    if (response === undefined) continue
    // The body of a response to HEAD is never read, so its stream would never be closed.
    if (request.method === "HEAD") await response.body?.cancel()
    return response
  }
  return problem({ status: 404, code: "not_found", detail: `There is nothing at ${request.method} ${pathname}.` })
}

/** Ends a stream when its token expires or is revoked, because a stream may stay open while a person answers. */
async function* whileAllowed(accessRight: AccessRight, events: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for await (const event of events) {
      if (!(await accessRight.isValid())) return
      yield event
    }
  } finally {
    accessRight.close()
  }
}

/**
 * The requested version, from the header, or from the query for clients that cannot set headers (specification §3.6.1).
 */
const versionOf = ({ headers, url }: Request): string | undefined =>
  headers.get("a2a-version") ?? new URL(url).searchParams.get("A2A-Version") ?? undefined

/** The context for the handler. Omits the headers of the request, so that no code below sees the token. */
function toContext(request: Request, version: string | undefined, { tenant, issuer, subject }: Principal) {
  const extensionHeader = request.headers.get("a2a-extensions") ?? ""
  const requestedExtensions = extensionHeader.split(",").flatMap((uri) => (uri.trim() === "" ? [] : [uri.trim()]))
  const userName = JSON.stringify([tenant, issuer, subject])
  return new ServerCallContext({
    ...{ requestedExtensions, user: { isAuthenticated: true, userName } },
    ...(version === undefined || version === "" ? {} : { requestedVersion: version }),
  })
}

async function card({ cardOf }: A2aMountParts, agent: string, request: Request): Promise<Response> {
  const agentCard = await cardOf(agent)
  const body = asksForLegacy(versionOf(request)) ? await legacyCardText(agentCard) : cardText(agentCard)
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`
  const headers = { etag, "cache-control": "public, max-age=60", vary: "origin, a2a-version" }
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, "content-type": "application/json" } })
}

const namesOf = ({ agents }: AgentsConfig): string => Object.keys(agents).join(", ")

const noAgent = (agent: string, config: AgentsConfig): Response =>
  problem({
    ...{ status: 404, code: "unknown_agent" },
    detail: `There is no agent “${agent}” here: there are ${namesOf(config)}.`,
  })

const noDefault = (config: AgentsConfig): Response => {
  const detail = `There are several agents, and none of them is the default: ${namesOf(config)}. Their cards are at ${a2aPath}/{agent}${cardPath}.`
  return problem({ status: 404, code: "unknown_agent", detail })
}
