// The authorization endpoint of OpenID Connect: redirects a signed-in user at once, without asking.

import type { Call, Reply } from "../area.ts"
import { page } from "../pages.ts"
import { redirect } from "../replies.ts"
import { random, type World } from "../world.ts"
import { type OidcClient, oidcOf, seconds } from "./store.ts"

export function authorize(call: Call): Reply {
  const { query, session, world, url, pages } = call
  const client = oidcOf(world).clients.get(query.get("client_id") ?? "")
  const redirectUri = query.get("redirect_uri") ?? ""
  if (client === undefined) return page(200, "Nextcloud", "<p>Your client is not authorized to connect.</p>")
  if (!client.redirectUris.includes(redirectUri)) return page(200, "Nextcloud", "<p>The redirect URI is not known.</p>")
  if (session.user === undefined) {
    if (query.get("prompt") === "none") return refuse(query, "login_required", "User is not logged in.")
    const loginQuery = new URLSearchParams({ redirect_url: `/index.php/apps/oidc/redirect?${query}` })
    return redirect(`${pages}/login?${loginQuery}`)
  }
  if (!["code", "id_token", "code id_token"].includes(query.get("response_type") ?? ""))
    return refuse(query, "unsupported_response_type", "Unsupported response_type")
  return redirect(grantOidc(world, { client, user: session.user, query }) || url)
}

/** Sends a person who has just signed in back to the authorization endpoint, with the original query. */
export const redirectToAuthorize = ({ query, pages }: Call): Reply => redirect(`${pages}/apps/oidc/authorize?${query}`)

/** Returns the redirect address with the code. */
export function grantOidc(
  world: World,
  { client, user, query }: { readonly client: OidcClient; readonly user: string; readonly query: URLSearchParams },
): string {
  const code = world.reportSecret("code", random(128))
  const value = query.get("code_challenge")
  const challenge =
    value === null ? {} : { challenge: { value, method: query.get("code_challenge_method") ?? "plain" } }
  const scope = query.get("scope") ?? "openid"
  const nonce = query.get("nonce") ?? undefined
  oidcOf(world).grants.add({ client, user, scope, nonce, code, signedInAt: seconds(world), ...challenge })
  return addressOf(query, { state: query.get("state") ?? "", code })
}

const refuse = (query: URLSearchParams, error: string, description: string): Reply =>
  redirect(addressOf(query, { error, error_description: description, state: query.get("state") ?? "" }))

function addressOf(query: URLSearchParams, parameters: Readonly<Record<string, string>>): string {
  const redirectUri = query.get("redirect_uri") ?? ""
  const parts = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parts.join("&")}`
}
