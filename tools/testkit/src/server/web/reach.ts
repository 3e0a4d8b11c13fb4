// How questions reach a person, as the account page shows it: with quiet hours, and with an address that is dead.

import { type EmailView, emailSection, unsubscribedPage, unsubscribePage } from "@holdpoint/email/internal"
import type { AccountView, ReachView } from "@holdpoint/server/internal"
import { accountPage } from "@holdpoint/server/internal"
import { type Sample, sample } from "./sample.ts"

const options = [
  { value: "0", title: "At once" },
  { value: "600000", title: "After 10 minutes" },
  { value: "never", title: "Never" },
]
const after = (name: string, title: string, usual: string, chosen = "") => ({ name, title, usual, chosen, options })
const kinds = (outlet: string, usual: string, chosen = "") => [
  after(`${outlet} approval`, "Approvals and other questions", usual, chosen),
  after(`${outlet} credential_required`, "Accounts to connect", usual),
]

export function reachSamples(now: number, account: AccountView): Readonly<Record<string, Sample>> {
  const reach: ReachView = {
    action: "/account/reach",
    places: [
      { title: "Slack", all: after("slack", "Slack", "at once"), kinds: kinds("slack", "at once") },
      {
        title: "E-mail",
        all: after("email", "E-mail", "after 10 minutes"),
        kinds: kinds("email", "after 10 minutes", "0"),
      },
    ],
    quietHours: { from: "22:00", to: "07:00", zone: "Europe/Berlin", urgent: true },
  }
  const email = { address: "alice@example.com", action: "/account/reach/address" }
  const dead = { at: now - 2 * 24 * 3_600_000, status: "5.1.1" }
  const problems = [
    { path: "to", message: "This must be a time of day such as 22:00." },
    { path: "zone", message: "This must be a time zone such as Europe/Berlin." },
  ] as const
  const wrong = { ...reach, quietHours: { ...reach.quietHours, to: "", zone: "Berlin" }, problems }
  const bare: AccountView = { ...account, connections: [], programs: [], history: [], sessions: [] }
  const about = "approvals and other questions from programs"
  return {
    "account-reach": sample(withEmail, { ...bare, reach, email }),
    "account-reach-dead": sample(withEmail, { ...bare, reach: wrong, email: { ...email, dead } }),
    unsubscribe: sample(unsubscribePage, { about, action: "/unsubscribe/token" }),
    unsubscribed: sample(unsubscribedPage, { about }),
  }
}

const withEmail = ({ email, ...view }: AccountView & { readonly email: EmailView }) =>
  accountPage({ ...view, sections: [emailSection(email, view)] })
