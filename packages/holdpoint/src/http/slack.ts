// Links and unlinks Slack accounts. Opening the link changes nothing; only a click of the signed-in person links the
// account.

import { paths, pathTo } from "../core/addresses.ts"
import { fromAccount } from "../surfaces/slack/records.ts"
import { linkSlackPage, slackCodePage, slackLinkedPage } from "../surfaces/web/index.ts"
import { posted } from "./account.ts"
import { cookieNames } from "./cookies.ts"
import { refuseLink } from "./refusals.ts"
import { receivePost } from "./request-checks.ts"
import { toPage, toRedirect, withCookies } from "./respond.ts"
import { type Route, toTop, type Visit } from "./site.ts"

/**
 * The path segment that replaces the token. The token is in a cookie while the person signs in, so that it is in no log
 * or history.
 */
const inCookie = "continue"
const cookieSeconds = 10 * 60

export const showSlackLink: Route = async (visit) => {
  const { site } = visit
  const token = tokenOf(visit)
  const guest = await site.gate.enter(visit.request, `slack:${inCookie}`)
  if (guest instanceof Response) return withCookies(guest, [site.jar.set(cookieNames.slackLink, token, cookieSeconds)])
  const account = await site.slack?.linking.look(token, guest.principal)
  if (account === undefined) return refuseLink()
  const slackAccount = { user: account.userName, workspace: account.teamName }
  const action = pathTo(paths.slackLink, token)
  return toPage(linkSlackPage({ ...toTop(site, guest), account: slackAccount, action }), { cookies: guest.cookies })
}

export const answerSlackLink: Route = async (visit) => {
  const post = await receivePost(visit, async ({ site, request }) => {
    const guest = await site.gate.enter(request, `slack:${inCookie}`)
    return guest instanceof Response ? guest : { guest }
  })
  if (post instanceof Response) return post
  const { guest } = post.target
  if (post.fields.get("do") !== "link") return toRedirect(paths.inbox)
  const claim = await visit.site.slack?.linking.claim(tokenOf(visit), guest.principal)
  if (claim === undefined || claim.state === "unusable") return refuseLink()
  const account = { user: claim.account.userName, workspace: claim.account.teamName }
  const cookies = [visit.site.jar.clear(cookieNames.slackLink)]
  if (claim.state === "linked") return toPage(slackLinkedPage(account), { cookies })
  return toPage(slackCodePage({ account, code: claim.code }), { cookies })
}

export const unlinkSlack: Route = (visit) =>
  posted(visit, async ({ principal }) => {
    const account = fromAccount(visit.part("id"))
    const isEnded = account !== undefined && (await visit.site.slack?.links.unlink(account, principal)) === true
    return isEnded ? toRedirect(paths.account) : refuseLink()
  })

function tokenOf({ site, request, part }: Pick<Visit, "site" | "request" | "part">): string {
  const token = part("token")
  return token === inCookie ? (site.jar.get(request, cookieNames.slackLink) ?? "") : token
}
