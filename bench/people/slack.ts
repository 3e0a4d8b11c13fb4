// Measures an answer in Slack: from the signed request of a press until the waiting program continues. Server, program
// and the stand-in for Slack are in this process.

import { form, yesNo } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { slack } from "@holdpoint/slack"
import { startSlackStandIn } from "@holdpoint/slack-stand-in"
import type { Area } from "../bench.ts"
import { newStoreLocation, openStorage, removeStoreLocation } from "../core/store-locations.ts"
import { percentile } from "../measure.ts"

const publicUrl = "http://127.0.0.1:4650"
const alice = { tenant: "acme", issuer: "local", subject: "alice" }
const presses = 120
const warmUps = 20

export const measureSlack: Area = async (bench) => {
  const location = await newStoreLocation(bench, "sqlite")
  const storage = await openStorage(location)
  const standIn = await startSlackStandIn({ isLimited: false })
  const { signingSecret, apiUrl } = standIn
  const inSlack = slack({ botTokens: [standIn.team().botToken], signingSecret, apiUrl })
  const holdpoint = await createHoldpoint({
    storage,
    keys: withNewKey(),
    publicUrl,
    people: { from: "local", user: alice.subject, tenant: alice.tenant },
    hub: { outlets: [] },
    parts: [inSlack],
    report: () => {},
  })
  const { hub } = holdpoint
  await inSlack.app.links.link({ team: "T0TEAM", user: "U0ALICE", userName: "alice", teamName: "Team" }, alice)
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
      const request = new Request(`${publicUrl}/slack/interactivity`, { method: "POST", body, headers })
      const began = performance.now()
      void holdpoint.fetch(request)
      await waiting
      if (index >= warmUps) times.push(performance.now() - began)
    }
  } finally {
    await holdpoint.close()
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
