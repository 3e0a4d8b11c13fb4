// Questions in Slack when there are many, when Slack limits or fails, and when processes come and go.

import type { Requester } from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import type { Message, StandInOptions } from "@holdpoint/slack-stand-in"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { slackInvitationKind } from "../src/records.ts"
import { alice, aliceInSlack, openSlackWorld, type SlackNode, type SlackWorld } from "./world.ts"

const requester = { id: "deployer" }
const lifetimeMs = 24 * 3_600_000
const hasButtons = ({ blocks = [] }: Message): boolean => blocks.some(({ type }) => type === "actions")
const ask = (node: SlackNode, audience = alice, message = "Go on?", asker: Requester = requester) =>
  node.hub.ask({ message, audience, requester: asker, lifetimeMs, form: confirmForm() })
const questionMessage = ({ slack }: SlackWorld): Promise<Message> =>
  slack.until(() => slack.as("U0ALICE").sees().find(hasButtons))
const isEnded =
  ({ slack }: SlackWorld, { ts }: Message) =>
  () =>
    slack
      .as("U0ALICE")
      .sees()
      .some((message) => message.ts === ts && !hasButtons(message))

describe("many questions", () => {
  verifies(
    "slack.once-each-through-limits",
    "reach their people once each, and end, as fast as Slack allows",
    async () => {
      const names = Array.from({ length: 10 }, (_none, index) => `P${index}`)
      const users = names.map((name) => ({ id: `U0${name}`, name }))
      const world = await openSlackWorld({ teams: [{ users }] })
      const node = await world.addNode()
      const people = names.map((subject) => ({ ...alice, subject }))
      for (const [index, principal] of people.entries()) {
        world.people.push({ principal })
        await world.link(node, { team: "T0TEAM", user: users[index]?.id ?? "" }, principal)
      }
      const asked = await Promise.all(
        people.flatMap((person) =>
          Array.from({ length: 20 }, (_none, index) =>
            ask(node, person, `Question ${index}`, { ...requester, id: `deployer ${index % 2}` }),
          ),
        ),
      )
      const messages = () => world.slack.team().messages
      const until = async (isSo: () => boolean): Promise<number> => {
        for (let seconds = 0; seconds < 900; seconds++) {
          await world.quiet()
          if (isSo()) return seconds
          await world.advance(1_000)
        }
        throw new Error(`It took longer than fifteen minutes: ${messages().length} messages.`)
      }
      const seconds = await until(() => messages().length >= asked.length)
      expect(seconds).toBeGreaterThan(5)
      expect(seconds).toBeLessThan(60)
      const limited = world.slack.api.calls.filter(({ error }) => error === "ratelimited").length
      expect(limited).toBeLessThan(50)
      await Promise.all(asked.map(({ id }) => node.hub.cancel(id)))
      await until(() => messages().every((message) => !hasButtons(message)))
      await world.advance(600_000)
      await world.quiet()
      const seen = users.map(({ id }) => world.slack.as(id).sees().length)
      expect(seen).toEqual(names.map(() => 20))
      expect(messages()).toHaveLength(200)
      expect(world.problems).toEqual([])
    },
    60_000,
  )
})

describe("a question in Slack", () => {
  it("is posted when Slack says that it may be, and not sooner", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    await world.link(node, aliceInSlack, alice)
    world.slack.api.fail("chat.postMessage", { status: 429, retryAfter: 120 })
    await ask(node)
    await expect.poll(() => world.slack.api.calls.some(({ error }) => error === "ratelimited")).toBe(true)
    await world.quiet()
    await world.advance(119_000)
    await world.quiet()
    expect(world.slack.as("U0ALICE").sees()).toEqual([])
    await world.advance(2_000)
    await questionMessage(world)
    expect(world.problems).toEqual([])
  })

  it("is posted once when the connection breaks after Slack has it", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    await world.link(node, aliceInSlack, alice)
    world.slack.api.fail("chat.postMessage", { lost: "after" })
    const asked = await ask(node)
    const message = await questionMessage(world)
    await world.quiet()
    await world.advance(10_000)
    await world.quiet()
    expect(world.slack.as("U0ALICE").sees()).toHaveLength(1)
    await node.hub.cancel(asked.id)
    await world.slack.until(isEnded(world, message))
  })

  it("is not shown in Slack when the person has no account there, and stays open", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    const asked = await ask(node, { ...alice, subject: "zoe" })
    await expect
      .poll(async () => (await node.hub.trail({ id: asked.id, limit: 20 })).map(({ kind }) => kind))
      .toContain("not_shown")
    expect((await node.hub.get(asked.id))?.status).toBe("pending")
    expect(world.problems).toEqual([])
  })

  verifies("slack.survives-restarts", "is answered and ended by processes that did not post it", async () => {
    const world = await openSlackWorld()
    const asking = await world.addNode({ isAimedAt: false })
    await world.link(asking, aliceInSlack, alice)
    const { id } = await ask(asking)
    const first = await questionMessage(world)
    await asking.close()
    const answering = await world.addNode()
    await world.slack.as("U0ALICE").press({ ...first, button: "holdpoint_yes" })
    expect((await answering.hub.get(id))?.status).toBe("completed")
    await world.slack.until(isEnded(world, first))
    const second = await ask(answering, alice, "And now?")
    const message = await questionMessage(world)
    // Slack cannot be reached when the question ends, and the process is stopped before it can.
    world.slack.api.fail("chat.update", { status: 503 })
    await answering.hub.cancel(second.id)
    await world.quiet()
    await answering.close()
    expect(isEnded(world, message)()).toBe(false)
    await world.addNode()
    await world.advance(10_000)
    await world.slack.until(isEnded(world, message))
  })

  it("tells the person to press again when Slack no longer opens the modal", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    await world.link(node, aliceInSlack, alice)
    await ask(node)
    const message = await questionMessage(world)
    world.slack.api.fail("views.open", { error: "expired_trigger_id" })
    const pressed = await world.slack.as("U0ALICE").press({ ...message, button: "holdpoint_decline" })
    expect(pressed).toMatchObject({ kind: "acknowledged" })
    expect(world.slack.as("U0ALICE").sees().at(-1)?.text).toBe(
      "Slack did not show the form in time. Press the button again.",
    )
  })

  it("is acknowledged in time, however long the answer takes", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    await world.link(node, aliceInSlack, alice)
    await ask(node)
    const message = await questionMessage(world)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { answer } = node.hub
    Object.assign(node.hub, {
      answer: async (...given: Parameters<typeof answer>) => held.then(() => answer(...given)),
    })
    let kind = "waiting"
    const pressing = world.slack.as("U0ALICE").press({ ...message, button: "holdpoint_yes" })
    void pressing.then((delivered) => {
      kind = delivered.kind
    })
    await expect
      .poll(async () => {
        await world.clock.advance(500)
        return kind
      })
      .toBe("acknowledged")
    release()
    await world.slack.until(isEnded(world, message))
  })

  it("that is pressed twice at the same time is answered once, and a repeated request does nothing", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    await world.link(node, aliceInSlack, alice)
    const { id } = await ask(node)
    const message = await questionMessage(world)
    const press = () => world.slack.as("U0ALICE").press({ ...message, button: "holdpoint_yes" })
    await Promise.all([press(), press()])
    const trail = await node.hub.trail({ id, limit: 50 })
    expect(trail.filter(({ kind }) => kind === "completed")).toHaveLength(1)
    const body = {
      type: "block_actions",
      api_app_id: "A0HOLDPOINT",
      trigger_id: "1",
      team: { id: "T0TEAM" },
      user: { id: "U0BOB" },
    }
    const payload = {
      ...body,
      container: { channel_id: message.channel, message_ts: message.ts },
      actions: [{ action_id: "holdpoint_yes", value: id }],
    }
    const count = () => world.slack.team().messages.length
    await world.slack.courier.interaction(payload)
    const once = count()
    await world.slack.courier.interaction(payload)
    expect(count()).toBe(once)
  })

  it("is answered by socket mode, in a modal too", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode({ isSocket: true })
    await world.link(node, aliceInSlack, alice)
    const asked = await ask(node)
    const message = await questionMessage(world)
    await world.slack.as("U0ALICE").press({ ...message, button: "holdpoint_decline" })
    expect(await world.slack.as("U0ALICE").submit({ reason: "Not today" })).toEqual({ isClosed: true, errors: {} })
    expect(await node.hub.wait(asked)).toMatchObject({ status: "declined", reason: { message: "Not today" } })
    expect(world.problems).toEqual([])
  })

  it("is sent again as a reminder, and both messages end", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    await world.link(node, aliceInSlack, alice)
    const remindEveryMs = 3_600_000
    const draft = { message: "Go on?", audience: alice, requester, lifetimeMs, form: confirmForm(), remindEveryMs }
    const { id } = await node.hub.ask(draft)
    await questionMessage(world)
    await world.advance(remindEveryMs + 1_000)
    const seen = () => world.slack.as("U0ALICE").sees()
    await world.slack.until(() => seen().filter(hasButtons).length === 2)
    expect(JSON.stringify(seen()[1]?.blocks)).toContain("A reminder:")
    await node.hub.cancel(id)
    await world.slack.until(() => seen().every((message) => !hasButtons(message)))
  })
})

describe("an invitation", () => {
  const invite = async (options: StandInOptions = {}) => {
    const world = await openSlackWorld(options)
    const node = await world.addNode()
    world.people.splice(0, 1, { principal: alice, name: "Alice", email: "alice@example.com" })
    const { id } = await ask(node, alice, "The code word is swordfish.")
    const invitation = await questionMessage(world)
    return { world, node, id, invitation }
  }

  verifies(
    "slack.linked-then-asked",
    "never shows the question, even if Slack fails when the question ends",
    async () => {
      const { world, node, id, invitation } = await invite()
      world.slack.api.fail("chat.update", { status: 503 })
      await node.hub.cancel(id)
      await world.quiet()
      expect(isEnded(world, invitation)()).toBe(false)
      await world.advance(10_000)
      await world.slack.until(isEnded(world, invitation))
      const [ended] = world.slack.as("U0ALICE").sees()
      expect(ended?.text).toBe("The question that was waiting for you here has ended.")
      expect(JSON.stringify(world.slack.team().messages)).not.toContain("swordfish")
    },
  )

  it("whose question ended is not looked at every minute, in a workspace that the app has left", async () => {
    const { world, node, id } = await invite({ teams: [{ id: "T0TEAM" }, { id: "T0OTHER" }] })
    await node.close()
    const tokens = [...world.slack.world.teams.values()].map(({ botToken }) => botToken)
    const later = await world.addNode({ botTokens: tokens.slice(1) })
    await later.hub.cancel(id)
    await world.quiet()
    await world.advance(11 * 60_000)
    await world.quiet()
    const due = world.storage.records(slackInvitationKind).list({ dueBefore: world.clock.now(), limit: 9 })
    expect(await due).toEqual([])
    expect(await world.storage.records(slackInvitationKind).list({ tenant: "T0TEAM", limit: 9 })).toHaveLength(1)
  })
})

describe("the command /holdpoint", () => {
  it("links and unlinks the account of the person who types it", async () => {
    const world = await openSlackWorld()
    const node = await world.addNode()
    await world.link(node, aliceInSlack, alice)
    const type = async (text: string): Promise<string> => {
      const fields = { command: "/holdpoint", text, team_id: "T0TEAM", user_id: "U0ALICE", api_app_id: "A0HOLDPOINT" }
      const body = new URLSearchParams({ ...fields, trigger_id: String(Math.random()) }).toString()
      const headers = { "content-type": "application/x-www-form-urlencoded", ...world.slack.sign(body) }
      const response = await fetch(`${node.url}/slack/events`, { method: "POST", body, headers })
      return ((await response.json()) as { readonly text: string }).text
    }
    expect(await type("")).toContain("/holdpoint unlink")
    expect(await type("unlink")).toContain("no longer linked")
    expect(await node.slack.links.of(alice)).toEqual([])
    expect(await type("unlink")).toBe("Your Slack account is not linked.")
    expect(await type("link")).toContain("direct messages")
    expect(JSON.stringify(world.slack.as("U0ALICE").sees())).toContain("/slack/link/")
  })
})
