// /unsubscribe: stops mails of one kind to one person, by the sealed token of a mail alone (RFC 8058). A GET shows a
// button and changes nothing; a POST needs no session, reads no cookie, and stops mails. No request here answers a
// question.

import { paths, pathTo } from "../core/addresses.ts"
import { fromUnsubscribeToken } from "../surfaces/email/unsubscribe.ts"
import { unsubscribedPage, unsubscribePage } from "../surfaces/web/index.ts"
import { kinds, type PageReach } from "./reach.ts"
import { refuseLink } from "./refusals.ts"
import { toPage } from "./respond.ts"
import type { Route, Visit } from "./site.ts"

export const showUnsubscribe: Route = async (visit) => {
  const subscription = find(visit)
  if (subscription === undefined) return refuseLink()
  return toPage(
    unsubscribePage({ about: aboutOf(subscription.kind), action: pathTo(paths.unsubscribe, visit.part("token")) }),
  )
}

export const unsubscribe: Route = async (visit) => {
  const subscription = find(visit)
  if (subscription === undefined) return refuseLink()
  const { person, kind, ownLadders } = subscription
  const match = kinds.find((one) => one.kind === kind)
  await ownLadders.set(person, { outlet: "email", ...(match === undefined ? {} : { kind: match.kind }) }, "never")
  await visit.site.hub.reschedule(person)
  return toPage(unsubscribedPage({ about: aboutOf(kind) }))
}

function find({ site, part }: Visit) {
  const { email, ownLadders }: Partial<PageReach> = site.reach ?? {}
  const subscription = email === undefined ? undefined : fromUnsubscribeToken(email.tokens, part("token"))
  return subscription === undefined || ownLadders === undefined ? undefined : { ...subscription, ownLadders }
}

/** The words for a kind of question. A kind without its own row on the account page is called “questions”. */
const aboutOf = (kind: string): string => kinds.find((one) => one.kind === kind)?.about ?? "questions"
