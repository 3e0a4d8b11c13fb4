// The outlet keeps the contract for lasting outlets, in a workspace of the stand-in.

import { createAddresses, createMemoryStorage, isSamePerson, systemRuntime } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createManualClock, startSlackStandIn } from "@holdpoint/slack-stand-in"
import { outletContract } from "@holdpoint/testing"
import { memory } from "@holdpoint/testkit/hub/stores/engines"
import { describe, test } from "vitest"
import { people } from "../../testing/src/contract/outlet-case.ts"
import { slack as slackPart } from "../src/index.ts"

describe("the outlet for Slack", () => {
  for (const { name, run } of outletContract) {
    test(name, async () => {
      const users = ["ALICE", "BOB", "CAROL"].map((id) => ({ id: `U0${id}`, name: id.toLowerCase() }))
      const clock = createManualClock()
      const standIn = await startSlackStandIn({ clock, isLimited: false, teams: [{ users }] })
      const [storage, ours] = [await memory(), createMemoryStorage()]
      const open = async () => {
        const token = standIn.team().botToken
        const slack = slackPart({ botTokens: [token], signingSecret: "unused", apiUrl: standIn.apiUrl })
        const { outlet } = slack.open({
          storage: ours,
          keys: withNewKey(),
          runtime: { ...systemRuntime, now: clock.now },
          async findPerson(person) {
            const match = Object.values(people).find((one) => isSamePerson(one, person))
            return match && { principal: match }
          },
          report: () => {},
          addresses: createAddresses("https://hub.example"),
          hub: { answer: fail, get: fail },
        })
        for (const [index, person] of Object.values(people).entries()) {
          const user = users[index]?.id ?? ""
          await slack.app.links.link({ team: "T0TEAM", user, userName: user, teamName: "Team 1" }, person)
        }
        return outlet
      }
      try {
        await run({
          open,
          addresses: ["T0TEAM:U0ALICE", "T0TEAM:U0BOB", "T0TEAM:U0CAROL"],
          seen: async () =>
            standIn
              .team()
              .messages.filter(({ blocks = [] }) => blocks.some(({ type }) => type === "actions"))
              .map(({ channel }) => `T0TEAM:U${channel.slice(1)}`),
          storage,
        })
      } finally {
        await storage.destroy()
        await ours.close()
        await standIn.close()
      }
    })
  }
})

const fail = (): never => {
  throw new Error("The contract does not answer in Slack.")
}
