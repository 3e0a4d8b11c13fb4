// What Slack sends arrives verified, once, and by HTTP as by socket mode.

import { inspect } from "node:util"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { type SlackMessageEvent, slackErrorOf } from "../src/index.ts"
import { slackEventKind } from "../src/records.ts"
import { alice, aliceInSlack, openSlackWorld, type SlackNode } from "./world.ts"

function listenTo(node: SlackNode): SlackMessageEvent[] {
  const heard: SlackMessageEvent[] = []
  node.slack.onMessage(async (message) => void heard.push(message))
  return heard
}

const post = (url: string, body: string, headers: Readonly<Record<string, string>>) =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } })

describe("messages from Slack", () => {
  for (const isSocket of [false, true]) {
    it(`reach listeners with their verified sender, by ${isSocket ? "socket mode" : "HTTP"}`, async () => {
      const world = await openSlackWorld()
      const node = await world.addNode({ isSocket })
      const heard = listenTo(node)
      await world.link(node, aliceInSlack, alice)
      const direct = world.slack.as("U0ALICE").say("hello")
      const mention = world.slack.as("U0ALICE").mention("what is due?")
      world.slack.as("U0ALICE").mention("and now?", { thread: mention.ts })
      await expect.poll(() => heard.length).toBe(3)
      const sender = { ...aliceInSlack, principal: alice }
      const sorted = heard.toSorted((a, b) => a.ts.localeCompare(b.ts))
      expect(sorted).toMatchObject([
        { kind: "direct", channel: "D0ALICE", ts: direct.ts, text: "hello", ...sender },
        { kind: "mention", channel: "C0GENERAL", ts: mention.ts, text: "<@U0BOT> what is due?", ...sender },
        { kind: "mention", channel: "C0GENERAL", thread_ts: mention.ts, ...sender },
      ])
      expect(sorted[0]).not.toHaveProperty("thread_ts")
      expect(world.problems).toEqual([])
    })
  }

  verifies("slack.event-handled-once", "are handled once, however often and wherever Slack sends them", async () => {
    const world = await openSlackWorld()
    const [first, second] = [await world.addNode(), await world.addNode({ isAimedAt: false })]
    const heard = [listenTo(first), listenTo(second)]
    await world.link(first, aliceInSlack, alice)
    world.slack.as("U0ALICE").say("once")
    await world.slack.courier.idle()
    const [{ id } = { id: "" }] = world.slack.courier.deliveries
    expect(await world.slack.courier.again(id)).toMatchObject({ kind: "acknowledged" })
    world.slack.aim({ events: `${second.url}/slack/events` })
    expect(await world.slack.courier.again(id)).toMatchObject({ kind: "acknowledged" })
    await Promise.all([first.close(), second.close()])
    expect(heard.flat().map(({ text }) => text)).toEqual(["once"])
  })

  verifies("slack.event-survives-a-death", "are handled by another process when the first one dies", async () => {
    const world = await openSlackWorld()
    const dying = await world.addNode()
    await world.link(dying, aliceInSlack, alice)
    dying.slack.onMessage(async () => {
      throw new Error("out of memory")
    })
    world.slack.as("U0ALICE").say("still there?")
    await world.slack.courier.idle()
    await expect.poll(() => world.problems).toHaveLength(1)
    await dying.close()
    const heard = listenTo(await world.addNode())
    expect(heard).toEqual([])
    await world.advance(61_000)
    await expect.poll(() => heard.map(({ text }) => text)).toEqual(["still there?"])
    await world.advance(600_000)
    expect(heard).toHaveLength(1)
  })

  it("are kept sealed, and only until they are handled", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    await world.link(node, aliceInSlack, alice)
    let seen = ""
    const list = () => world.storage.records(slackEventKind).list({ tenant: "T0TEAM", limit: 10 })
    node.slack.onMessage(async () => {
      seen = JSON.stringify(await list())
    })
    world.slack.as("U0ALICE").say("between us")
    await expect.poll(() => seen).toContain("sealed")
    expect(seen).not.toContain("between us")
    await expect
      .poll(async () => (await list()).map(({ state, sealed }) => [state, sealed]))
      .toEqual([["done", undefined]])
  })

  it("from the app itself, from other bots and about edits do not reach listeners", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    const heard = listenTo(node)
    await world.link(node, aliceInSlack, alice)
    const workspace = await node.slack.workspaces.find("T0TEAM")
    await workspace?.call("chat.postMessage", { channel: "U0ALICE", text: "by the app" })
    const message = world.slack.as("U0ALICE").say("by alice")
    world.slack.as("U0ALICE").edit(message, "changed")
    const byBot = { type: "message", channel_type: "im", user: "U0ALICE", bot_id: "B0OTHER", channel: "D0ALICE" }
    world.slack.courier.event(world.slack.team(), { ...byBot, ts: "1.000001", text: "by a bot" })
    await world.slack.courier.idle()
    await node.close()
    expect(heard.map(({ text }) => text)).toEqual(["by alice"])
  })
})

describe("requests that only claim to come from Slack", () => {
  const body = (more: object = {}) =>
    JSON.stringify({
      ...{ type: "event_callback", team_id: "T0TEAM", api_app_id: "A0HOLDPOINT", event_id: "Ev1" },
      event: { type: "message", channel_type: "im", user: "U0ALICE", channel: "D0ALICE", ts: "1.000001", text: "hi" },
      ...more,
    })

  verifies("slack.requests-verified", "are refused: unsigned, forged, altered, stale, and foreign", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    const heard = listenTo(node)
    await world.link(node, aliceInSlack, alice)
    const at = Math.floor(world.clock.now() / 1_000)
    const { sign } = world.slack
    for (const path of ["/slack/events", "/slack/interactivity"]) {
      const send = async (text: string, headers: Readonly<Record<string, string>>) =>
        (await post(`${node.url}${path}`, text, headers)).status
      expect(await send(body(), {})).toBe(401)
      expect(await send(body(), { ...sign(body()), "x-slack-signature": `v0=${"0".repeat(64)}` })).toBe(401)
      expect(await send(body(), { ...sign(body()), "x-slack-signature": "v0=" })).toBe(401)
      expect(await send(body({ event_id: "Ev2" }), sign(body()))).toBe(401)
      expect(await send(body(), { ...sign(body()), "x-slack-request-timestamp": String(at - 1) })).toBe(401)
      expect(await send(body(), sign(body(), at - 301))).toBe(401)
      expect(await send(body(), sign(body(), at + 301))).toBe(401)
      const foreignTeam = body({ team_id: "T0OTHER" })
      expect(await send(foreignTeam, sign(foreignTeam))).toBe(403)
      const foreignApp = body({ api_app_id: "A0OTHER" })
      expect(await send(foreignApp, sign(foreignApp))).toBe(403)
      expect(await send("{", sign("{"))).toBe(400)
    }
    expect(heard).toEqual([])
    expect((await post(`${node.url}/slack/events`, body(), sign(body(), at - 299))).status).toBe(200)
    await expect.poll(() => heard.length).toBe(1)
  })

  it("are told apart from Slack's own challenge", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    expect(await world.slack.courier.challenge()).toBe(true)
    const challenge = JSON.stringify({ type: "url_verification", challenge: "x" })
    expect((await post(`${node.url}/slack/events`, challenge, {})).status).toBe(401)
  })

  it("of three megabytes are refused with 413, and signed ones of one megabyte are read", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    const allowed = body({ padding: "x".repeat(1_000_000) })
    expect((await post(`${node.url}/slack/events`, allowed, world.slack.sign(allowed))).status).toBe(200)
    const large = "x".repeat(3_000_000)
    expect((await post(`${node.url}/slack/events`, large, world.slack.sign(large))).status).toBe(413)
  })
})

describe("the Web API", () => {
  it("is not called before Slack's Retry-After has passed, and each waiting caller gets its own time", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    const workspace = (await node.slack.workspaces.find("T0TEAM"))!
    const say = () => workspace.call("chat.postMessage", { channel: "D0ALICE", text: "hello" })
    world.slack.as("U0ALICE")
    world.slack.api.fail("chat.postMessage", { status: 429, retryAfter: 30 })
    await expect(say()).rejects.toMatchObject({ code: "too_often", retryAfterMs: 30_000 })
    await expect(say()).rejects.toMatchObject({ code: "too_often", retryAfterMs: 31_000 })
    const calls = () => world.slack.api.calls.filter(({ method }) => method === "chat.postMessage").length
    expect(calls()).toBe(1)
    await workspace.call("chat.postMessage", { channel: "C0GENERAL", text: "another place" })
    await world.advance(30_000)
    await say()
    expect(calls()).toBe(3)
  })

  it("fails with the name of Slack's error, or without one when the request was lost, and never with a token", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    const workspace = (await node.slack.workspaces.find("T0TEAM"))!

    const refused = await workspace.call("chat.postMessage", { channel: "C0NONE", text: "x" }).catch((error) => error)
    expect(refused).toMatchObject({ code: "provider_refused" })
    expect(slackErrorOf(refused)).toBe("channel_not_found")
    world.slack.api.fail("chat.postMessage", { lost: "before" })
    const lost = await workspace.call("chat.postMessage", { channel: "C0GENERAL", text: "x" }).catch((error) => error)
    expect(lost).toMatchObject({ code: "provider_unavailable" })
    expect(slackErrorOf(lost)).toBeUndefined()
    expect(inspect([refused, lost], { depth: 20 })).not.toContain(world.slack.team().botToken)
  })
})
