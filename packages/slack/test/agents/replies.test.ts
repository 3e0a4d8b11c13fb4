// A reply in Slack arrives once and complete, even when Slack refuses calls or connections are lost.

import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import type { Message } from "@holdpoint/slack-stand-in"
import { openTalkWorld, type TalkWorld } from "@holdpoint/testkit/slack/agents/talk-world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { createSteps } from "./steps.ts"

const says = (text: string): AgentsConfig => ({ agents: { helper: { model: scriptedModel(() => ({ text })) } } })

/** Waits until the reply has ended, and returns its messages. */
async function ended(world: TalkWorld, message: Message, end: string): Promise<readonly string[]> {
  await world.until(() => {
    const texts = world.textsOf(message)
    const states = world.alice.sees({ thread: message.ts, channel: message.channel })
    return texts.at(-1)?.includes(end) && states.every(({ streaming_state: state }) => state !== "in_progress")
  })
  await world.pass(5_000)
  return world.textsOf(message)
}

describe("a reply", () => {
  verifies("slack.talk-whole", "waits as long as Slack says, and loses nothing", async () => {
    const world = await openTalkWorld()
    const steps = createSteps(["one ", "two ", "three"])
    await world.start(steps.config)
    world.slack.api.fail("chat.appendStream", { status: 429, retryAfter: 7 })
    const message = world.alice.say("go")
    await world.until(() => world.textsOf(message).length === 1)
    steps.next()
    await world.until(() => world.calls("chat.appendStream").length === 1)
    const limitedAt = world.clock.now()
    await world.pass(6_000)
    expect(world.calls("chat.appendStream")).toHaveLength(1)
    await world.until(() => world.textsOf(message)[0]?.includes("two"))
    expect(world.clock.now() - limitedAt).toBeGreaterThanOrEqual(7_000)
    steps.next()
    expect(await ended(world, message, "three")).toEqual(["one \n\ntwo \n\nthree"])
    expect(world.problems).toEqual([])
  })

  it.each([
    ["chat.startStream", "before"],
    ["chat.startStream", "after"],
    ["chat.appendStream", "before"],
    ["chat.appendStream", "after"],
    ["chat.stopStream", "before"],
    ["chat.stopStream", "after"],
    ["chat.update", "after"],
    ["conversations.replies", "before"],
  ] as const)("is complete when the connection is lost in %s, %s the call was processed", async (method, lost) => {
    const world = await openTalkWorld()
    const steps = createSteps(["alpha ", "beta ", "gamma"])
    await world.start(steps.config)
    world.slack.api.fail(method, { lost })
    if (method === "chat.update" || method === "conversations.replies")
      world.slack.api.fail(method === "chat.update" ? "chat.appendStream" : "chat.startStream", { lost: "after" })
    const message = world.alice.say("go")
    await world.until(() => world.textsOf(message).join("").includes("alpha"))
    steps.next()
    await world.until(() => world.textsOf(message).join("").includes("beta"))
    steps.next()
    const texts = await ended(world, message, "gamma")
    expect(wordsOf(texts)).toEqual(["alpha", "beta", "gamma"])
    expect(world.problems).toEqual([])
  })

  it.each(["before", "after"] as const)("is posted once when the connection is lost %s posting", async (lost) => {
    const world = await openTalkWorld()
    await world.start(says("whole"))
    world.slack.api.fail("chat.startStream", { error: "not_allowed" })
    world.slack.api.fail("chat.postMessage", { lost })
    const message = world.alice.say("go")
    expect(await ended(world, message, "whole")).toEqual(["whole"])
  })

  it("continues in another message when Slack has ended the stream", async () => {
    const world = await openTalkWorld()
    const steps = createSteps(["alpha ", "beta"])
    await world.start(steps.config)
    const message = world.alice.say("go")
    await world.until(() => world.textsOf(message).length === 1)
    world.slack.api.fail("chat.appendStream", { error: "message_not_in_streaming_state" })
    world.slack.api.fail("chat.stopStream", { error: "message_not_in_streaming_state" })
    steps.next()
    await world.until(() => world.textsOf(message).length === 2)
    expect(wordsOf(world.textsOf(message))).toEqual(["alpha", "beta"])
  })

  it("does not hold a stream open while an agent is silent for minutes", async () => {
    const world = await openTalkWorld()
    const steps = createSteps(["alpha ", "beta"])
    await world.start(steps.config)
    const message = world.alice.say("go")
    await world.until(() => world.textsOf(message).length === 1)
    await world.pass(20 * 60_000)
    expect(world.alice.sees({ thread: message.ts }).at(-1)?.streaming_state).toBe("completed")
    steps.next()
    expect(wordsOf(await ended(world, message, "beta"))).toEqual(["alpha", "beta"])
  })

  verifies(
    "slack.talk-whole",
    "that is too long for one message continues in the next, and so do its code blocks",
    async () => {
      const world = await openTalkWorld()
      const lines = Array.from({ length: 2_000 }, (_, index) => `line number ${index}`)
      await world.start(says(`Here:\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n\nThe end.`))
      const message = world.alice.say("go")
      const texts = await ended(world, message, "The end.")
      expect(texts.length).toBeGreaterThan(2)
      for (const text of texts) {
        expect(text.length).toBeLessThanOrEqual(12_000)
        expect(text.match(/^```/gm)?.length).toBe(2)
      }
      expect(texts.join("\n").match(/line number \d+/g)).toEqual(lines)
      expect(world.calls("chat.postMessage").every(({ error }) => error === undefined)).toBe(true)
    },
  )

  verifies("slack.talk-harmless", "mentions no person, whatever the model says", async () => {
    const world = await openTalkWorld()
    const hostile =
      "<!channel> <!here|x> <!subteam^S1> <@U0BOB> &lt;!everyone&gt; @here @channel, a@here.example `<!DOCTYPE html>`"
    await world.start(says(hostile))
    const message = world.alice.mention("go")
    const [text = ""] = await ended(world, message, "DOCTYPE")
    expect(text).not.toMatch(/<!|<@|&lt;!|(?<!\w)@here|@channel/)
    expect(text.replaceAll("\u2060", "")).toBe(hostile)
    expect(text).toContain("a@here.example")
  })

  it("is posted without link previews and without turning names into mentions", async () => {
    const world = await openTalkWorld()
    await world.start(says("https://evil.example/?what=was-said"))
    world.slack.api.fail("chat.startStream", { error: "not_allowed" })
    const message = world.alice.mention("go")
    await ended(world, message, "evil")
    const [posted] = world.calls("chat.postMessage")
    expect([posted?.args.unfurl_links, posted?.args.unfurl_media, posted?.args.link_names].map(String)).toEqual(
      Array(3).fill("false"),
    )
  })

  it("that Slack refuses both as a stream and as a message is reported, and not retried", async () => {
    const world = await openTalkWorld()
    await world.start(says("hello"))
    world.slack.api.fail("chat.startStream", { error: "is_archived" }, 3)
    world.slack.api.fail("chat.postMessage", { error: "is_archived" }, 3)
    world.alice.say("go")
    await world.until(() => world.problems.length > 0)
    await world.pass(60_000)
    expect(world.problems).toEqual([expect.stringContaining("is_archived")])
    expect(world.calls("chat.postMessage")).toHaveLength(1)
  })
})

const wordsOf = (texts: readonly string[]): readonly string[] => texts.join(" ").match(/[a-z]+/g) ?? []
