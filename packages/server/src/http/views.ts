// Converts questions and connections to the views of the connect pages. Pure, except for the clock.

import type { ConsentRequest } from "@holdpoint/accounts/internal"
import { lossSentence } from "@holdpoint/accounts/internal"
import type { Elicitation, Reason, Refusal } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import { displayHost } from "@holdpoint/hub/forms"
import type { Provider } from "@holdpoint/hub/internal"
import { pathTo } from "@holdpoint/hub/internal"
import type { ConnectView, Popup, ReturnTo, WaitingView } from "../web/index.ts"
import { endedPage } from "../web/index.ts"
import type { Guest } from "./guest.ts"
import type { Site } from "./site.ts"
import { toTop } from "./site.ts"
import { reasonWords } from "./words.ts"

export interface ConnectFacts {
  readonly guest: Guest
  readonly elicitation: Elicitation
  readonly consentRequest: ConsentRequest
  readonly problem?: Reason
  /** The deadline for the next attempt, after a failed one. */
  readonly until?: number
}

export function toConnectView(site: Site, facts: ConnectFacts): ConnectView {
  const { guest, elicitation, consentRequest, problem, until = Number.POSITIVE_INFINITY } = facts
  const { provider, owner, account, scopes, offers, lossReason, digest, isWidening } = consentRequest
  const help = "help" in provider ? provider.help : undefined
  return {
    id: elicitation.id,
    now: site.runtime.now(),
    ...toTop(site, guest),
    action: pathTo(paths.connect, elicitation.id),
    provider: { name: provider.name, host: toHost(provider) },
    requester: { name: elicitation.requester.name ?? elicitation.requester.id },
    ...(elicitation.client === undefined ? {} : { client: { name: elicitation.client.name } }),
    message: elicitation.message,
    ...{ scopes, offers },
    ...(owner.kind === "project" ? { owner: owner.project } : {}),
    ...(account === undefined ? {} : { account: account.name ?? account.id }),
    ...(lossReason === undefined ? {} : { lossSentence: lossSentence(provider, lossReason) }),
    widens: isWidening,
    shown: digest,
    kind: provider.kind,
    ...(help === undefined ? {} : { help }),
    ...(guest.code === undefined ? {} : { code: guest.code }),
    expiresAt: Math.min(elicitation.expiresAt, until),
    ...(problem === undefined ? {} : { problem: reasonWords(problem, provider.name) }),
  }
}

/** The waiting page, for a person who is at the provider or has just come back. */
export function toWaitingView(site: Site, { guest, elicitation, consentRequest }: ConnectFacts): WaitingView {
  const { id, expiresAt } = elicitation
  return {
    ...{ id, expiresAt, now: site.runtime.now(), ...toTop(site, guest) },
    provider: { name: consentRequest.provider.name, host: toHost(consentRequest.provider) },
    action: pathTo(paths.connect, id),
    statusUrl: pathTo(paths.connectStatus, id),
  }
}

/**
 * The host to which the person is redirected, or whose key they enter. Shown so that the person can recognise a false
 * host.
 */
function toHost(provider: Provider): string {
  const address =
    provider.kind === "oauth"
      ? (provider.endpoints?.authorization ?? provider.issuer)
      : provider.kind === "login_flow" || provider.kind === "mcp_server"
        ? provider.server
        : provider.api[0]
  return address === undefined ? provider.name : displayHost(address)
}

/** The page of an ended question with the true reason, for its addressee only. */
export function endedOf(
  { refusal, elicitation }: { readonly refusal: Refusal; readonly elicitation: Elicitation },
  provider: string,
  returnDetails: { readonly returnTo?: ReturnTo; readonly popup?: Popup },
) {
  const status = refusal.ended?.status ?? (refusal.code === "expired" ? "expired" : elicitation.status)
  const reason = refusal.ended?.reason ?? elicitation.reason
  const [title, words] = endings[status] ?? ["This has ended", "Nothing was connected."]
  const givesReason = status === "failed" || (status === "declined" && reason?.code === "access_denied")
  return endedPage({
    title,
    words: givesReason && reason !== undefined ? reasonWords(reason, provider) : words,
    ...returnDetails,
  })
}

const endings: Readonly<Record<string, readonly [title: string, words: string]>> = {
  expired: [
    "This link has expired",
    "Links are valid for a limited time. Go back to the program that asked and start again to get a new one.",
  ],
  declined: ["Not connected", "You said no. Nothing was connected, and the program that asked has been told."],
  cancelled: ["No longer needed", "The program that asked has withdrawn the question. Nothing was connected."],
  completed: ["This link has been used", "It was used earlier to connect the account."],
  failed: ["This did not work", "Nothing was connected. Go back to the program that asked and start again."],
  unsupported: [
    "This link was closed",
    "The program that asked could not show the question. Go back to it and start again.",
  ],
}
