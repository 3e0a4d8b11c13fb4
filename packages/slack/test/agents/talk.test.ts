// Talking to an agent in Slack: a message begins a run, and the reply streams into the thread, pauses and continues.

import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import type { Elicitation, Principal } from "@holdpoint/hub"
import type { Message } from "@holdpoint/slack-stand-in"
import { travelAgents } from "@holdpoint/testkit/agents/travel-agents"
import { alice, bob, openTalkWorld, type TalkServer, type TalkWorld } from "@holdpoint/testkit/slack/agents/talk-world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"

const questionTo = (world: TalkWorld, server: TalkServer, person: Principal): Promise<Elicitation> =>
  world.until(async () => {
    const open = await server.hub.list({ tenant: "local", principal: person, state: "open", limit: 5 })
    return open[0] ?? false
  })

const buttonsOf = ({ blocks = [] }: Message): readonly string[] =>
  blocks
    .flatMap((block) => (block.type === "actions" ? (block.elements as { text: { text: string } }[]) : []))
    .map(({ text }) => text.text)

/** An agent that replies with all messages of the person in the conversation. */
const memory: AgentsConfig = {
  agents: {
    helper: {
      model: scriptedModel(({ prompt }) => ({
        text: prompt
          .filter(({ role }) => role === "user")
          .map(({ content }) => (content as readonly { text?: string }[]).map(({ text }) => text).join(""))
          .join(" | "),
      })),
    },
  },
}

const two: AgentsConfig = {
  default: "first",
  agents: {
    first: { model: scriptedModel(({ message }) => ({ text: `first: ${message}` })) },
    other: { title: "The Other", model: scriptedModel(({ message }) => ({ text: `other: ${message}` })) },
  },
}

describe("a message to the app", () => {
  verifies("slack.talk", "is answered in its thread, by a message that grows and ends", async () => {
    const world = await openTalkWorld()
    await world.start(travelAgents)
    const message = world.alice.say("hello")
    const [reply] = await world.until(() => {
      const posts = world.alice.sees({ thread: message.ts }).filter(({ bot_id }) => bot_id !== undefined)
      return posts[0]?.streaming_state === "completed" && posts
    })
    expect(reply).toMatchObject({ markdown: "You said: hello", thread_ts: message.ts })
    expect(world.problems).toEqual([])
  })

  verifies(
    "slack.talk-pauses",
    "pauses at a question, and continues after an answer that comes many hours later",
    async () => {
      const world = await openTalkWorld()
      const server = await world.start(travelAgents)
      const message = world.alice.mention("plan a trip")
      const { id } = await questionTo(world, server, alice)
      await world.until(() => world.calls("chat.stopStream").length === 1)
      await world.pass(20 * 60 * 60_000)
      expect(world.textsOf(message)).toEqual(["One moment. "])
      await server.hub.answer(id, { by: alice, action: "accept", content: { where: "Rome" }, via: "inbox" })
      await world.until(() => world.textsOf(message).length === 2)
      expect(world.textsOf(message)).toEqual(["One moment. ", 'I heard: ["3 days in Rome"].'])
      expect(world.alice.sees({ channel: "C0GENERAL" }).map((one) => one.streaming_state ?? "")).not.toContain(
        "errored",
      )
      expect(world.problems).toEqual([])
    },
  )

  verifies("slack.talk-pauses", "asks in its thread, and continues after the answer there", async () => {
    const world = await openTalkWorld({ isAskedInSlack: true })
    await world.start(travelAgents)
    const message = world.alice.mention("plan a trip")
    const asked = await world.until(() => world.alice.sees({ channel: "C0GENERAL" }).find(({ blocks }) => blocks))
    expect(asked.thread_ts).toBe(message.ts)
    const button = { channel: asked.channel, ts: asked.ts, button: buttonsOf(asked)[0] ?? "" }
    await world.bob.press(button)
    expect(world.bob.modal()).toBeUndefined()
    await world.alice.press(button)
    expect(await world.alice.submit({ where: "Rome" })).toMatchObject({ isClosed: true })
    const text = await world.until(() => world.textsOf(message).find((text) => text.includes('Rome"]')))
    expect(text).toBe('I heard: ["3 days in Rome"].')
    expect(world.problems).toEqual([])
  })

  it("is approved by a button in its thread, which works only for its author", async () => {
    const world = await openTalkWorld({ isAskedInSlack: true })
    await world.start(travelAgents)
    const message = world.alice.mention("delete it")
    const asked = await world.until(() => world.alice.sees({ channel: "C0GENERAL" }).find(({ blocks }) => blocks))
    const [yes = ""] = buttonsOf(asked)
    await world.bob.press({ channel: asked.channel, ts: asked.ts, button: yes })
    await world.pass(5_000)
    expect(world.textsOf(message).join("")).not.toContain("I heard")
    await world.alice.press({ channel: asked.channel, ts: asked.ts, button: yes })
    await world.until(() => world.textsOf(message).find((text) => text === 'I heard: ["gone"].'))
  })

  it("from a person who is not linked is processed once they are", async () => {
    const world = await openTalkWorld({ isLinked: false })
    const server = await world.start(memory)
    const message = world.alice.say("kept for later")
    await world.until(() => world.alice.sees().some(({ bot_id }) => bot_id !== undefined))
    expect(world.calls("chat.startStream")).toEqual([])
    const invitation = await world.until(() => world.alice.sees().find(({ blocks }) => blocks !== undefined))
    const [, token = ""] = /"url":"[^"]*\/([^"/]+)"/.exec(JSON.stringify(invitation.blocks)) ?? []
    expect(await server.slack.app.linking.claim(token, alice)).toMatchObject({ state: "linked" })
    await world.until(() => world.textsOf(message).includes("kept for later"))
  })

  it("asks for approval of its tool call, and does not run a refused call", async () => {
    const world = await openTalkWorld()
    const server = await world.start(travelAgents)
    const message = world.alice.say("delete it")
    const { id, context } = await questionTo(world, server, alice)
    expect(context).toMatchObject({ trigger: "approval" })
    await server.hub.answer(id, { by: alice, action: "decline", via: "inbox" })
    const [firstText] = await world.until(() => world.textsOf(message).length > 0 && world.textsOf(message))
    expect(firstText).toMatch(/^I heard: \["Alice|^I heard: \["/)
    expect(firstText).not.toContain("gone")
  })

  it("continues the conversation of its thread, and begins another one outside of it", async () => {
    const world = await openTalkWorld()
    await world.start(memory)
    const first = world.alice.say("one")
    await world.until(() => world.textsOf(first).length === 1)
    await world.until(() => world.calls("chat.stopStream").length === 1)
    world.alice.say("two", { thread: first.ts })
    await world.until(() => world.textsOf(first).length === 2)
    expect(world.textsOf(first)).toEqual(["one", "one | two"])
    const apart = world.alice.say("three")
    await world.until(() => world.textsOf(apart).length === 1)
    expect(world.textsOf(apart)).toEqual(["three"])
  })

  verifies("slack.talk-own", "of another person in the same thread begins a conversation of their own", async () => {
    const world = await openTalkWorld()
    const server = await world.start(memory)
    const first = world.alice.mention("a word of Alice")
    await world.until(() => world.textsOf(first).length === 1)
    world.bob.mention("a word of Bob", { thread: first.ts })
    await world.until(() => world.textsOf(first).length === 2)
    expect(world.textsOf(first)).toEqual(["a word of Alice", "a word of Bob"])
    // Requests from this machine are Alice's: the run API returns her conversation, and nothing of Bob's.
    const { id } = world.slack.team()
    const hers = await server.get(`/run/api/conversations/slack:${id}:C0GENERAL:${first.ts}`)
    expect(JSON.stringify(await hers.json())).not.toContain("Bob")
  })

  it("asks the person who wrote it, even in a thread that another person began", async () => {
    const world = await openTalkWorld()
    const server = await world.start(travelAgents)
    const first = world.alice.mention("hello")
    await world.until(() => world.textsOf(first).length === 1)
    world.bob.mention("I am alice. plan a trip", { thread: first.ts })
    const { audience, id } = await questionTo(world, server, bob)
    expect(audience).toMatchObject({ principal: { subject: "bob" } })
    expect(await server.hub.list({ tenant: "local", principal: alice, state: "open", limit: 5 })).toEqual([])
    const content = { where: "Rome" }
    expect(await server.hub.answer(id, { by: alice, action: "accept", content, via: "inbox" })).toMatchObject({
      ok: false,
    })
  })

  it("goes to the agent that it names, else to that of the conversation, else to the default one", async () => {
    const world = await openTalkWorld()
    await world.start(two)
    const [plain, named, titled] = [
      world.alice.say("hi"),
      world.alice.mention("other: hi"),
      world.alice.say("the other: hi"),
    ]
    await world.until(() => [plain, named, titled].every((one) => world.textsOf(one).length === 1))
    world.alice.say("again", { thread: titled.ts })
    await world.until(() => world.textsOf(titled).length === 2)
    expect(world.textsOf(plain)).toEqual(["first: hi"])
    expect(world.textsOf(named)).toEqual(["other: hi"])
    expect(world.textsOf(titled)).toEqual(["other: hi", "other: again"])
  })

  it("that says help gets the list of agents, privately if it was in a channel", async () => {
    const world = await openTalkWorld()
    await world.start(two)
    const direct = world.alice.say("help")
    world.alice.mention("help")
    await world.until(() => world.textsOf(direct).length === 1 && world.calls("chat.postEphemeral").length === 1)
    expect(world.textsOf(direct)[0]).toContain("• `first`, which answers if you name no agent\n• `other` (The Other)")
    expect(world.bob.sees({ channel: "C0GENERAL" }).filter(({ bot_id }) => bot_id !== undefined)).toEqual([])
    expect(world.calls("chat.startStream")).toEqual([])
  })
})

describe("a reply in progress", () => {
  const hanging: AgentsConfig = {
    agents: {
      helper: {
        title: "Hand",
        model: scriptedModel(({ message, step }) =>
          step === 0 && message.includes("wait")
            ? { text: "I begin. ", calls: [{ tool: "hang", input: {} }] }
            : { text: `Done: ${message}` },
        ),
        tools: {
          hang: {
            ...{ description: "Hangs", inputSchema: { type: "object", properties: {} } },
            execute: (_: unknown, { signal }) =>
              new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
          },
        },
      },
    },
  }

  const stop = async (world: TalkWorld, message: Message): Promise<void> => {
    world.alice.mention("stop", { thread: message.ts })
    await world.until(() => world.textsOf(message).some((text) => text.endsWith("_Stopped._")))
  }

  it("refuses another message of the same person in its thread, with a private notice", async () => {
    const world = await openTalkWorld()
    await world.start(hanging)
    const message = world.alice.mention("wait")
    await world.until(() => world.textsOf(message).length === 1)
    world.alice.mention("and this", { thread: message.ts })
    const [notice] = await world.until(() => {
      const notices = world.calls("chat.postEphemeral")
      return notices.length > 0 && notices
    })
    expect(notice?.args).toMatchObject({ user: "U0ALICE", thread_ts: message.ts })
    expect(notice?.args.markdown_text).toMatch(/^Hand is still answering your last message .* was not passed on\./)
    // Bob has no reply under way in this thread.
    world.bob.mention("hello", { thread: message.ts })
    await world.until(() => world.textsOf(message).some((text) => text.startsWith("Done: hello")))
    await stop(world, message)
  })

  verifies("slack.talk-stop", "ends when the person says stop, and says so", async () => {
    const world = await openTalkWorld()
    await world.start(hanging)
    const message = world.alice.say("wait")
    await world.until(() => world.textsOf(message).length === 1)
    world.alice.say("stop", { thread: message.ts })
    await world.until(() => world.calls("chat.stopStream").length === 1)
    expect(world.textsOf(message)).toEqual(["I begin. \n\n_Stopped._"])
  })

  it("ends on stop while it waits for an answer, and its question is cancelled", async () => {
    const world = await openTalkWorld()
    const server = await world.start(travelAgents)
    const message = world.alice.say("plan a trip")
    const { id } = await questionTo(world, server, alice)
    await world.until(() => world.calls("chat.stopStream").length === 1)
    world.alice.say("Stop.")
    await world.until(() => world.textsOf(message).length === 2)
    expect(world.textsOf(message)).toEqual(["One moment. ", "_Stopped._"])
    expect((await server.hub.get(id))?.status).toBe("cancelled")
  })

  verifies("slack.talk-stop", "cannot be ended by another person", async () => {
    const world = await openTalkWorld()
    const server = await world.start(hanging)
    const message = world.alice.mention("wait")
    await world.until(() => world.textsOf(message).length === 1)
    world.bob.mention("stop", { thread: message.ts })
    world.bob.mention("stop")
    const notices = await world.until(() => {
      const notices = world.calls("chat.postEphemeral")
      return notices.length === 2 && notices
    })
    expect(notices.map(({ args }) => args.markdown_text).join(" ")).toContain(
      "Only the person who asked can stop a reply.",
    )
    // Links the Slack account that began the run to another person.
    const account = { team: world.slack.team().id, user: "U0ALICE", userName: "alice", teamName: "Team" }
    await server.slack.app.links.link(account, bob)
    world.alice.mention("stop")
    await world.until(() => world.calls("chat.postEphemeral").length === 3)
    await world.pass(10_000)
    expect(world.textsOf(message)).toEqual(["I begin. "])
    await server.slack.app.links.link(account, alice)
    await stop(world, message)
  })

  it("says plainly that its model failed", async () => {
    const world = await openTalkWorld()
    const failing = Object.assign(new Error("secret words of the provider"), { statusCode: 429 })
    await world.start({ agents: { helper: { model: scriptedModel(() => Promise.reject(failing)) } } })
    const message = world.alice.say("hello")
    await world.until(() => world.textsOf(message).length === 1)
    expect(world.textsOf(message)[0]).toMatch(/^:warning: The model .*Try again/)
    expect(world.textsOf(message)[0]).not.toContain("secret")
  })
})
