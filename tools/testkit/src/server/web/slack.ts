// The pages about Slack accounts: linking one, the code for it, and those that are linked.

import { type AccountView, accountPage } from "@holdpoint/server/internal"
import { linkSlackPage, slackCodePage, slackLinkedPage, slackSection } from "@holdpoint/slack/internal"
import { type Sample, sample } from "./sample.ts"

const minute = 60_000
const account = { user: "alice", workspace: "Acme Design" }

export function slackSamples(view: AccountView): Readonly<Record<string, Sample>> {
  const { signedInAs, csrf, now } = view
  const slack = [
    { ...account, since: now - 90 * minute, unlink: "/account/slack/T1%3AU1/unlink" },
    { user: "alice.of.the.other.place", workspace: "A workspace with a long name", since: now - minute, unlink: "/u" },
  ]
  const action = "/slack/link/q2tS"
  return {
    "slack-link": sample(linkSlackPage, { signedInAs, csrf, account, action }),
    "slack-code": sample(slackCodePage, { account, code: "KX7RM-2QWTB" }),
    "slack-linked": sample(slackLinkedPage, account),
    "account-slack": sample(
      ({ accounts, ...shown }) => accountPage({ ...shown, sections: [slackSection(accounts, shown)] }),
      { ...view, accounts: slack, connections: [], history: [], sessions: [] },
    ),
  }
}
