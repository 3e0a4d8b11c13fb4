// Chooses the page that /visit/{id} shows to the addressee, by the state of the visit.

import type { Elicitation, Status } from "@holdpoint/hub"
import { isSamePerson, paths } from "@holdpoint/hub"
import { pathTo, visitedAddress } from "@holdpoint/hub/internal"
import type { Html, VisitView } from "../web/index.ts"
import { confirmedPage, endedPage, visitedPage, visitPage } from "../web/index.ts"
import { toAfterAnswerView } from "./after-answer.ts"
import type { Guest } from "./guest.ts"
import type { LinkedQuestion } from "./linked-question.ts"
import type { Site, Visit } from "./site.ts"
import { toTop } from "./site.ts"
import { popupOf, returnTargetOf } from "./targets.ts"

/**
 * `begun`: this person has said yes on the page, and completion is not confirmed yet. `taken`: another person has said
 * yes.
 */
export type VisitState = "asked" | "begun" | "taken" | "over"

export async function visitStatePage(visit: Visit, linked: LinkedQuestion, state: VisitState): Promise<Html> {
  const { guest, elicitation } = linked
  switch (state) {
    case "asked":
      return visitPage(toVisitView(visit.site, guest, elicitation))
    case "begun":
      return visitedPage(toVisitView(visit.site, guest, elicitation))
    case "taken":
      return endedPage(takenPage)
    case "over":
      return settledPage(visit, guest, elicitation)
  }
}

async function settledPage({ site, request }: Visit, guest: Guest, elicitation: Elicitation): Promise<Html> {
  const { status, context } = elicitation
  const returnTo = typeof context.returnTo === "string" ? context.returnTo : undefined
  const returnDetails = { ...returnTargetOf(site, returnTo), ...popupOf(site, request, elicitation, status) }
  if (status === "completed") {
    const afterAnswer = await toAfterAnswerView(site, elicitation)
    return confirmedPage({ requester: requesterOf(elicitation), afterAnswer, ...returnDetails })
  }
  return endedPage({ ...endOf(elicitation, guest), ...returnDetails })
}

function toVisitView(site: Site, guest: Guest, elicitation: Elicitation): VisitView {
  const { runtime, addresses } = site
  const { id, message, expiresAt, client } = elicitation
  return {
    ...{ id, message, expiresAt, now: runtime.now(), ...toTop(site, guest) },
    action: pathTo(paths.visit, id),
    statusUrl: pathTo(paths.visitStatus, id),
    requester: requesterOf(elicitation),
    ...(client === undefined ? {} : { client: { name: client.name } }),
    address: visitedAddress(elicitation, addresses) ?? "",
    ...(guest.code === undefined ? {} : { code: guest.code }),
  }
}

const requesterOf = ({ requester }: Elicitation) => ({ name: requester.name ?? requester.id })

/** The title and text of an ended visit. The reason of a failure may come from the external page, so it is quoted. */
function endOf({ status, reason, answeredBy }: Elicitation, { principal }: Guest) {
  const [title, words] = endings[status] ?? ["This has ended", "There is nothing left to do."]
  const isByOtherPerson = status === "declined" && answeredBy !== undefined && !isSamePerson(answeredBy, principal)
  const reasonText =
    status === "failed" && reason?.message !== undefined ? ` The reason given: “${reason.message}”` : ""
  return { title: isByOtherPerson ? "Another person said no" : title, words: `${words}${reasonText}` }
}

const takenPage = {
  title: "Another person has said yes",
  words: "They have opened the page already. There is nothing left for you to do.",
}

const endings: Readonly<Partial<Record<Status, readonly [title: string, words: string]>>> = {
  expired: [
    "This link has expired",
    "Links are valid for a limited time. Go back to the program that asked and start again to get a new one.",
  ],
  declined: ["You said no", "The program that asked has been told."],
  cancelled: ["No longer needed", "The program that asked has withdrawn the question."],
  failed: ["This did not work", "The program that asked reports that it was not done."],
  unsupported: [
    "This link was closed",
    "The program that asked could not show the question. Go back to it and start again.",
  ],
}
