// Measures an answer in Slack: from the signed request of a press until the waiting program continues. Server, program
// and the stand-in for Slack are in this process.

import { createAddresses, createHub, form, systemRuntime, yesNo } from "@holdpoint/sdk"
import { createDirectory } from "@holdpoint/sdk/outlets"
import { withNewKey } from "@holdpoint/sdk/sealing"
import { createSlack } from "@holdpoint/sdk/slack"
import { startSlackStandIn } from "../../test/slack-stand-in/index.ts"
import type { Area } from "../bench.ts"
import { newStoreLocation, openStorage, removeStoreLocation } from "../core/store-locations.ts"
import { percentile } from "../measure.ts"

const alice = { tenant: "acme", issuer: "https://people.example", subject: "alice" }
const presses = 120
const warmUps = 20

export const measureSlack: Area = async (bench) => {
  const location = await newStoreLocation(bench, "sqlite")
  const storage = await openStorage(location)
  const standIn = await startSlackStandIn({ isLimited: false })
  const report = (): void => {}
  const slack = createSlack({
    ...{ botTokens: [standIn.team().botToken], signingSecret: standIn.signingSecret, apiUrl: standIn.apiUrl },
    ...{ storage, keys: withNewKey(), runtime: systemRuntime, report },
    findPerson: async () => ({ principal: alice }),
  })
  const hub = createHub({ storage, outlets: [slack.outlet], directory: createDirectory([slack.people]), report })
  const mount = slack.mount({ hub, addresses: createAddresses("https://hub.example") })
  await slack.links.link({ team: "T0TEAM", user: "U0ALICE", userName: "alice", teamName: "Team" }, alice)
  const times: number[] = []
  try {
    for (let index = 0; index < presses; index++) {
      if (index % 20 === 0) bench.progress(`an answer in Slack, ${index} of ${presses}`)
      const asked = await hub.ask({ ...question, audience: alice })
      const waiting = hub.wait(asked)
      // The person presses the button after the message has appeared.
      await standIn.until(() => standIn.team().messages.some((message) => JSON.stringify(message).includes(asked.id)))
      const body = bodyOf(asked.id, index)
      const headers = { "content-type": "application/x-www-form-urlencoded", ...standIn.sign(body) }
      const request = new Request("https://hub.example/slack/interactivity", { method: "POST", body, headers })
      const began = performance.now()
      void mount.fetch(request)
      await waiting
      if (index >= warmUps) times.push(performance.now() - began)
    }
  } finally {
    await mount.close()
    await hub.close()
    await standIn.close()
    await storage.close()
    await removeStoreLocation(location)
  }
  return [50, 99].map((share) => ({
    name: `sqlite/people/slack/answer-to-program/p${share}`,
    value: percentile(times, share),
    unit: "ms",
  }))
}

const question = {
  message: "Deploy to production?",
  form: form({ ok: yesNo({ title: "Deploy" }) }),
  requester: { id: "bench" },
  lifetimeMs: 3_600_000,
}

function bodyOf(id: string, index: number): string {
  const payload = {
    ...{ type: "block_actions", api_app_id: "A0HOLDPOINT", trigger_id: `${index}` },
    ...{ team: { id: "T0TEAM" }, user: { id: "U0ALICE" }, actions: [{ action_id: "holdpoint_yes", value: id }] },
  }
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}
