// Where a browser goes to give a client of OpenID Connect access: straight on if signed in, or by way of a page that asks.

import type { Call, Reply } from "../area.ts"
import { ifSignedIn, isOwnForm } from "../login.ts"
import { errorPage, page, toHtml } from "../pages.ts"
import { csrfFailed, json, redirect } from "../replies.ts"
import { fieldsOf } from "../routes.ts"
import { random, type World } from "../world.ts"
import { type OidcClient, oidcOf, seconds } from "./store.ts"

const waiting = (world: World): Map<string, URLSearchParams> => world.part("oidc consent", () => new Map())

export function authorize(call: Call): Reply {
  const { query, session, world, url, pages } = call
  const client = oidcOf(world).clients.get(query.get("client_id") ?? "")
  const back = query.get("redirect_uri") ?? ""
  if (client === undefined) return page(200, "Nextcloud", "<p>Your client is not authorized to connect.</p>")
  if (!client.redirectUris.includes(back)) return page(200, "Nextcloud", "<p>The redirect URI is not known.</p>")
  if (session.user === undefined) {
    if (query.get("prompt") === "none") return refuse(query, "login_required", "User is not logged in.")
    const to = new URLSearchParams({ redirect_url: `/index.php/apps/oidc/redirect?${query}` })
    return redirect(`${pages}/login?${to}`)
  }
  if (!["code", "id_token", "code id_token"].includes(query.get("response_type") ?? ""))
    return refuse(query, "unsupported_response_type", "Unsupported response_type")
  if (world.switches.oidc.consent && !isAgreed(call, client)) {
    waiting(world).set(session.requestToken, query)
    return redirect(`${pages}/apps/oidc/consent`)
  }
  return redirect(grantOidc(world, { client, user: session.user, query }) || url)
}

/** After signing in: as it was. */
export const again = ({ query, pages }: Call): Reply => redirect(`${pages}/apps/oidc/authorize?${query}`)

const keyOf = (client: OidcClient, user: string | undefined): string => `${client.id} ${user}`

/** Fewer scopes than agreed on are agreed on. */
function isAgreed({ world, session, query }: Call, client: OidcClient): boolean {
  const agreed = oidcOf(world).consents.get(keyOf(client, session.user))?.split(" ") ?? []
  return (query.get("scope") ?? "openid").split(" ").every((scope) => agreed.includes(scope))
}

/** Where the browser goes with the code. */
export function grantOidc(
  world: World,
  { client, user, query }: { readonly client: OidcClient; readonly user: string; readonly query: URLSearchParams },
): string {
  const code = world.note("code", random(128))
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

function addressOf(query: URLSearchParams, said: Readonly<Record<string, string>>): string {
  const back = query.get("redirect_uri") ?? ""
  const parts = Object.entries(said).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${back}${back.includes("?") ? "&" : "?"}${parts.join("&")}`
}

export const showConsent = (call: Call): Reply =>
  ifSignedIn(call, ({ world, session, url }) => {
    const query = waiting(world).get(session.requestToken)
    const client = oidcOf(world).clients.get(query?.get("client_id") ?? "")
    if (query === undefined || client === undefined) return errorPage(400)
    const scope = query.get("scope") ?? "openid"
    const form = (action: string, label: string, field = ""): string =>
      `<form method="post" action="${toHtml(`${url}/index.php/apps/oidc/consent/${action}`)}">${field}<input type="hidden" name="requesttoken" value="${toHtml(session.requestToken)}"><button type="submit">${label}</button></form>`
    const asked = `<input type="hidden" name="scopes" value="${toHtml(scope)}">`
    return page(
      200,
      "Authorize application",
      `<p><strong>${toHtml(client.name)}</strong> asks for: ${toHtml(scope)}.</p>
${form("grant", "Allow", asked)}<br>${form("deny", "Deny")}`,
    )
  })

export const answerConsent = (call: Call, yes: boolean): Reply =>
  ifSignedIn(call, ({ world, session, pages }) => {
    if (!isOwnForm(call)) return csrfFailed()
    const query = waiting(world).get(session.requestToken)
    const client = oidcOf(world).clients.get(query?.get("client_id") ?? "")
    if (query === undefined || client === undefined) return errorPage(400)
    waiting(world).delete(session.requestToken)
    if (!yes) return refuse(query, "access_denied", "User denied consent")
    const scopes = fieldsOf(call).get("scopes") ?? "openid"
    oidcOf(world).consents.set(keyOf(client, session.user), scopes)
    const next = new URLSearchParams(query)
    next.set("scope", scopes)
    return redirect(`${pages}/apps/oidc/authorize?${next}`)
  })

export function listConsents({ world, session }: Call): Reply {
  const { clients, consents } = oidcOf(world)
  const given = [...clients.values()].flatMap((client, index) => {
    const scopesGranted = consents.get(keyOf(client, session.user))
    if (scopesGranted === undefined) return []
    const times = { createdAt: seconds(world), updatedAt: seconds(world) }
    const about = { clientId: index + 1, clientName: client.name, clientIdentifier: client.id }
    return [{ id: index + 1, ...about, scopesGranted, allowedScopes: "", ...times }]
  })
  return json(200, given)
}
