// Clients of OpenID Connect that register themselves, where that is allowed. They are forgotten after an hour.

import type { Call, Reply } from "../area.ts"
import { json } from "../replies.ts"
import { type Groups, jsonOf } from "../routes.ts"
import { random } from "../world.ts"
import { createOidcClient, type OidcClient, oidcOf, seconds } from "./store.ts"

const anyOrigin = { "access-control-allow-origin": "*" }
const lifetime = 3600

const denied = (error: string, description: string, status = 400): Reply =>
  json(status, { error, error_description: description })

export function register(call: Call): Reply {
  if (!call.world.switches.oidc.registration)
    return denied("dynamic_registration_not_allowed", "Dynamic Client Registration is disabled.")
  const asked = wishesOf(call)
  if (asked.redirectUris.length === 0)
    return denied("no_redirect_uris_provided", "Dynamic Client Registration requires redirect_uris to be set.")
  const client = createOidcClient(call.world, asked)
  client.registrationToken = random(64)
  const { client_name, client_id, client_secret, ...rest } = describe(client, call, client.registrationToken)
  return json(201, { client_name, client_id, client_secret, ...rest, token_type: "opaque" }, anyOrigin)
}

function wishesOf(call: Call) {
  const asked = (jsonOf(call) ?? {}) as Readonly<Record<string, unknown>>
  const uris = Array.isArray(asked.redirect_uris) ? asked.redirect_uris.map(String) : []
  const scope = typeof asked.scope === "string" ? { scope: asked.scope } : {}
  return { name: String(asked.client_name ?? ""), redirectUris: uris, ...scope }
}

function describe(client: OidcClient, { pages }: Call, token?: string) {
  return {
    client_id: client.id,
    client_secret: client.secret,
    ...(token === undefined ? {} : { registration_access_token: token }),
    registration_client_uri: `${pages}/apps/oidc/register/${client.id}`,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: "client_secret_post",
    response_types: ["code"],
    grant_types: ["authorization_code"],
    id_token_signed_response_alg: "RS256",
    application_type: "web",
    client_id_issued_at: client.issuedAt,
    client_secret_expires_at: client.issuedAt + lifetime,
    scope: client.scope,
  }
}

/** Who has its token may manage a client, while it is remembered. */
function ifOwn(call: Call, { id = "" }: Groups, answer: (client: OidcClient) => Reply): Reply {
  const bearer = /^Bearer (.+)$/i.exec(call.headers.get("authorization") ?? "")?.[1]
  const client = oidcOf(call.world).clients.get(id)
  const isGone = client === undefined || client.issuedAt + lifetime < seconds(call.world)
  if (isGone && bearer !== undefined)
    return denied("invalid_token", "Token does not correspond to a valid client.", 401)
  if (isGone || bearer === undefined || bearer !== client.registrationToken)
    return denied("invalid_token", "Invalid or missing registration access token.", 401)
  return answer(client)
}

export const showClient = (call: Call, groups: Groups): Reply =>
  ifOwn(call, groups, (client) => json(200, describe(client, call), anyOrigin))

/** The token that it is managed with is a new one afterwards; the old one goes on working, as recorded. */
export const changeClient = (call: Call, groups: Groups): Reply =>
  ifOwn(call, groups, (client) => {
    const { name, redirectUris } = wishesOf(call)
    if (name !== "") client.name = name
    if (redirectUris.length > 0) client.redirectUris = redirectUris
    return json(200, describe(client, call, random(64)), anyOrigin)
  })

export const forgetClient = (call: Call, groups: Groups): Reply =>
  ifOwn(call, groups, (client) => {
    oidcOf(call.world).clients.delete(client.id)
    return { ...json(204, ""), headers: { ...json(204, "").headers, ...anyOrigin }, body: "" }
  })
