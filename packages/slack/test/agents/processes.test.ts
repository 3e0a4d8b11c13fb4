// Replies in Slack from several processes on one store: each message is answered once, and when a process dies, another
// process completes its reply without repeating a part.

import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { travelAgents } from "@holdpoint/testkit/agents/travel-agents"
import { alice, openTalkWorld, type TalkServer } from "@holdpoint/testkit/slack/agents/talk-world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { createSteps } from "./steps.ts"

const wordsOf = (texts: readonly string[]): readonly string[] => texts.join(" ").match(/[a-z]+/g) ?? []

/** Long enough for the lease of a frozen process to end, and for another process to take over. */
const leaseMs = 60_000

describe("a message that is delivered again", () => {
  verifies(
    "slack.talk-once",
    "is answered once, even when the same or another process gets it after the answer",
    async () => {
      const world = await openTalkWorld()
      await world.start(travelAgents)
      const message = world.alice.mention("hello")
      await world.until(() => world.textsOf(message).length === 1)
      const [{ id } = { id: "" }] = world.slack.courier.deliveries
      await world.slack.courier.again(id)
      await world.start(travelAgents)
      await world.slack.courier.again(id)
      await world.pass(30_000)
      expect(world.textsOf(message)).toEqual(["You said: hello"])
    },
  )

  verifies("slack.talk-once", "as a mention and as a message of its channel is answered once", async () => {
    const world = await openTalkWorld()
    const server = await world.start(travelAgents)
    const message = world.alice.say("hello")
    const { team, user, channel, ts, text } = { ...message, team: world.slack.team().id }
    const again = { kind: "direct", team, user, channel, ts, text, principal: alice, id: "another event" } as const
    await Promise.all([server.receive(again), server.receive({ ...again, id: "a third" })])
    await world.until(() => world.textsOf(message).length === 1)
    await world.pass(30_000)
    await server.receive(again)
    await world.pass(30_000)
    expect(world.textsOf(message)).toEqual(["You said: hello"])
  })

  it("is answered by the next process when the first one died before it could begin", async () => {
    const world = await openTalkWorld()
    const first: TalkServer = await world.start(travelAgents, { received: () => first.freeze() })
    const message = world.alice.say("hello")
    await world.pass(1_000)
    await world.start(travelAgents)
    await world.pass(3 * leaseMs)
    await world.until(() => world.textsOf(message).length === 1)
    expect(world.textsOf(message)).toEqual(["You said: hello"])
    first.goOn()
    await world.pass(leaseMs)
    expect(world.textsOf(message)).toEqual(["You said: hello"])
  })
})

describe("two processes", () => {
  it("together post each reply once", async () => {
    const world = await openTalkWorld()
    await world.start(travelAgents)
    const messages = [world.alice.say("a"), world.alice.say("b")]
    await world.start(travelAgents)
    messages.push(world.alice.say("c"), world.bob.say("d"))
    await world.until(() => messages.every((one) => world.textsOf(one).length > 0))
    await world.pass(30_000)
    expect(messages.flatMap((one) => world.textsOf(one))).toEqual(
      ["a", "b", "c", "d"].map((text) => `You said: ${text}`),
    )
  })

  it("post the rest of a reply once after an answer", async () => {
    const world = await openTalkWorld()
    await world.start(travelAgents)
    const message = world.alice.say("plan a trip")
    await world.until(() => world.calls("chat.stopStream").length === 1)
    const second = await world.start(travelAgents)
    const [question] = await second.hub.list({ tenant: "local", principal: alice, state: "open", limit: 5 })
    const answer = { by: alice, action: "accept", content: { where: "Rome" }, via: "inbox" } as const
    await second.hub.answer(question?.id ?? "", answer)
    await world.until(() => world.textsOf(message).length === 2)
    await world.pass(30_000)
    expect(world.textsOf(message)).toEqual(["One moment. ", 'I heard: ["3 days in Rome"].'])
  })
})

describe("a process that is stopped in the middle of a reply", () => {
  const points = ["chat.startStream", "chat.appendStream", "chat.stopStream"].flatMap((method) =>
    (["before", "after"] as const).map((when) => [method, when] as const),
  )

  it.each(points)(
    "at %s, %s the call, leaves the reply to another process, and adds nothing when it resumes",
    async (at, when) => {
      const world = await openTalkWorld()
      const steps = createSteps(["alpha ", "beta ", "gamma"])
      const first: TalkServer = await world.start(steps.config, {
        [when]: (method: string) => {
          if (method === at) first.freeze()
        },
      })
      const message = world.alice.say("go")
      steps.next()
      await world.pass(2_000)
      steps.next()
      await world.pass(2_000)
      await world.start(steps.config)
      await world.pass(leaseMs)
      await world.until(() => wordsOf(world.textsOf(message)).includes("gamma"))
      expect(wordsOf(world.textsOf(message))).toEqual(["alpha", "beta", "gamma"])
      // The frozen process now makes its pending request, and must delete the message that it posted.
      first.goOn()
      await world.pass(leaseMs)
      expect(wordsOf(world.textsOf(message))).toEqual(["alpha", "beta", "gamma"])
      expect(world.alice.sees({ thread: message.ts }).map((one) => one.streaming_state)).not.toContain("in_progress")
    },
  )

  verifies("slack.talk-whole", "has the text of its unfinished step replaced when the step is repeated", async () => {
    const world = await openTalkWorld()
    const half = halfway("I had begun to say thi")
    const first = await world.start(half.config)
    onTestFinished(half.end)
    const message = world.alice.say("go")
    await world.until(() => world.textsOf(message).length === 1)
    await world.pass(2_000)
    expect(world.textsOf(message)).toEqual(["I had begun to say thi"])
    first.freeze()
    await world.start(says("Something else."))
    await world.pass(leaseMs)
    await world.until(() => world.textsOf(message).some((text) => text.includes("else")))
    expect(world.textsOf(message)).toEqual(["Something else."])
  })
})

const says = (text: string): AgentsConfig => ({ agents: { helper: { model: scriptedModel(() => ({ text })) } } })

/** A model that hangs in the middle of its text. */
function halfway(text: string): { readonly config: AgentsConfig; readonly end: () => void } {
  const end = Promise.withResolvers<void>()
  const model = {
    ...scriptedModel(() => ({ text: "" })),
    doStream: async () => ({
      stream: new ReadableStream({
        async start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] })
          controller.enqueue({ type: "text-start", id: "t" })
          controller.enqueue({ type: "text-delta", id: "t", delta: text })
          await end.promise
          controller.error(new Error("The model is gone."))
        },
      }),
    }),
  }
  return { config: { agents: { helper: { model } } }, end: end.resolve }
}

describe("fifty simultaneous conversations", () => {
  verifies("slack.talk-limits", "are answered within Slack's limits", async () => {
    const world = await openTalkWorld()
    const text = "word ".repeat(60)
    await world.start({ ...says(text), limits: { runsPerPerson: 100 } })
    const begun = world.clock.now()
    const messages = Array.from({ length: 50 }, (_, index) => (index % 2 ? world.alice : world.bob).say(`${index}`))
    await world.until(() => {
      const states = messages.flatMap((one) =>
        world.slack.team().messages.filter(({ thread_ts }) => thread_ts === one.ts),
      )
      return states.length >= 50 && states.every(({ streaming_state: state }) => state !== "in_progress")
    }, 1_000)
    expect(messages.map((one) => world.textsOf(one).map((text) => text.trim()))).toEqual(
      Array.from({ length: 50 }, () => [text.trim()]),
    )
    expect(world.slack.api.calls.filter(({ error }) => error === "ratelimited")).toEqual([])
    expect(world.clock.now() - begun).toBeLessThan(60_000)
  })
})
