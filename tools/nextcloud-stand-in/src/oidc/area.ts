// The app "OIDC identity provider" 2.0.9 with its quirks: access tokens are valid for twice their stated lifetime, the
// use of an expired one ends its refresh token too, a reused code revokes its tokens, and errors of userinfo are 400.

import { createHash } from "node:crypto"
import type { Area, Call, Reply } from "../area.ts"
import { basicOf } from "../auth.ts"
import { recordedAddress, recordingsOf } from "../recordings.ts"
import { json, redirect } from "../replies.ts"
import { createArea, fieldsOf } from "../routes.ts"
import { random, type World } from "../world.ts"
import { authorize, redirectToAuthorize } from "./authorize.ts"
import { accessTokenOf, idTokenOf, type OidcClient, type OidcGrant, oidcOf } from "./store.ts"

const anyOrigin = { "access-control-allow-origin": "*" }

const denied = (error: string, description: string): Reply => json(400, { error, error_description: description })

const noRegistration = "Dynamic Client Registration is disabled."

/** The recorded metadata, with this server's address. */
function discovery({ url, pages, world }: Call): Reply {
  if (!world.isInstalled("oidc")) return json(404, { message: "openid-configuration not supported" })
  const body = recordingsOf("oidc")[0]?.response.body ?? ""
  const escapedAddress = recordedAddress.replaceAll("/", "\\/")
  const text = body.replaceAll(`"${escapedAddress}"`, `"${url}"`).replaceAll(escapedAddress, pages)
  return { ...json(200, {}, anyOrigin), body: text }
}

function keys({ world }: Call): Reply {
  const { id, public: key } = oidcOf(world).key()
  const { kty, n, e } = key.export({ format: "jwk" })
  return json(200, { keys: [{ kty, use: "sig", key_ops: ["verify"], alg: "RS256", kid: id, n, e }] }, anyOrigin)
}

/** The authenticated client: by Basic or by form fields. The secret of a public client is not checked. */
function clientOf(call: Call): OidcClient | undefined {
  const basic = basicOf(call.headers)
  const fields = fieldsOf(call)
  const client = oidcOf(call.world).clients.get(basic?.name ?? fields.get("client_id") ?? "")
  const secret = basic?.secret ?? fields.get("client_secret")
  return client?.isPublic || client?.secret === secret ? client : undefined
}

function token(call: Call): Reply {
  const { world } = call
  const fields = fieldsOf(call)
  const type = fields.get("grant_type")
  if (type !== "authorization_code" && type !== "refresh_token")
    return denied("invalid_grant", "Invalid grant_type provided. Must be authorization_code or refresh_token.")
  const presentedSecret = fields.get(type === "refresh_token" ? "refresh_token" : "code")
  const grants = [...oidcOf(world).grants]
  const grant = grants.find((one) => presentedSecret === (type === "refresh_token" ? one.refreshToken : one.code))
  const isGone = grant?.token !== undefined && !world.tokens.has(grant.token)
  if (grant === undefined || (type === "refresh_token" && isGone))
    return denied("invalid_grant", "Could not find access token for code or refresh_token.")
  if (clientOf(call) !== grant.client) return denied("invalid_client", "Client authentication failed.")
  if (type === "authorization_code" && grant.token !== undefined) {
    world.tokens.delete(grant.token)
    return denied("invalid_grant", "Authorization code has already been used.")
  }
  if (type === "authorization_code" && !isVerified(grant, fields.get("code_verifier"))) {
    oidcOf(world).grants.delete(grant)
    return denied("invalid_grant", "Invalid code_verifier.")
  }
  return json(200, redeem(world, grant, call.url), anyOrigin)
}

/** Verifies the PKCE challenge (RFC 7636 section 4.6). */
function isVerified({ challenge }: OidcGrant, verifier = ""): boolean {
  if (challenge === undefined) return true
  const { value, method } = challenge
  return value === (method === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier)
}

function redeem(world: World, grant: OidcGrant, issuer: string) {
  const { expiresIn } = world.switches.oidc
  grant.token ??= world.issue(grant.user, grant.client.name, "oidc")
  grant.token.secret = world.reportSecret("app_password", accessTokenOf(world, grant, issuer))
  // The real app adds the lifetime two times, so tokens live twice as long as `expires_in` says.
  grant.token.expiresAt = world.now() + expiresIn * 2000
  const isOffline = grant.scope.split(" ").includes("offline_access")
  if (isOffline) grant.refreshToken = world.reportSecret("refresh_token", random(128))
  return {
    access_token: grant.token.secret,
    token_type: "Bearer",
    expires_in: expiresIn,
    id_token: idTokenOf(world, grant, issuer),
    ...(isOffline ? { refresh_token: grant.refreshToken, refresh_expires_in: 900 } : {}),
  }
}

function grantOf({ world, headers }: Call): OidcGrant | "none" | "unknown" {
  const bearer = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1]
  if (bearer === undefined) return "none"
  const token = world.find(bearer)
  return [...oidcOf(world).grants].find((one) => token !== undefined && one.token === token) ?? "unknown"
}

function userInfo(call: Call): Reply {
  const grant = grantOf(call)
  if (grant === "none") return denied("invalid_request", "No bearer token found in request.")
  if (grant === "unknown") return denied("invalid_request", "Could not find provided bearer token.")
  const scopes = grant.scope.split(" ")
  const account = call.world.users.get(grant.user)
  const [givenName = "", ...familyNames] = (account?.displayName ?? "").split(" ")
  const profile = {
    updated_at: account?.firstLogin ?? 1794726892,
    name: account?.displayName,
    family_name: familyNames.join(" "),
    given_name: givenName,
    picture: `${call.pages}/avatar/${grant.user}/64`,
    ...(account?.quota === undefined ? {} : { quota: `${account.quota / 1_048_576} MB` }),
  }
  const claims = {
    sub: grant.user,
    preferred_username: grant.user,
    scope: grant.scope,
    ...(scopes.includes("profile") ? profile : {}),
    ...(scopes.includes("email") ? { email: account?.email, email_verified: false } : {}),
  }
  return json(200, claims, { ...anyOrigin, "x-user-id": grant.user })
}

function logOut({ session, pages }: Call): Reply {
  delete session.user
  return redirect(`${pages}/login`)
}

export const oidcArea: Area = createArea([
  ["GET", "/.well-known/openid-configuration", discovery],
  ["GET", "/apps/oidc/openid-configuration", discovery],
  ["GET", "/apps/oidc/jwks", keys],
  ["GET", "/apps/oidc/authorize", authorize],
  ["GET", "/apps/oidc/redirect", redirectToAuthorize],
  ["POST", "/apps/oidc/token", token],
  ["GET", "/apps/oidc/userinfo", userInfo],
  ["GET", "/apps/oidc/logout", logOut],
  ["POST", "/apps/oidc/register", () => denied("dynamic_registration_not_allowed", noRegistration)],
])
