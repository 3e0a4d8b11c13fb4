// Authentication and access: Basic, Bearer and sessions as Nextcloud accepts them, and the different refusals of its
// parts.

import type { Area, Call, Refusal, Reply, User } from "./area.ts"
import { errorPage } from "./pages.ts"
import { csrfFailed, davError, json, jsonType, notLoggedIn, ocsFailure, ocsPath, unknownRoute } from "./replies.ts"
import type { AppToken, BrowserSession, World } from "./world.ts"

export type Identity = Pick<Call, "user" | "by" | "token" | "refused">

const anonymous: Identity = { user: undefined, by: undefined, token: undefined, refused: undefined }

/** Whether Basic credentials on this path belong to an OAuth client and not to an account. */
const isClientEndpoint = (path: string): boolean => /^\/apps\/(oauth2\/api|oidc)\//.test(path)

/** Identifies the caller of this path. */
export function identify(world: World, path: string, headers: Headers, session: BrowserSession): Identity {
  const bearer = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1]
  if (bearer !== undefined) return byToken(world, world.find(bearer))
  const basic = isClientEndpoint(path) ? undefined : basicOf(headers)
  if (basic !== undefined) return byPassword(world, basic)
  const user = world.users.get(session.user ?? "")
  if (user === undefined || world.switches.disabled.has(user.id)) return anonymous
  return { ...anonymous, user, by: "session" }
}

/** Identifies the owner of a token. Tokens are never throttled. */
function byToken(world: World, token: AppToken | undefined): Identity {
  const user = token && world.users.get(token.user)
  if (user === undefined || world.switches.disabled.has(user.id)) return { ...anonymous, refused: "unknown" }
  return { user, by: "bearer", token, refused: undefined }
}

function byPassword(world: World, { name, secret }: { readonly name: string; readonly secret: string }): Identity {
  const login = world.logIn(name, secret)
  if (typeof login === "string") return { ...anonymous, refused: login }
  return { user: login.user, by: "basic", token: login.token, refused: undefined }
}

export function basicOf(headers: Headers): { readonly name: string; readonly secret: string } | undefined {
  const encodedCredentials = /^Basic (.+)$/i.exec(headers.get("authorization") ?? "")?.[1]
  const [, name, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encodedCredentials ?? "", "base64").toString()) ?? []
  return name === undefined || secret === undefined || secret === "" ? undefined : { name, secret }
}

/** Answers instead of the areas when the caller may not use them. */
export const guard: Area = (call) => {
  if (call.path.startsWith("/remote.php/")) return guardDav(call)
  const pathInOcs = ocsPath(call)
  if (pathInOcs !== undefined) return guardOcs(call, pathInOcs)
  const app = /^\/apps\/(?<app>[\w-]+)\//.exec(`${call.path}/`)?.groups?.app
  return app === undefined ? undefined : guardApp(call, app)
}

function guardOcs(call: Call, path: string): Reply | undefined {
  const { user, by, refused, world, headers } = call
  const isPublic = path === "/cloud/capabilities" && refused === undefined
  if (refused === "throttled") return ocsFailure(call, 429, "Reached maximum delay")
  if (refused === "wrong" || refused === "disabled") {
    const challenge = { "www-authenticate": 'Basic realm="Authorisation Required"' }
    return ocsFailure(call, 401, "Unauthorised", { code: 997, headers: challenge })
  }
  if (user === undefined)
    return isPublic ? undefined : ocsFailure(call, 401, "Current user is not logged in", { code: 997 })
  if (by !== "bearer" && !hasOcsHeader(headers)) return withUser(csrfFailed(), user)
  const app = /^\/apps\/(?<app>[\w-]+)\//.exec(path)?.groups?.app
  return app === undefined || world.isInstalled(app) ? undefined : withUser(unknownRoute(call), user)
}

/** The message of a WebDAV 401, in which each authentication method states why it failed. */
function unauthenticated(headers: Headers, refusal: Refusal | undefined): string {
  const absent = (scheme: string, server: string): string =>
    `No 'Authorization: ${scheme}' header found. Either the client didn't send one, or the server is ${server}`
  return [
    "No public access to this resource.",
    "This request is not for a federated calendar",
    refusal === "unknown" ? "Bearer token was incorrect" : absent("Bearer", "mis-configured"),
    basicOf(headers) === undefined ? absent("Basic", "misconfigured") : "Username or password was incorrect",
  ].join(", ")
}

function guardDav({ user, refused, headers, path }: Call): Reply | undefined {
  if (user !== undefined || !/^\/remote\.php\/(dav|webdav|caldav|carddav)(\/|$)/.test(path)) return undefined
  if (refused === "throttled") {
    const hint = '  <o:hint xmlns:o="o:">too many requests</o:hint>\n'
    const spaces = ' xmlns:o="http://owncloud.org/ns"'
    return davError(429, "OCA\\DAV\\Connector\\Sabre\\Exception\\TooManyRequests", "", { xml: hint, spaces })
  }
  if (refused === "disabled") {
    const message = "OC\\User\\DisabledUserException: Account disabled"
    return davError(503, "Sabre\\DAV\\Exception\\ServiceUnavailable", message)
  }
  const byScript = headers.get("x-requested-with") === "XMLHttpRequest"
  const challenge = byScript ? 'DummyBasic realm="Nextcloud"' : 'Basic realm="Nextcloud", charset="UTF-8"'
  const message = byScript ? "Cannot authenticate over ajax calls" : unauthenticated(headers, refused)
  const replyOptions = { headers: { "www-authenticate": challenge } }
  return davError(401, "Sabre\\DAV\\Exception\\NotAuthenticated", message, replyOptions)
}

/** Apps whose APIs pages of other servers may call: Bearer needs a header that such a page cannot send. */
const crossOrigin: ReadonlySet<string> = new Set(["notes", "deck", "tables", "cookbook", "news"])

const refusals: Readonly<Record<Exclude<Refusal, "unknown">, readonly [status: number, message: string]>> = {
  wrong: [401, ""],
  disabled: [401, "Account disabled"],
  throttled: [429, "Reached maximum delay"],
}

function guardApp({ user, by, refused, world, headers, method, path }: Call, app: string): Reply | undefined {
  if (!world.isInstalled(app)) return withUser(errorPage(404), user)
  if (refused !== undefined && refused !== "unknown") {
    const [status, message] = refusals[refused]
    return { status, headers: jsonType, body: JSON.stringify({ message }) }
  }
  if (!crossOrigin.has(app) || !path.includes("/api/") || method === "OPTIONS") return undefined
  const cors = json(401, { message: "CORS requires basic auth" })
  if (user !== undefined) return by === "bearer" && !hasOcsHeader(headers) ? cors : undefined
  if (app === "cookbook") return errorPage(500)
  return app === "deck" ? notLoggedIn() : cors
}

/** Whether the request has the header that a page of another server cannot set. */
const hasOcsHeader = (headers: Headers): boolean => headers.has("ocs-apirequest")

export const withUser = (reply: Reply, user: User | undefined): Reply =>
  user === undefined ? reply : { ...reply, headers: { ...reply.headers, "x-user-id": user.id } }
