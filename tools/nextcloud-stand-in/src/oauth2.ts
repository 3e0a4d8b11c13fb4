// OAuth 2 of Nextcloud's core: no PKCE, no scopes, always the registered redirect URI, rotating refresh tokens, and 400
// invalid_request for expired ones.

import type { Area, Call, Reply } from "./area.ts"
import { basicOf } from "./auth.ts"
import { ifSignedIn, isOwnForm } from "./login.ts"
import { errorPage, grantPage, page, pickerPage } from "./pages.ts"
import { csrfFailed, json, notLoggedIn, redirect } from "./replies.ts"
import { createArea, fieldsOf } from "./routes.ts"
import { type OAuthClient, type OAuthGrant, random, type World } from "./world.ts"

function createClient(call: Call): Reply {
  const { world, headers, user, by } = call
  if (user === undefined) return notLoggedIn()
  if (by !== "bearer" && !headers.has("ocs-apirequest") && !isOwnForm(call)) return csrfFailed()
  if (!user.groups.includes("admin")) return json(403, { message: "Logged in account must be an admin" })
  const fields = fieldsOf(call)
  const redirectUri = fields.get("redirectUri") ?? ""
  if (!URL.canParse(redirectUri)) {
    const message = "Your redirect URL needs to be a full URL for example: https://yourdomain.com/path"
    return json(400, { message })
  }
  return json(200, registerClient(world, fields.get("name") ?? "", redirectUri))
}

export function registerClient(world: World, name: string, redirectUri: string): OAuthClient {
  const id = world.clients.size + 1
  const clientSecret = world.reportSecret("client_secret", random(64))
  const client = { id, name, redirectUri, clientId: random(64), clientSecret }
  world.clients.add(client)
  return client
}

function authorize({ world, query, session, pages }: Call): Reply {
  const client = clientOf(world, query.get("client_id"))
  if (client === undefined) return page(200, "Nextcloud", "<p>Your client is not authorized to connect.</p>")
  const stateParameter = query.get("state") ?? ""
  if (query.get("response_type") !== "code")
    return redirect(`${client.redirectUri}?error=unsupported_response_type&state=${encodeURIComponent(stateParameter)}`)
  session.oauth = { client, state: stateParameter }
  return redirect(`${pages}/login/flow?providedRedirectUri=&clientIdentifier=${client.clientId}`)
}

function showAccountPicker({ session, url }: Call): Reply {
  if (session.oauth === undefined) return errorPage(403)
  const { name, clientId } = session.oauth.client
  session.stateToken = random(64)
  const query = `stateToken=${session.stateToken}&clientIdentifier=${clientId}`
  return pickerPage(name, `${url}/index.php/login/flow/grant?${query}`)
}

function showGrant({ world, session, query, url }: Call): Reply {
  if (session.oauth === undefined || query.get("stateToken") !== session.stateToken) return errorPage(403)
  const { name, clientId } = session.oauth.client
  const hiddenFields = {
    clientIdentifier: clientId,
    stateToken: session.stateToken ?? "",
    requesttoken: session.requestToken,
  }
  const user = world.users.get(session.user ?? "")?.displayName ?? ""
  return grantPage(`${url}/index.php/login/flow`, { user, device: name }, hiddenFields)
}

function grant(call: Call): Reply {
  const { world, session } = call
  if (!isOwnForm(call)) return csrfFailed()
  if (session.oauth === undefined || fieldsOf(call).get("stateToken") !== session.stateToken) return errorPage(403)
  const { client, state: stateParameter } = session.oauth
  delete session.oauth
  return redirect(grantClient(world, { client, user: session.user ?? "", stateParameter }))
}

/** Returns the redirect address with the code. */
export function grantClient(
  world: World,
  {
    client,
    user,
    stateParameter,
  }: { readonly client: OAuthClient; readonly user: string; readonly stateParameter: string },
): string {
  const code = world.reportSecret("code", random(128))
  world.grants.add({ client, token: world.issue(user, client.name, "oauth"), code })
  return `${client.redirectUri}?state=${encodeURIComponent(stateParameter)}&code=${code}`
}

export const clientOf = (world: World, clientId: string | null | undefined): OAuthClient | undefined =>
  [...world.clients].find((client) => client.clientId === clientId)

function token(call: Call): Reply {
  const { world } = call
  const fields = fieldsOf(call)
  const type = fields.get("grant_type")
  const presentedSecret = fields.get(type === "refresh_token" ? "refresh_token" : "code")
  if (type === undefined || presentedSecret === undefined) return errorPage(500)
  if (type !== "authorization_code" && type !== "refresh_token") return denied("invalid_grant")
  const grant = [...world.grants].find(
    (one) => presentedSecret === (type === "refresh_token" ? one.refreshToken : one.code),
  )
  if (grant === undefined || !world.tokens.has(grant.token)) return denied("invalid_request")
  const basic = basicOf(call.headers)
  const id = basic?.name ?? fields.get("client_id")
  const secret = basic?.secret ?? fields.get("client_secret")
  if (grant.client.clientId !== id || grant.client.clientSecret !== secret) return denied("invalid_client")
  return json(200, redeem(world, grant))
}

const denied = (error: string): Reply => json(400, { error }, { "x-nextcloud-bruteforce-throttled": "200ms" })

function redeem(world: World, grant: OAuthGrant) {
  if (grant.code === undefined) world.rotate(grant.token)
  delete grant.code
  grant.refreshToken = world.reportSecret("refresh_token", random(128))
  return {
    access_token: grant.token.secret,
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: grant.refreshToken,
    user_id: grant.token.user,
  }
}

export const oauth2Area: Area = createArea([
  ["POST", "/apps/oauth2/clients", createClient],
  ["GET", "/apps/oauth2/authorize", authorize],
  ["GET", "/login/flow", showAccountPicker],
  ["GET", "/login/flow/grant", (call) => ifSignedIn(call, showGrant)],
  ["POST", "/login/flow", (call) => ifSignedIn(call, grant)],
  ["POST", "/apps/oauth2/api/v1/token", token],
])
