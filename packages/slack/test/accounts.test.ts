// A Slack account is a team and a user id, and only what our own messages and modals send is an answer.

import { form, text } from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import { describe, expect, it } from "vitest"
import { alice, aliceInSlack, openSlackWorld } from "./world.ts"

async function openAsked(asked = confirmForm({}, "Delete the note?")) {
  const world = await openSlackWorld()
  const node = await world.addNode()
  await world.link(node, aliceInSlack, alice)
  const question = await node.hub.ask({
    ...{ message: "Delete the note?", audience: alice, form: asked, lifetimeMs: 3_600_000 },
    requester: { id: "deployer", name: "Deployer" },
  })
  const base = {
    ...{ api_app_id: "A0HOLDPOINT", trigger_id: "1.2.x", team: { id: "T0TEAM", domain: "acme" } },
    user: { id: "U0ALICE", team_id: "T0TEAM" },
  }
  const send = async (more: object): Promise<number> => {
    const payload = new URLSearchParams({ payload: JSON.stringify({ ...base, ...more }) }).toString()
    const headers = { "content-type": "application/x-www-form-urlencoded", ...world.slack.sign(payload) }
    return (await fetch(`${node.url}/slack/interactivity`, { method: "POST", body: payload, headers })).status
  }
  const press = (action: string) => ({ type: "block_actions", actions: [{ action_id: action, value: question.id }] })
  const submission = (callback: string, more: object = {}) => ({
    type: "view_submission",
    view: { id: "V1", callback_id: callback, private_metadata: question.id, state: { values: {} } },
    ...more,
  })
  const status = async () => (await node.hub.get(question.id))?.status
  return { world, node, send, press, submission, status }
}

const foreign = { user: { id: "U0ALICE", team_id: "T0OTHER" } }

describe("an interaction in Slack", () => {
  it("of a foreign team's user with the same id answers nothing", async () => {
    const { send, press, submission, status } = await openAsked()
    for (const attack of [press("holdpoint_yes"), press("holdpoint_no"), submission("holdpoint_answer")])
      expect(await send({ ...attack, ...foreign })).toBe(403)
    expect(await status()).toBe("pending")
    expect(await send(press("holdpoint_yes"))).toBe(200)
    await expect.poll(status).toBe("completed")
  })

  it.each(["", "other_modal", "holdpoint_answer ", "holdpoint_decline2"])(
    "with the unknown callback “%s” answers nothing",
    async (callback) => {
      for (const asked of [confirmForm({}, "Delete the note?"), form({ why: text() }, { optional: ["why"] })]) {
        const { send, submission, status } = await openAsked(asked)
        expect(await send(submission(callback))).toBe(200)
        expect(await status()).toBe("pending")
      }
    },
  )

  it("with an unknown action answers nothing and says nothing, even when the question has ended", async () => {
    const { world, node, send, press, status } = await openAsked()
    const whispers = () =>
      world.slack
        .as("U0ALICE")
        .sees()
        .filter(({ onlyFor }) => onlyFor === "U0ALICE").length
    expect(await send(press("holdpoint_maybe"))).toBe(200)
    expect(await status()).toBe("pending")
    const [question] = await node.hub.list({ tenant: alice.tenant, state: "open", limit: 1 })
    await node.hub.answer(question?.id ?? "", { by: alice, action: "decline", via: "web" })
    const before = whispers()
    expect(await send(press("other_app"))).toBe(200)
    expect(whispers()).toBe(before)
  })
})

describe("a message in Slack", () => {
  it.each(["team", "user_team", "source_team"])(
    "of a person whose %s is foreign reaches no listener",
    async (member) => {
      const { world, node } = await openAsked()
      const heard: string[] = []
      node.slack.onMessage(async ({ text }) => void heard.push(text))
      const say = async (id: string, more: object) => {
        const event = {
          type: "message",
          channel_type: "im",
          user: "U0ALICE",
          channel: "D0ALICE",
          ts: "1.000001",
          text: id,
        }
        const body = JSON.stringify({
          ...{ type: "event_callback", team_id: "T0TEAM", api_app_id: "A0HOLDPOINT", event_id: id },
          event: { ...event, ...more },
        })
        const headers = { "content-type": "application/json", ...world.slack.sign(body) }
        await fetch(`${node.url}/slack/events`, { method: "POST", body, headers })
      }
      await say("Ev1", { [member]: "T0OTHER" })
      await say("Ev2", { [member]: "T0TEAM" })
      await expect.poll(() => heard).toEqual(["Ev2"])
    },
  )
})
