// The page of a webhook: at work, with a new secret, and one that is being set at an address that is refused; and the
// section of the account page.

import { type AccountView, accountPage } from "@holdpoint/server/internal"
import type { SignedIn } from "@holdpoint/server/parts"
import { type ProgramWebhookView, type WebhookView, webhookPage, webhookSection } from "@holdpoint/webhooks/internal"
import { sample } from "./sample.ts"

const minute = 60_000
const day = 24 * 60 * minute
const events = ["question.asked", "question.opened", "question.accepted", "question.settled"]

export function webhooksAt(now: number, who: SignedIn, account: AccountView) {
  const top = { ...who, now, program: "Release robot", action: "/account/keys/4f2a91c07be3d615/webhook", events }
  const endpoint: NonNullable<WebhookView["endpoint"]> = {
    url: "https://ci.example.com/hooks/holdpoint",
    events: ["question.settled"],
    hears: "own",
    state: "active",
  }
  const id = (end: string): string => `msg_4f2a91c07be3d615_0zz91kd2a_${end}`
  const secret = `whsec_${"x7Qa+".repeat(9).slice(0, 43)}=`
  const atWork: WebhookView = {
    ...{ ...top, secret },
    endpoint: { ...endpoint, failingSince: now - 20 * minute, formerUntil: now + 3 * 60 * minute },
    deliveries: [
      {
        ...{ id: id("5e0f1c2d3b4a"), type: "question.settled", at: now - 20 * minute, state: "owed", attempts: 3 },
        ...{ dueAt: now + 15 * minute, last: { status: 503 } },
      },
      {
        ...{ id: id("91be07c4d2aa"), type: "question.settled", at: now - day, state: "accepted", attempts: 1 },
        ...{ dueAt: 0, last: { status: 204 } },
      },
    ],
  }
  const webhooks: readonly ProgramWebhookView[] = [
    { program: "Release robot", href: "/account/keys/k1/webhook", state: "failing" },
    { program: "Backup script", href: "/account/keys/k2/webhook", state: "none" },
  ]
  const wrong = { path: "url", message: "The address cannot be used: it is not a public address." }
  return {
    "webhook-new": sample(webhookPage, {
      ...{ ...top, deliveries: [], values: { ...endpoint, url: "https://10.0.0.7/hook" }, problems: [wrong] },
    } as WebhookView),
    webhook: sample(webhookPage, atWork),
    "account-webhooks": sample(
      ({ webhooks, ...view }) => accountPage({ ...view, sections: [webhookSection(webhooks)] }),
      { ...account, connections: [], programs: [], history: [], sessions: [], webhooks },
    ),
  }
}
