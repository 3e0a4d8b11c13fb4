// The core OAuth 2 of the fake Nextcloud: no PKCE, no scopes, the registered redirect address whatever is asked for,
// refresh tokens that rotate, and 400 invalid_request for those that are over.

import { noteCanary } from "../../../../test/canaries/note.ts"
import { basicOf, type Call, type Route } from "./call.ts"
import { ifSignedIn } from "./login-routes.ts"
import { errorPage, grantPage, json, page, pickerPage, redirect } from "./pages.ts"
import { type OAuthClient, type OAuthGrant, type Reply, random, type State } from "./state.ts"

export const oauth2Routes: readonly Route[] = [
  ["POST", "/apps/oauth2/clients", createClient],
  ["GET", "/apps/oauth2/authorize", authorize],
  ["GET", "/login/flow", pick],
  ["GET", "/login/flow/grant", (call) => ifSignedIn(call, showGrant)],
  ["POST", "/login/flow", (call) => ifSignedIn(call, grant)],
  ["POST", "/apps/oauth2/api/v1/token", token],
]

function createClient(call: Call): Reply {
  const { state, headers, fields } = call
  const basic = basicOf(call)
  const found = basic && state.logIn(basic.name, basic.secret)
  if (found === undefined) return json(401, { message: "Current user is not logged in" })
  const user = { "x-user-id": found.user.id }
  if (headers["ocs-apirequest"] === undefined) return json(412, { message: "CSRF check failed" }, user)
  if (found.user.id !== "admin") return json(403, { message: "Logged in account must be an admin" }, user)
  const redirectUri = fields.get("redirectUri") ?? ""
  if (!URL.canParse(redirectUri)) {
    const message = "Your redirect URL needs to be a full URL for example: https://yourdomain.com/path"
    return json(400, { message }, user)
  }
  return json(200, registerClient(state, fields.get("name") ?? "", redirectUri), user)
}

export function registerClient(state: State, name: string, redirectUri: string): OAuthClient {
  const id = state.clients.size + 1
  const client = { id, name, redirectUri, clientId: random(64), clientSecret: random(64) }
  state.clients.add(client)
  noteCanary("client_secret", client.clientSecret)
  return client
}

function authorize({ state, query, session, url }: Call): Reply {
  const client = clientOf(state, query.get("client_id"))
  if (client === undefined) return page(200, "Nextcloud", "<p>Your client is not authorized to connect.</p>")
  const back = query.get("state") ?? ""
  if (query.get("response_type") !== "code")
    return redirect(`${client.redirectUri}?error=unsupported_response_type&state=${encodeURIComponent(back)}`)
  session.oauth = { client, state: back }
  return redirect(`${url}/login/flow?providedRedirectUri=&clientIdentifier=${client.clientId}`)
}

function pick({ session, url }: Call): Reply {
  if (session.oauth === undefined) return errorPage(403)
  const { name, clientId } = session.oauth.client
  session.stateToken = random(64)
  const query = `stateToken=${session.stateToken}&clientIdentifier=${clientId}`
  return pickerPage(name, `${url}/index.php/login/flow/grant?${query}`)
}

function showGrant({ session, query, url }: Call): Reply {
  if (session.oauth === undefined || query.get("stateToken") !== session.stateToken) return errorPage(403)
  const { name, clientId } = session.oauth.client
  const hidden = {
    clientIdentifier: clientId,
    stateToken: session.stateToken ?? "",
    requesttoken: session.requestToken,
  }
  return grantPage(`${url}/index.php/login/flow`, { user: session.user ?? "", device: name }, hidden)
}

function grant({ state, session, fields }: Call): Reply {
  if (fields.get("requesttoken") !== session.requestToken) return json(412, { message: "CSRF check failed" })
  if (session.oauth === undefined || fields.get("stateToken") !== session.stateToken) return errorPage(403)
  const { client, state: back } = session.oauth
  delete session.oauth
  return redirect(grantClient(state, { client, user: session.user ?? "", back }))
}

/** Where the browser goes with the code. */
export function grantClient(
  state: State,
  { client, user, back }: { readonly client: OAuthClient; readonly user: string; readonly back: string },
): string {
  const code = random(128)
  noteCanary("code", code)
  state.grants.add({ client, token: state.issue(user, client.name, "oauth"), code })
  return `${client.redirectUri}?state=${encodeURIComponent(back)}&code=${code}`
}

export const clientOf = (state: State, clientId: string | null | undefined): OAuthClient | undefined =>
  [...state.clients].find((client) => client.clientId === clientId)

function token(call: Call): Reply {
  const { state, fields } = call
  const type = fields.get("grant_type")
  const presented = fields.get(type === "refresh_token" ? "refresh_token" : "code")
  if (type === undefined || presented === undefined) return errorPage(500)
  if (type !== "authorization_code" && type !== "refresh_token") return json(400, { error: "invalid_grant" })
  const found = [...state.grants].find((one) => presented === (type === "refresh_token" ? one.refreshToken : one.code))
  if (found === undefined || !state.tokens.has(found.token)) return json(400, { error: "invalid_request" })
  const basic = basicOf(call)
  const id = basic?.name ?? fields.get("client_id")
  const secret = basic?.secret ?? fields.get("client_secret")
  if (found.client.clientId !== id || found.client.clientSecret !== secret)
    return json(400, { error: "invalid_client" })
  return json(200, redeem(state, found))
}

function redeem(state: State, found: OAuthGrant) {
  if (found.code === undefined) state.rotate(found.token)
  delete found.code
  found.refreshToken = random(128)
  noteCanary("refresh_token", found.refreshToken)
  return {
    access_token: found.token.secret,
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: found.refreshToken,
    user_id: found.token.user,
  }
}
