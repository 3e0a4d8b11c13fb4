// Chooses the page that /connect/{id} shows to the addressee, by the state of their attempt.

import type { AttemptState, Flow } from "@holdpoint/accounts/internal"
import { paths } from "@holdpoint/hub"
import type { Account } from "@holdpoint/hub/internal"
import { pathTo } from "@holdpoint/hub/internal"
import type { ConfirmAccountView, Html } from "../web/index.ts"
import { confirmAccountPage, connectPage, donePage, errorPage, waitingPage } from "../web/index.ts"
import { toAfterAnswerView } from "./after-answer.ts"
import type { LinkedQuestion } from "./linked-question.ts"
import type { Visit } from "./site.ts"
import { toTop } from "./site.ts"
import { popupOf, returnTargetOf } from "./targets.ts"
import { endedOf, toConnectView, toWaitingView } from "./views.ts"

export async function connectStatePage(
  { site, request }: Visit,
  linked: LinkedQuestion,
  attemptState: AttemptState,
): Promise<Html> {
  const { guest, elicitation } = linked
  const consentRequest = await site.vault.consent.request(elicitation)
  if (consentRequest === undefined) return errorPage(notSetUp)
  const facts = { guest, elicitation, consentRequest }
  const provider = { name: consentRequest.provider.name }
  const status = attemptState.kind === "connected" ? "completed" : elicitation.status
  const returnDetails = {
    ...returnTargetOf(site, consentRequest.returnTo),
    ...popupOf(site, request, elicitation, status),
  }
  if (attemptState.kind === "connected") {
    const { account } = attemptState.connection
    const { accountPage } = site.gate
    const afterAnswer = await toAfterAnswerView(site, elicitation)
    return donePage({
      provider,
      afterAnswer,
      accountPage,
      ...(account === undefined ? {} : { account: accountLabel(account) }),
      ...returnDetails,
    })
  }
  if (attemptState.kind === "confirming") {
    const { flow, previousAccount, newAccount } = attemptState
    return confirmAccountPage({
      ...toTop(site, guest),
      now: site.runtime.now(),
      provider,
      ...(previousAccount === undefined && flow.asks !== undefined ? {} : { before: accountLabel(previousAccount) }),
      after: accountLabel(newAccount),
      ...ownerOf(flow),
      action: pathTo(paths.connect, elicitation.id),
    })
  }
  if (linked.kind === "over") return endedOf(linked, provider.name, returnDetails)
  if (attemptState.kind === "under_way" && attemptState.flow.status !== "consented")
    return waitingPage(toWaitingView(site, facts))
  const lastFailure = attemptState.kind === "ready" ? attemptState.failure : undefined
  const failure = lastFailure === undefined ? {} : { problem: lastFailure.reason, until: lastFailure.until }
  return connectPage(toConnectView(site, { ...facts, ...failure }))
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
