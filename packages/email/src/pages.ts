// The pages of e-mail. /unsubscribe stops mails of one kind to one person, by the sealed token of a mail alone (RFC 8058):
// a GET shows a button and changes nothing; a POST needs no session, reads no cookie, and stops mails. No request here
// answers a question.

import { pathTo } from "@holdpoint/hub/internal"
import type { Tokens } from "@holdpoint/hub/sealing"
import {
  account,
  type OpenPart,
  type PartServer,
  posted,
  questionKinds,
  type Route,
  refuseLink,
  toPage,
} from "@holdpoint/server/parts"
import type { DeadAddresses } from "./dead-addresses.ts"
import { emailSection, unsubscribedPage, unsubscribePage } from "./page-views.ts"
import { emailPaths } from "./paths.ts"
import { fromUnsubscribeToken } from "./unsubscribe.ts"

export interface EmailPagesNeeds extends Pick<PartServer, "hub" | "ownLadders"> {
  readonly tokens: Tokens
  readonly deadAddresses: DeadAddresses
}

export function createEmailPages(needs: EmailPagesNeeds): Pick<OpenPart, "pages" | "accountSection"> {
  const { hub, ownLadders, tokens, deadAddresses } = needs

  const showUnsubscribe: Route = async ({ part }) => {
    const subscription = fromUnsubscribeToken(tokens, part("token"))
    if (subscription === undefined) return refuseLink()
    const action = pathTo(emailPaths.unsubscribe, part("token"))
    return toPage(unsubscribePage({ about: aboutOf(subscription.kind), action }))
  }

  const unsubscribe: Route = async ({ part }) => {
    const subscription = fromUnsubscribeToken(tokens, part("token"))
    if (subscription === undefined) return refuseLink()
    const { person, kind } = subscription
    const match = questionKinds.find((one) => one.kind === kind)
    await ownLadders.set(person, { outlet: "email", ...(match === undefined ? {} : { kind: match.kind }) }, "never")
    await hub.reschedule(person)
    return toPage(unsubscribedPage({ about: aboutOf(kind) }))
  }

  /** Sends mails to the person's address again, after they say that the address works. */
  const revive: Route = (visit) =>
    posted(visit, async (guest) => {
      const { email } = guest.session
      if (email === undefined) return refuseLink()
      await deadAddresses.forget(guest.principal.tenant, email)
      return toPage(await account(visit.site, guest, { notice: `E-mails are sent to ${email} again.` }))
    })

  return {
    pages: [
      { method: "GET", path: emailPaths.unsubscribe, route: showUnsubscribe },
      { method: "POST", path: emailPaths.unsubscribe, route: unsubscribe },
      { method: "POST", path: emailPaths.revive, route: revive },
    ],
    async accountSection({ runtime }, { principal, session, csrf }) {
      const { email: address } = session
      if (address === undefined) return undefined
      const dead = await deadAddresses.find(principal.tenant, address)
      return emailSection({ address, dead, action: emailPaths.revive }, { csrf, now: runtime.now() })
    },
  }
}

/** The words for a kind of question. A kind without its own row on the account page is called “questions”. */
const aboutOf = (kind: string): string => questionKinds.find((one) => one.kind === kind)?.about ?? "questions"
