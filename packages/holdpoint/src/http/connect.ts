// /connect/{id}: the page on which a person says yes. The rightful one is told how things stand; everybody else gets one
// and the same page, after the same number of reads, whether the link is unknown, foreign, expired or used.

import type { Elicitation, Reason } from "../core/elicitation.ts"
import type { Refusal } from "../core/transition.ts"
import { confirmAccountPage, connectPage, departPage, donePage, errorPage, waitingPage } from "../surfaces/web/index.ts"
import type { Standing } from "../vault/consent/standing.ts"
import { readContext } from "../vault/context.ts"
import { cookieNames } from "./cookies.ts"
import { isOwnPost, readForm } from "./entry.ts"
import { refuseLink, refusePost } from "./refusals.ts"
import { toJson, toPage, toRedirect, withCookies } from "./respond.ts"
import type { Guest, Route, Site, Visit } from "./site.ts"
import { isAdmin, toTop } from "./site.ts"
import { openerOf, popupOf, returnTargetOf } from "./targets.ts"
import { endedOf, toConnectView, toWaitingView } from "./views.ts"
import { reasonWords } from "./words.ts"

/** What a rightful person has before them: a question that is open, or one that has ended. */
type Found = { readonly guest: Guest } & (
  | { readonly kind: "open"; readonly elicitation: Elicitation }
  | { readonly kind: "over"; readonly elicitation: Elicitation; readonly refusal: Refusal }
)

export const showConnect: Route = async (visit) => {
  const { site } = visit
  const opener = rememberOpener(visit)
  const found = await find(visit)
  // Who has to sign in first comes back without the opener's name.
  if (found instanceof Response) return withCookies(found, opener)
  const { guest, elicitation } = found
  const cookies = [...guest.cookies, ...opener]
  const standing = await site.vault.consent.standing(elicitation, toVisitor(guest))
  if (found.kind === "open" && standing.kind === "under_way" && (await departureOf(visit, found)) !== undefined)
    return toRedirect(`/connect/${elicitation.id}/continue`, { cookies })
  return toPage(await pageOf(visit, found, standing), { cookies })
}

export const answerConnect: Route = async (visit) => {
  const { site, request } = visit
  if (!isOwnPost(request, site)) return refusePost()
  const found = await find(visit)
  if (found instanceof Response) return found
  const { guest, elicitation } = found
  const fields = await readForm(request, guest.csrf)
  if (fields === undefined) return refusePost()
  if (found.kind === "over" && !["use", "keep"].includes(fields.get("do") ?? "")) return back(elicitation)
  switch (fields.get("do")) {
    case "no":
      await site.hub.answer(elicitation.id, { by: guest.principal, action: "decline", via: "web" })
      return back(elicitation)
    case "use":
    case "keep":
      await site.vault.consent.confirm(elicitation, toVisitor(guest), fields.get("do") === "use")
      return back(elicitation)
    case "continue":
      return proceed(visit, guest, elicitation, fields)
    default:
      return refusePost()
  }
}

/** The browser leaves for the provider from a page of its own: no policy for posts follows it there. */
export const departConnect: Route = async (visit) => {
  const found = await find(visit)
  if (found instanceof Response) return found
  const { site } = visit
  const { guest, elicitation } = found
  const standing = await site.vault.consent.standing(elicitation, toVisitor(guest))
  const address = await departureOf(visit, found)
  const asked = await site.vault.consent.request(elicitation)
  if (address === undefined || asked === undefined) return back(elicitation)
  if (standing.kind !== "under_way") return toPage(departPage({ provider: asked.provider, href: address }))
  return toPage(waitingPage({ ...toWaitingView(site, { guest, elicitation, asked }), login: address }))
}

export const statusConnect: Route = async (visit) => {
  const found = await find(visit)
  if (found instanceof Response) return found
  const standing = await visit.site.vault.consent.standing(found.elicitation, toVisitor(found.guest))
  const isWaiting = found.kind === "open" && standing.kind === "under_way"
  return toJson(isWaiting ? { status: "waiting" } : { status: standing.kind, next: `/connect/${found.elicitation.id}` })
}

/** Older names of the same page. */
export const aliasConnect: Route = async ({ url }) => {
  const id = url.searchParams.get("elicitation") ?? url.searchParams.get("id") ?? url.searchParams.get("state")
  return toRedirect(id === null ? "/account" : `/connect/${encodeURIComponent(id)}`)
}

async function find(visit: Visit): Promise<Found | Response> {
  const { site, request, part } = visit
  const id = part("id")
  const guest = await site.gate.enter(request, `connect:${id}`)
  if (guest instanceof Response) return guest
  const opened = await site.hub.open(id, { by: guest.principal })
  if (opened.ok) {
    const { elicitation } = opened
    return mayConnect(site, guest, elicitation) ? { kind: "open", guest, elicitation } : refuseLink()
  }
  const { refusal } = opened
  if (refusal.code === "not_found" || refusal.code === "not_addressee" || refusal.code === "wrong_mode") {
    return refuseLink()
  }
  const elicitation = await site.hub.get(id)
  if (elicitation === undefined || !mayConnect(site, guest, elicitation)) return refuseLink()
  return { kind: "over", guest, elicitation, refusal }
}

/** Where this browser, and no other, goes on to. */
function departureOf({ site, request }: Visit, { guest, elicitation }: Found): Promise<string | undefined> {
  const browser = site.jar.get(request, cookieNames.flow(elicitation.id))
  return site.vault.consent.departure(elicitation, toVisitor(guest), browser)
}

/** What a project will own is connected by its administrators, whoever asked whom for it. */
function mayConnect(site: Site, guest: Guest, elicitation: Elicitation): boolean {
  return readContext(elicitation)?.owner.kind !== "project" || isAdmin(site, guest)
}

async function pageOf(visit: Visit, found: Found, standing: Standing) {
  const { site } = visit
  const { guest, elicitation } = found
  const asked = await site.vault.consent.request(elicitation)
  const more = {
    ...returnTargetOf(site, asked?.returnTo),
    ...popupOf(site, visit.request, elicitation, standing.kind === "connected" ? "completed" : elicitation.status),
  }
  if (asked === undefined)
    return errorPage({
      title: "This cannot be connected here",
      words: "The provider it names is not set up on this server. Tell whoever runs it.",
    })
  const provider = { name: asked.provider.name }
  const top = toTop(guest)
  const action = `/connect/${elicitation.id}`
  if (standing.kind === "connected") {
    const account = standing.connection.account
    return donePage({ provider, ...(account === undefined ? {} : { account: account.name ?? account.id }), ...more })
  }
  if (standing.kind === "confirming") {
    const shown = (account: { id: string; name?: string } | undefined) =>
      account?.name ?? account?.id ?? "another account"
    return confirmAccountPage({
      ...top,
      provider,
      before: shown(standing.before),
      after: shown(standing.after),
      action,
    })
  }
  if (found.kind === "over") return endedOf(found, provider.name, more)
  if (standing.kind === "under_way" && standing.flow.status !== "consented")
    return waitingPage(toWaitingView(site, { guest, elicitation, asked }))
  const problem = standing.kind === "ready" ? standing.problem : undefined
  return connectPage(toConnectView(site, { guest, elicitation, asked, ...(problem === undefined ? {} : { problem }) }))
}

async function proceed(
  visit: Visit,
  guest: Guest,
  elicitation: Elicitation,
  fields: URLSearchParams,
): Promise<Response> {
  const { site } = visit
  const asked = await site.vault.consent.request(elicitation)
  if (asked === undefined) return back(elicitation)
  const { kind } = asked.provider
  if (kind === "api_key" || kind === "basic") return keepEntered(visit, guest, elicitation, fields)
  const begun = await site.vault.consent.begin(elicitation, toVisitor(guest))
  if (begun.kind === "unavailable") {
    const view = toConnectView(site, { guest, elicitation, asked, problem: begun.reason })
    return toPage(connectPage(view), { status: 502 })
  }
  const { flow, browser } = begun
  const maxAge = Math.ceil((flow.expiresAt - site.runtime.now()) / 1_000)
  // Two names: one is found from the question when leaving, the other from `state` when coming back.
  const cookies = [elicitation.id, flow.id].map((id) => site.jar.set(cookieNames.flow(id), browser, maxAge))
  return toRedirect(`/connect/${elicitation.id}/continue`, { cookies })
}

async function keepEntered(
  visit: Visit,
  guest: Guest,
  elicitation: Elicitation,
  fields: URLSearchParams,
): Promise<Response> {
  const { site } = visit
  const entered = Object.fromEntries(
    ["key", "username", "password"].flatMap((name) => {
      const value = fields.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const kept = await site.vault.consent.enter(elicitation, toVisitor(guest), entered)
  if (kept.kind !== "refused") return back(elicitation)
  const asked = await site.vault.consent.request(elicitation)
  if (asked === undefined) return back(elicitation)
  const field = fieldOf(asked.provider.kind, kept.reason)
  const problems = [{ field, message: reasonWords(kept.reason, asked.provider.name) } as const]
  const username = fields.get("username")
  const view = toConnectView(site, { guest, elicitation, asked })
  return toPage(connectPage({ ...view, problems, ...(username === null ? {} : { username }) }), { status: 422 })
}

/** Beside which field the problem is shown. */
function fieldOf(kind: string, { code }: Reason): "key" | "username" | "password" {
  if (kind !== "basic") return "key"
  return code.startsWith("user_name") ? "username" : "password"
}

const toVisitor = ({ principal, session }: Guest) => ({ principal, session: session.id })
const back = ({ id }: Elicitation): Response => toRedirect(`/connect/${id}`)

/** Which page opened this window: kept for as long as the flow may take. */
function rememberOpener({ site, url, part }: Visit): readonly string[] {
  const opener = openerOf(site, url.searchParams.get("popup"))
  return opener === undefined ? [] : [site.jar.set(cookieNames.opener(part("id")), opener, 20 * 60)]
}
