// Chooses the page that /connect/{id} shows to the addressee, by the state of their attempt.

import { paths, pathTo } from "../core/addresses.ts"
import type { Account } from "../core/connection.ts"
import type { ConfirmAccountView, Html } from "../surfaces/web/index.ts"
import { confirmAccountPage, connectPage, donePage, errorPage, waitingPage } from "../surfaces/web/index.ts"
import type { Standing } from "../vault/consent/standing.ts"
import type { Flow } from "../vault/records.ts"
import { toAfterAnswerView } from "./after-answer.ts"
import type { LinkedQuestion } from "./linked-question.ts"
import type { Visit } from "./site.ts"
import { toTop } from "./site.ts"
import { popupOf, returnTargetOf } from "./targets.ts"
import { endedOf, toConnectView, toWaitingView } from "./views.ts"

export async function connectStatePage(
  { site, request }: Visit,
  found: LinkedQuestion,
  standing: Standing,
): Promise<Html> {
  const { guest, elicitation } = found
  const asked = await site.vault.consent.request(elicitation)
  if (asked === undefined) return errorPage(notSetUp)
  const facts = { guest, elicitation, asked }
  const provider = { name: asked.provider.name }
  const status = standing.kind === "connected" ? "completed" : elicitation.status
  const more = { ...returnTargetOf(site, asked.returnTo), ...popupOf(site, request, elicitation, status) }
  if (standing.kind === "connected") {
    const { account } = standing.connection
    const { accountPage } = site.gate
    const afterAnswer = await toAfterAnswerView(site, elicitation)
    return donePage({
      provider,
      afterAnswer,
      accountPage,
      ...(account === undefined ? {} : { account: accountLabel(account) }),
      ...more,
    })
  }
  if (standing.kind === "confirming") {
    const { flow, before, after } = standing
    return confirmAccountPage({
      ...toTop(site, guest),
      provider,
      ...(before === undefined && flow.asks !== undefined ? {} : { before: accountLabel(before) }),
      after: accountLabel(after),
      ...ownerOf(flow),
      action: pathTo(paths.connect, elicitation.id),
    })
  }
  if (found.kind === "over") return endedOf(found, provider.name, more)
  if (standing.kind === "under_way" && standing.flow.status !== "consented")
    return waitingPage(toWaitingView(site, facts))
  const failed = standing.kind === "ready" ? standing.failed : undefined
  const again = failed === undefined ? {} : { problem: failed.reason, until: failed.until }
  return connectPage(toConnectView(site, { ...facts, ...again }))
}

function ownerOf({ asks, person, isOwn }: Flow): Pick<ConfirmAccountView, "owner"> {
  if (asks === undefined || person === undefined) return {}
  const { name, email } = person
  return { owner: { name: email === undefined ? name : `${name} (${email})`, isOther: isOwn === false } }
}

const accountLabel = (account: Account | undefined): string => account?.name ?? account?.id ?? "another account"

const notSetUp = {
  title: "This cannot be connected here",
  words: "The provider that this link names is not set up on this server. Tell the administrator of this server.",
}
