// /visit/{id}: the page on which a person agrees to open an external page. The address comes from the question, and no
// request can change it.

import type { Elicitation } from "@holdpoint/hub"
import { isSamePerson, paths } from "@holdpoint/hub"
import { pathTo, visitedAddress } from "@holdpoint/hub/internal"
import { leavingPage } from "../web/index.ts"
import type { Guest } from "./guest.ts"
import type { LinkedQuestion } from "./linked-question.ts"
import { findLinked } from "./linked-question.ts"
import { refusePost } from "./refusals.ts"
import { receivePost } from "./request-checks.ts"
import { toJson, toPage, toRedirect, withCookies } from "./respond.ts"
import type { Route, Site, Visit } from "./site.ts"
import { rememberOpener } from "./targets.ts"
import type { VisitState } from "./visit-views.ts"
import { visitStatePage } from "./visit-views.ts"

export const showVisit: Route = async (visit) => {
  const opener = rememberOpener(visit)
  const linked = await find(visit)
  // A person who has to sign in first comes back without the `popup` parameter, so the cookie is set now.
  if (linked instanceof Response) return withCookies(linked, opener)
  const page = await visitStatePage(visit, linked, visitStateOf(linked))
  return toPage(page, { cookies: [...linked.guest.cookies, ...opener] })
}

export const answerVisit: Route = async (visit) => {
  const post = await receivePost(visit, find)
  if (post instanceof Response) return post
  const { site } = visit
  const { target: linked, fields } = post
  const { guest, elicitation } = linked
  const state = visitStateOf(linked)
  // A late No still stops an action that has not begun.
  const isLateNo = state === "over" && fields.get("do") === "no"
  if (!isLateNo && (state === "over" || state === "taken")) return backToPage(elicitation)
  switch (fields.get("do")) {
    case "no":
      await site.hub.answer(elicitation.id, { by: guest.principal, action: "decline", via: "web" })
      return backToPage(elicitation)
    case "yes":
      return (await accept(site, linked))
        ? toRedirect(pathTo(paths.visitContinue, elicitation.id))
        : backToPage(elicitation)
    default:
      return refusePost()
  }
}

/**
 * Sends the browser to the external page from a separate page: `form-action` of our policy would block the redirect
 * after a post. The opener policy cuts the external page off from the window that opened this one.
 */
export const leaveVisit: Route = async (visit) => {
  const linked = await find(visit)
  if (linked instanceof Response) return linked
  const { guest, elicitation } = linked
  const address = visitedAddress(elicitation, visit.site.addresses)
  if (visitStateOf(linked) !== "begun" || address === undefined) return backToPage(elicitation, guest.cookies)
  const headers = { "cross-origin-opener-policy": "same-origin" }
  return toPage(leavingPage({ address }), { cookies: guest.cookies, headers })
}

export const statusVisit: Route = async (visit) => {
  const linked = await find(visit)
  if (linked instanceof Response) return linked
  const { guest, elicitation } = linked
  const isWaiting = visitStateOf(linked) === "begun"
  const status = isWaiting
    ? { status: "waiting" }
    : { status: elicitation.status, next: pathTo(paths.visit, elicitation.id) }
  return toJson(status, { cookies: guest.cookies })
}

function visitStateOf(linked: LinkedQuestion): VisitState {
  const { guest, elicitation, kind } = linked
  if (kind === "over") return "over"
  const { status, answeredBy, answeredVia } = elicitation
  if (status === "pending" || answeredBy === undefined) return "asked"
  if (!isSamePerson(answeredBy, guest.principal)) return "taken"
  // A Yes from a client arrives before the person has seen the address on this page, so the page asks again.
  return answeredVia === "web" ? "begun" : "asked"
}

/**
 * Accepts the question. The first Yes extends the deadline, so that the person has time on the external page; a second
 * Yes does not.
 */
async function accept({ hub, runtime }: Site, linked: LinkedQuestion): Promise<boolean> {
  const { guest, elicitation } = linked
  const expiresAt = Math.max(elicitation.expiresAt, runtime.now() + visitMs)
  const deadline = visitStateOf(linked) === "begun" ? {} : { expiresAt }
  const acceptance = { by: guest.principal, action: "accept", via: "web", ...deadline } as const
  return (await hub.answer(elicitation.id, acceptance)).ok
}

const visitMs = 20 * 60_000

const find = (visit: Visit): Promise<LinkedQuestion | Response> => findLinked(visit, { page: "visit", isFor: isVisit })

const isVisit = ({ addresses }: Site, _guest: Guest, elicitation: Elicitation): boolean =>
  visitedAddress(elicitation, addresses) !== undefined

const backToPage = ({ id }: Elicitation, cookies: readonly string[] = []): Response =>
  toRedirect(pathTo(paths.visit, id), { cookies })
