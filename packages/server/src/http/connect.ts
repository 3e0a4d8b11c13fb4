// /connect/{id}: the page on which a person consents to the connection of an account.

import type { Visitor } from "@holdpoint/accounts/internal"
import { loginCodeOf, readContext } from "@holdpoint/accounts/internal"
import type { Elicitation, Reason } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import { pathTo } from "@holdpoint/hub/internal"
import { connectPage, providerRedirectPage, waitingPage } from "../web/index.ts"
import { connectStatePage } from "./connect-page.ts"
import { cookieNames } from "./cookies.ts"
import type { Guest } from "./guest.ts"
import type { LinkedQuestion } from "./linked-question.ts"
import { findLinked } from "./linked-question.ts"
import { refusePost } from "./refusals.ts"
import { receivePost } from "./request-checks.ts"
import { toJson, toPage, toRedirect, withCookies } from "./respond.ts"
import type { Route, Site, Visit } from "./site.ts"
import { isAdmin } from "./site.ts"
import { rememberOpener } from "./targets.ts"
import type { ConnectFacts } from "./views.ts"
import { toConnectView, toWaitingView } from "./views.ts"
import { reasonWords } from "./words.ts"

export const showConnect: Route = async (visit) => {
  const { site } = visit
  const opener = rememberOpener(visit)
  const linked = await find(visit)
  // A person who has to sign in first comes back without the `popup` parameter, so the cookie is set now.
  if (linked instanceof Response) return withCookies(linked, opener)
  const { guest, elicitation } = linked
  const cookies = [...guest.cookies, ...opener]
  const attemptState = await site.vault.consent.attemptState(elicitation, toVisitor(guest))
  if (linked.kind === "open" && attemptState.kind === "under_way" && (await departureOf(visit, linked)) !== undefined)
    return toRedirect(pathTo(paths.connectContinue, elicitation.id), { cookies })
  return toPage(await connectStatePage(visit, linked, attemptState), { cookies })
}

export const answerConnect: Route = async (visit) => {
  const post = await receivePost(visit, find)
  if (post instanceof Response) return post
  const { site } = visit
  const { target: linked, fields } = post
  const { guest, elicitation } = linked
  // An ended question still accepts the choice of an account, and a late No, which stops an action that has not begun.
  if (linked.kind === "over" && !["use", "keep", "no"].includes(fields.get("do") ?? "")) return backToPage(elicitation)
  switch (fields.get("do")) {
    case "no":
      await site.hub.answer(elicitation.id, { by: guest.principal, action: "decline", via: "web" })
      return backToPage(elicitation)
    case "use":
    case "keep":
      await site.vault.consent.confirm(elicitation, toVisitor(guest), fields.get("do") === "use")
      return backToPage(elicitation)
    case "continue":
    case "needed":
      return proceed(site, linked, fields)
    default:
      return refusePost()
  }
}

/**
 * Sends the browser to the provider from a separate page: `form-action` of our policy would block the redirect after a
 * post.
 */
export const leaveForProvider: Route = async (visit) => {
  const linked = await find(visit)
  if (linked instanceof Response) return linked
  const { site } = visit
  const { guest, elicitation } = linked
  const attemptState = await site.vault.consent.attemptState(elicitation, toVisitor(guest))
  const address = await departureOf(visit, linked)
  const consentRequest = await site.vault.consent.request(elicitation)
  if (address === undefined || consentRequest === undefined)
    return toRedirect(pathTo(paths.connect, elicitation.id), { cookies: guest.cookies })
  if (attemptState.kind !== "under_way")
    return toPage(providerRedirectPage({ provider: consentRequest.provider, href: address }))
  const { flow } = attemptState
  const code = flow.person === undefined ? {} : { code: loginCodeOf(flow.id) }
  return toPage(
    waitingPage({ ...toWaitingView(site, { guest, elicitation, consentRequest }), login: address, ...code }),
  )
}

export const statusConnect: Route = async (visit) => {
  const linked = await find(visit)
  if (linked instanceof Response) return linked
  const attemptState = await visit.site.vault.consent.attemptState(linked.elicitation, toVisitor(linked.guest))
  const isWaiting = linked.kind === "open" && attemptState.kind === "under_way"
  const { guest, elicitation } = linked
  const status = isWaiting
    ? { status: "waiting" }
    : { status: attemptState.kind, next: pathTo(paths.connect, elicitation.id) }
  return toJson(status, { cookies: guest.cookies })
}

/** Redirects the addresses that other servers use for the connect page. */
export const aliasConnect: Route = async ({ url }) => {
  const names = ["elicitationId", "elicitation", "id", "state"]
  const id = names.map((name) => url.searchParams.get(name)).find((value) => value !== null) ?? null
  return toRedirect(id === null ? paths.account : pathTo(paths.connect, id))
}

const find = (visit: Visit): Promise<LinkedQuestion | Response> =>
  findLinked(visit, { page: "connect", isFor: mayConnect })

/** The provider's address to which the browser goes. Undefined for every browser except the one that began the flow. */
function departureOf({ site, request }: Visit, { guest, elicitation }: LinkedQuestion): Promise<string | undefined> {
  const browser = site.jar.get(request, cookieNames.flow(elicitation.id))
  return site.vault.consent.departureUrl(elicitation, toVisitor(guest), browser)
}

/** Whether this person may connect: an account that a project will own needs an administrator. */
function mayConnect(site: Site, guest: Guest, elicitation: Elicitation): boolean {
  return readContext(elicitation)?.owner.kind !== "project" || isAdmin(site, guest)
}

async function proceed(site: Site, { guest, elicitation }: LinkedQuestion, fields: URLSearchParams): Promise<Response> {
  const consentRequest = await site.vault.consent.request(elicitation)
  if (consentRequest === undefined) return backToPage(elicitation)
  const facts = { guest, elicitation, consentRequest }
  const { kind } = consentRequest.provider
  return kind === "api_key" || kind === "basic" ? keepEntered(site, facts, fields) : begin(site, facts, fields)
}

async function begin(site: Site, facts: ConnectFacts, fields: URLSearchParams): Promise<Response> {
  const { guest, elicitation, consentRequest } = facts
  const pressed = {
    shownDigest: fields.get("shown") ?? "",
    allowedScopes: fields.get("do") === "needed" ? [] : fields.getAll("allow"),
  }
  const result = await site.vault.consent.begin(elicitation, toVisitor(guest), pressed)
  if (result.kind === "outdated") return showAgain(site, facts)
  if (result.kind === "widened") return backToPage(elicitation)
  if (result.kind === "unavailable") {
    const { code, message } = result.reason
    // The page says only that the attempt failed. The operator gets the cause.
    site.report(`beginning to connect ${consentRequest.provider.id}`, new Error(message ?? code))
    return toPage(connectPage(toConnectView(site, { ...facts, problem: result.reason })), { status: 502 })
  }
  const { flow, browser } = result
  const maxAge = Math.ceil((flow.expiresAt - site.runtime.now()) / 1_000)
  // Two cookies with the same value: the page that leaves for the provider knows only the question's id, and the
  // redirect URI only the flow's id, from `state`.
  const cookies = [elicitation.id, flow.id].map((id) => site.jar.set(cookieNames.flow(id), browser, maxAge))
  return toRedirect(pathTo(paths.connectContinue, elicitation.id), { cookies })
}

/**
 * Shows the page again when the request has changed since it was rendered: consent counts only for what the page
 * showed.
 */
async function showAgain(site: Site, { guest, elicitation }: ConnectFacts): Promise<Response> {
  const now = (await site.hub.get(elicitation.id)) ?? elicitation
  const consentRequest = await site.vault.consent.request(now)
  if (consentRequest === undefined) return backToPage(elicitation)
  const view = toConnectView(site, { guest, elicitation: now, consentRequest })
  return toPage(connectPage({ ...view, isChanged: true }), { status: 409 })
}

async function keepEntered(site: Site, facts: ConnectFacts, fields: URLSearchParams): Promise<Response> {
  const { guest, elicitation, consentRequest } = facts
  const credentials = Object.fromEntries(
    ["key", "username", "password"].flatMap((name) => {
      const value = fields.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const entry = await site.vault.consent.enter(elicitation, toVisitor(guest), credentials, fields.get("shown") ?? "")
  if (entry.kind === "outdated") return showAgain(site, facts)
  if (entry.kind !== "refused") return backToPage(elicitation)
  const field = fieldOf(consentRequest.provider.kind, entry.reason)
  const problems = [{ field, message: reasonWords(entry.reason, consentRequest.provider.name) } as const]
  const username = fields.get("username")
  const view = toConnectView(site, facts)
  return toPage(connectPage({ ...view, problems, ...(username === null ? {} : { username }) }), { status: 422 })
}

/** The input beside which the problem is shown. */
function fieldOf(kind: string, { code }: Reason): "key" | "username" | "password" {
  if (kind !== "basic") return "key"
  return code.startsWith("user_name") ? "username" : "password"
}

/** In local mode `person` is left out: without a sign-in there is no identity to compare the account with. */
function toVisitor({ principal, session, name, code }: Guest): Visitor {
  const email = session.email === undefined ? {} : { email: session.email }
  return { principal, session: session.id, ...(code === undefined ? { person: { name, ...email } } : {}) }
}

const backToPage = ({ id }: Elicitation): Response => toRedirect(pathTo(paths.connect, id))
