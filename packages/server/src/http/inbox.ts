// /inbox: a person's open questions, and /inbox/{id}: one question, answered on the page.

import { readContext } from "@holdpoint/accounts/internal"
import type { Elicitation, Problem } from "@holdpoint/hub"
import { isSamePerson, isSettled, type PrincipalId, paths } from "@holdpoint/hub"
import { hashOf, isAddressed, isExcluded, pathTo } from "@holdpoint/hub/internal"
import { hasApproved } from "@holdpoint/hub/outlets"
import type { InboxItem, QuestionOf, QuestionView } from "../web/index.ts"
import { answeredPage, inboxPage, questionPage, viaWords } from "../web/index.ts"
import { toAfterAnswerView } from "./after-answer.ts"
import { type PostedAnswer, toAnswer } from "./answers.ts"
import type { Guest } from "./guest.ts"
import { doneWords } from "./history.ts"
import { refuseLink } from "./refusals.ts"
import { receivePost } from "./request-checks.ts"
import { toPage, toRedirect } from "./respond.ts"
import type { Route, Site, Visit } from "./site.ts"
import { toTop } from "./site.ts"

const mostShown = 200

export const showInbox: Route = async ({ site, request }) => {
  const guest = await site.gate.enter(request, "inbox")
  if (guest instanceof Response) return guest
  const { principal } = guest
  const open = await site.hub.list({ tenant: principal.tenant, principal, state: "open", limit: mostShown })
  const items = open.map((elicitation) => toItem(site, elicitation, principal))
  // The name differs for each session, so that people who use the same browser do not share a stream. Hashed, because
  // the session's id is enough to end the session.
  const streamName = `holdpoint inbox ${hashOf(guest.session.id).slice(0, 16)}`
  const view = { ...toTopWithTime(site, guest), items, eventsUrl: paths.inboxEvents, streamName }
  return toPage(inboxPage(view), { cookies: guest.cookies })
}

export const showQuestion: Route = async (visit) => {
  const linked = await findQuestion(visit)
  if (linked instanceof Response) return linked
  const { guest, elicitation } = linked
  const page = isSettled(elicitation.status)
    ? await toAnsweredPage(visit.site, guest, elicitation)
    : toQuestionPage(visit.site, guest, elicitation, { afterAnswer: await toAfterAnswerView(visit.site, elicitation) })
  return toPage(page, { cookies: guest.cookies })
}

export const answerQuestion: Route = async (visit) => {
  const post = await receivePost(visit, (posted) => findQuestion(posted))
  if (post instanceof Response) return post
  const { site } = visit
  const { target: linked, fields } = post
  const { guest, elicitation } = linked
  const answer = toAnswer(elicitation, fields)
  const result = await site.hub.answer(elicitation.id, {
    ...answer,
    by: guest.principal,
    via: "web",
    hasSeenDetail: true,
  })
  if (result.ok || result.refusal.code !== "invalid_answer") return toRedirect(pathTo(paths.question, elicitation.id))
  const { problems = [] } = result.refusal
  return toPage(toQuestionPage(site, guest, elicitation, toTried(answer, problems)), { status: 422 })
}

/**
 * Finds the question of the address, if it is for this person. Other people get the same page as for an unknown
 * question.
 */
export async function findQuestion(
  { site, request, part }: Visit,
  page: "inbox" | "timeline" = "inbox",
): Promise<{ guest: Guest; elicitation: Elicitation } | Response> {
  const id = part("id")
  const guest = await site.gate.enter(request, `${page}:${id}`)
  if (guest instanceof Response) return guest
  const { principal } = guest
  const elicitation = await site.hub.get(id)
  if (elicitation !== undefined && isAddressed(elicitation, principal)) return { guest, elicitation }
  // The hub refuses to open the question for this person, and records the attempt in the trail.
  await site.hub.open(id, { by: principal })
  return refuseLink()
}

function toQuestionPage(site: Site, guest: Guest, elicitation: Elicitation, details: QuestionDetails = {}) {
  const timeline = pathTo(paths.timeline, elicitation.id)
  return questionPage({
    ...toTopWithTime(site, guest),
    ...toItem(site, elicitation, guest.principal),
    timeline,
    ...details,
  })
}

async function toAnsweredPage(site: Site, guest: Guest, elicitation: Elicitation) {
  const { requester, client, message, status, settledAt, reason, answeredBy, answeredVia } = elicitation
  const about = readContext(elicitation)
  const connections = about === undefined ? [] : await site.vault.list(about.owner)
  const outcome = doneWords(site, elicitation, { person: guest.principal, connections })
  return answeredPage({
    ...toTopWithTime(site, guest),
    requester: { name: requester.name ?? requester.id },
    ...(client === undefined ? {} : { client }),
    message,
    afterAnswer: await toAfterAnswerView(site, elicitation),
    status: isSettled(status) ? status : "accepted",
    isByYou: answeredBy !== undefined && isSamePerson(answeredBy, guest.principal),
    ...(outcome === undefined ? {} : { done: outcome }),
    ...(answeredBy === undefined || answeredVia === undefined ? {} : { via: viaWords(answeredVia, client) }),
    ...(settledAt === undefined ? {} : { at: settledAt }),
    ...(reason === undefined ? {} : { reason }),
    ...votesOf(elicitation, guest.principal),
    timeline: pathTo(paths.timeline, elicitation.id),
  })
}

type QuestionDetails = Pick<QuestionView, "values" | "problems" | "reason" | "afterAnswer">

/** The values of a failed attempt, to show them again with their problems. */
function toTried({ content, reason }: PostedAnswer, problems: readonly Problem[]): QuestionDetails {
  const toReasonProblem = ({ path, message }: Problem): Problem =>
    path === "reason.message" ? { path: "", message: `The reason ${message}.` } : { path, message }
  return {
    problems: problems.map(toReasonProblem),
    ...(content === undefined ? {} : { values: content }),
    ...(reason?.message === undefined ? {} : { reason: reason.message }),
  }
}

export const toTopWithTime = (site: Site, guest: Guest) => ({ now: site.runtime.now(), ...toTop(site, guest) })

function toItem({ addresses }: Site, elicitation: Elicitation, person: PrincipalId): InboxItem {
  const { id } = elicitation
  const leadsToOwnPage =
    elicitation.mode === "url" && [paths.connect, paths.visit].some((at) => elicitation.url === addresses.to(at, id))
  const view: QuestionOf = leadsToOwnPage ? { ...elicitation, popup: true } : elicitation
  const href = pathTo(paths.question, id)
  const excluded = isExcluded(elicitation, person) ? { isOwnRequest: true as const } : {}
  return { elicitation: view, href, action: href, ...votesOf(elicitation, person), ...excluded }
}

/** The votes, with the reader as “You”. People who decide together see each other's ids at the identity provider. */
function votesOf(question: Elicitation, person: PrincipalId): Pick<InboxItem, "votes"> {
  const { approvals, votes = [] } = question
  if (approvals === undefined) return {}
  const voteViews = votes.map(({ by, said, at, via, reason }) => ({
    ...{ name: isSamePerson(by, person) ? "You" : by.subject, said, at },
    ...(via === undefined ? {} : { via }),
    ...(reason?.message === undefined ? {} : { reason: reason.message }),
  }))
  return { votes: { needed: approvals, hasApproved: hasApproved(question, person), votes: voteViews } }
}
