// From a request to its response: switches first, then authentication, then the areas in their order.

import type { Area, Call, Reply } from "./area.ts"
import { guard, identify } from "./auth.ts"
import { errorPage } from "./pages.ts"
import { davError, ocsFailure } from "./replies.ts"
import { toNotFoundPage } from "./status.ts"
import { type BrowserSession, random, type World } from "./world.ts"

export interface IncomingRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly target: string
  readonly origin: string
  readonly headers: Headers
  readonly read: () => Promise<Uint8Array>
}

export type Answer = (incoming: IncomingRequest) => Promise<Reply | "hang" | "reset">

export interface AnswerParts {
  readonly world: World
  readonly path: string
  readonly pretty: boolean
  readonly trusted: readonly string[]
  readonly areas: readonly Area[]
  readonly requests: string[]
}

export function createAnswer(setting: AnswerParts): Answer {
  const { world, path, pretty, areas, requests } = setting
  return async (incoming) => {
    const { method, target, headers } = incoming
    const [sentPath = "/", search = ""] = splitOnce(target, "?")
    requests.push(`${method} ${sentPath}`)
    const interceptedReply = world.switches.intercept?.(method, sentPath)
    // The body is read even if it is not used, so that the connection can be reused.
    const body = interceptedReply === "hang" || interceptedReply === "reset" ? new Uint8Array() : await incoming.read()
    if (interceptedReply !== undefined) return interceptedReply
    if (!isTrusted(new URL(incoming.origin).hostname, setting.trusted)) return errorPage(400)
    const serverPath = sentPath.startsWith(`${path}/`) ? sentPath.slice(path.length) : ""
    const routePath = serverPath.replace(/^\/index\.php(?=\/)/, "")
    if (serverPath === "" || (!pretty && routePath === serverPath && !worksWithoutRewriting(serverPath)))
      return errorPage(404)
    const { id, session, isNew } = sessionOf(world, headers)
    const url = world.switches.address ?? `${incoming.origin}${path}`
    const call: Call = {
      method,
      path: routePath,
      query: new URLSearchParams(search),
      headers,
      body,
      ...identify(world, routePath, headers, session),
      session,
      world,
      url,
      pages: pretty ? url : `${url}/index.php`,
    }
    const reply = await route(call, areas)
    return finish(reply, call, { id, isNew })
  }
}

async function route(call: Call, areas: readonly Area[]): Promise<Reply> {
  if (call.world.switches.maintenance && call.path !== "/status.php") return maintenance(call)
  const refusal = await guard(call)
  if (refusal !== undefined) return refusal
  for (const area of areas) {
    const reply = await area(call)
    if (reply !== undefined) return withUserId(reply, call)
  }
  return withUserId(toNotFoundPage(call), call)
}

function withUserId(reply: Reply, { path, session, user }: Call): Reply {
  const id = user?.id ?? session.user
  if (id === undefined || isAnonymous(reply) || /^\/(remote|status)\.php/.test(path)) return reply
  return { ...reply, headers: { "x-user-id": id, ...reply.headers } }
}

/** Whether the response has no user id, as recorded for missing methods and crashes. */
const isAnonymous = ({ status, headers }: Reply): boolean =>
  status === 405 || (status === 500 && (headers?.["content-type"]?.startsWith("text/html") ?? false))

function maintenance(call: Call): Reply {
  if (call.path.startsWith("/remote.php/"))
    return davError(503, "OCA\\DAV\\Exception\\ServerMaintenanceMode", "System is in maintenance mode.")
  const maintenanceHeader = { "x-nextcloud-maintenance-mode": "1" }
  if (call.path.startsWith("/ocs/")) return ocsFailure(call, 503, "Service unavailable", { headers: maintenanceHeader })
  const reply = errorPage(503)
  return { ...reply, headers: { ...reply.headers, ...maintenanceHeader, "retry-after": "120" } }
}

/** Paths that work without rewriting: PHP files, and paths that web servers pass on. */
const worksWithoutRewriting = (path: string): boolean => /^\/(\w+\.php(\/|$)|ocs\/|\.well-known\/)/.test(path)

/** Loopback names and IP addresses are trusted; other names only if they are configured. */
function isTrusted(hostname: string, trusted: readonly string[]): boolean {
  return hostname === "localhost" || /^[\d.]+$|^\[/.test(hostname) || trusted.includes(hostname)
}

interface RequestSession {
  readonly id: string
  readonly session: BrowserSession
  readonly isNew: boolean
}

function sessionOf(world: World, headers: Headers): RequestSession {
  const id = /nc_session=(\w+)/.exec(headers.get("cookie") ?? "")?.[1] ?? ""
  const session = world.sessions.get(id)
  if (session !== undefined) return { id, session, isNew: false }
  return { id: random(32), session: { requestToken: `${random(43)}=:${random(43)}=` }, isNew: true }
}

/** Programs get no session cookie, as they would get a new one for every call. */
function finish(reply: Reply, call: Call, { id, isNew }: Pick<RequestSession, "id" | "isNew">): Reply {
  if (/^\/(ocs|remote\.php|status\.php)/.test(call.path) || call.headers.has("authorization")) return reply
  if (isNew) call.world.sessions.set(id, call.session)
  return { ...reply, headers: { ...reply.headers, "set-cookie": `nc_session=${id}; path=/; httponly; samesite=lax` } }
}

function splitOnce(text: string, mark: string): readonly string[] {
  const index = text.indexOf(mark)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + mark.length)]
}
