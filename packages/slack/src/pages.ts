// The pages that link and unlink Slack accounts, and the section of the account page about them. Opening the link changes
// nothing; only a click of the signed-in person links the account.

import { paths } from "@holdpoint/hub"
import { pathTo } from "@holdpoint/hub/internal"
import {
  type OpenPart,
  posted,
  type Route,
  receivePost,
  refuseLink,
  toPage,
  toRedirect,
  toTop,
  type Visit,
  withCookies,
} from "@holdpoint/server/parts"
import type { Linking } from "./linking.ts"
import type { SlackLinks } from "./links.ts"
import { linkSlackPage, slackCodePage, slackLinkedPage, slackSection } from "./page-views.ts"
import { slackPaths } from "./paths.ts"
import { accountOf, fromAccount } from "./records.ts"

/** The parts of Slack that its pages need. */
export interface SlackPagesNeeds {
  readonly links: SlackLinks
  readonly linking: Pick<Linking, "look" | "claim">
}

/**
 * The path segment that replaces the token. The token is in a cookie while the person signs in, so that it is in no log
 * or history.
 */
const inCookie = "continue"
const cookieName = "hp_slack_link"
const cookieSeconds = 10 * 60

export function createSlackPages({ links, linking }: SlackPagesNeeds): Pick<OpenPart, "pages" | "accountSection"> {
  const showLink: Route = async (visit) => {
    const { site } = visit
    const token = tokenOf(visit)
    const guest = await site.gate.enter(visit.request, `slack:${inCookie}`)
    if (guest instanceof Response) return withCookies(guest, [site.jar.set(cookieName, token, cookieSeconds)])
    const account = await linking.look(token, guest.principal)
    if (account === undefined) return refuseLink()
    const slackAccount = { user: account.userName, workspace: account.teamName }
    const action = pathTo(slackPaths.link, token)
    return toPage(linkSlackPage({ ...toTop(site, guest), account: slackAccount, action }), { cookies: guest.cookies })
  }

  const answerLink: Route = async (visit) => {
    const post = await receivePost(visit, async ({ site, request }) => {
      const guest = await site.gate.enter(request, `slack:${inCookie}`)
      return guest instanceof Response ? guest : { guest }
    })
    if (post instanceof Response) return post
    const { guest } = post.target
    if (post.fields.get("do") !== "link") return toRedirect(paths.inbox)
    const claim = await linking.claim(tokenOf(visit), guest.principal)
    if (claim.state === "unusable") return refuseLink()
    const account = { user: claim.account.userName, workspace: claim.account.teamName }
    const cookies = [visit.site.jar.clear(cookieName)]
    if (claim.state === "linked") return toPage(slackLinkedPage(account), { cookies })
    return toPage(slackCodePage({ account, code: claim.code }), { cookies })
  }

  const unlink: Route = (visit) =>
    posted(visit, async ({ principal }) => {
      const account = fromAccount(visit.part("id"))
      const isEnded = account !== undefined && (await links.unlink(account, principal))
      return isEnded ? toRedirect(paths.account) : refuseLink()
    })

  return {
    pages: [
      { method: "GET", path: slackPaths.link, route: showLink, returnName: "slack" },
      { method: "POST", path: slackPaths.link, route: answerLink },
      { method: "POST", path: slackPaths.unlink, route: unlink },
    ],
    async accountSection({ runtime }, { principal, csrf }) {
      const accounts = (await links.of(principal)).map((link) => ({
        user: link.userName,
        workspace: link.teamName,
        since: link.linkedAt,
        unlink: pathTo(slackPaths.unlink, accountOf(link)),
      }))
      return slackSection(accounts, { csrf, now: runtime.now() })
    },
  }
}

function tokenOf({ site, request, part }: Pick<Visit, "site" | "request" | "part">): string {
  const token = part("token")
  return token === inCookie ? (site.jar.get(request, cookieName) ?? "") : token
}
