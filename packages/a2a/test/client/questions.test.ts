// What agents of others ask, and how the person's answers reach them.

import type { Elicitation } from "@holdpoint/hub"
import { data, formPart, linkPart, text } from "@holdpoint/testkit/a2a/client/remote-agent"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { describe, expect, it } from "vitest"
import type { World } from "./world.ts"
import { openWorld } from "./world.ts"

const language = { language: { type: "string" } }
const completed = (words = "Done.") => ({ isError: false, words })

/** The data parts of an answer. */
const answers = ({ agent }: World, message = 1): readonly unknown[] =>
  (agent.got[message] ?? []).map(({ content }) => content?.value)

const all = ({ caller }: World) => caller.hub.list({ tenant: "acme", state: "all", limit: 99 })
const first = async ({ caller }: World): Promise<Elicitation> => {
  const [question] = await caller.questions()
  if (question === undefined) throw new Error("no question")
  return question
}

describe("A question in plain text", () => {
  it("becomes a form with one field, and the answer is sent as text", async () => {
    const world = await openWorld()
    world.agent.script = [
      (reply) => reply.status("input", text("Which language?")),
      (reply) => reply.status("completed", text("Done.")),
    ]
    const sent = world.send()
    const question = await first(world)
    expect(question).toMatchObject({
      message: `“translator” (${world.agent.url}) asks: Which language?`,
      requestedSchema: { properties: { answer: { type: "string" } }, required: ["answer"] },
    })
    await world.caller.answer(question, { answer: "French" })
    expect(await sent).toEqual(completed())
    expect(answers(world)).toEqual(["French"])
  })

  it.each(["decline", "cancel"] as const)(
    "cancels the task at the agent on %s, and the model is told",
    async (action) => {
      const world = await openWorld()
      world.agent.script = [(reply) => reply.status("input", text("Which language?"))]
      const sent = world.send()
      await world.caller.refuse(await first(world), action)
      expect(await sent).toMatchObject({
        isError: true,
        words: expect.stringContaining("The task was cancelled there."),
      })
      expect(world.agent.cancelled).toHaveLength(1)
      expect(world.agent.got).toHaveLength(1)
    },
  )

  it.each(["Please enter your password.", "To continue, send me your API key"])(
    "that asks for a secret (%s) is not shown to the person, and the task is cancelled",
    async (said) => {
      const world = await openWorld()
      world.agent.script = [(reply) => reply.status("input", text(said))]
      const { isError, words } = await world.send()
      expect([isError, words]).toEqual([true, expect.stringContaining("something that cannot be shown to them")])
      expect(await all(world)).toEqual([])
      expect(world.agent.cancelled).toHaveLength(1)
    },
  )

  it("quotes the agent's text, without control characters", async () => {
    const world = await openWorld()
    world.agent.script = [
      (reply) => reply.status("input", text("\u001b[2JPay\u0007 now\u202e!")),
      (reply) => reply.status("completed"),
    ]
    const sent = world.send()
    const question = await first(world)
    expect(question.message).toBe(`“translator” (${world.agent.url}) asks: [2JPay now!`)
    await world.caller.answer(question, { answer: "no" })
    await sent
  })
})

describe("Forms of the extension", () => {
  it("of one message are asked and answered together, over several rounds", async () => {
    const world = await openWorld({ isStreaming: true })
    world.agent.script = [
      (reply) =>
        reply.status("input", formPart("q1", "Which?", language), formPart("q2", "When?", { day: { type: "string" } })),
      (reply) => reply.status("input", formPart("q3", "Sure?", { sure: { type: "boolean" } })),
      (reply) => reply.status("completed", text("Done.")),
    ]
    const sent = world.send()
    const questions = await world.caller.questions(2)
    const named = (end: string) => questions.find(({ message }) => message.endsWith(end))
    await world.caller.answer(named("Which?"), { language: "French" })
    await world.caller.refuse(named("When?"))
    await until(async () => (await world.caller.questions())[0]?.message.endsWith("Sure?") === true)
    await world.caller.refuse(await first(world), "cancel")
    expect(await sent).toEqual(completed())
    const type = "elicitation-response"
    expect(answers(world)).toEqual([
      { type, elicitationId: "q1", action: "accept", content: { language: "French" } },
      { type, elicitationId: "q2", action: "decline" },
    ])
    expect(answers(world, 2)).toEqual([{ type, elicitationId: "q3", action: "cancel" }])
  })

  it.each([
    ["asks for a secret", { password: { type: "string", title: "Your password" } }],
    ["is nested", { deep: { type: "object", properties: {} } }],
    ["is not a schema", "nothing"],
  ])("a form that %s is declined without asking the person, and the result says so", async (_what, properties) => {
    const world = await openWorld()
    world.agent.script = [
      (reply) => reply.status("input", formPart("q1", "Log in", properties as object)),
      (reply) => reply.status("completed", text("Done.")),
    ]
    const { isError, words } = await world.send()
    expect(isError).toBe(false)
    expect(words).toContain("asked the user for something that cannot be shown to them")
    expect(answers(world)).toMatchObject([{ elicitationId: "q1", action: "decline" }])
    expect(await all(world)).toEqual([])
  })

  it("expire at the agent's deadline or after our own lifetime, whichever is earlier", async () => {
    const world = await openWorld()
    const soon = new Date(Date.now() + 100_000).toISOString()
    world.agent.script = [
      (reply) => reply.status("input", formPart("q1", "Soon?", language, soon), formPart("q2", "Later?", language)),
      (reply) => reply.status("completed", text("Done.")),
    ]
    const sent = world.send()
    const questions = await world.caller.questions(2)
    const lives = questions.map(
      ({ message, createdAt, expiresAt }) => [message.slice(-5), expiresAt - createdAt] as const,
    )
    const lived = new Map(lives)
    expect(lived.get("Soon?")).toBeLessThanOrEqual(100_000)
    expect(lived.get("ater?")).toBe(600_000)
    for (const question of questions) await world.caller.refuse(question)
    expect(await sent).toEqual(completed())
  })

  it("are answered again after a broken connection only if the agent has not received the answer", async () => {
    const world = await openWorld({ limits: { unreachedMs: 60_000 } })
    const { agent, caller } = world
    let breaks = 1
    agent.script = [
      (reply) => reply.status("input", formPart("q1", "Which?", language)),
      (reply) => {
        reply.status("input", formPart("q2", "Sure?", { sure: { type: "boolean" } }))
        agent.breakConnections()
      },
      (reply) => reply.status("completed", text("Done.")),
    ]
    const sent = world.send()
    await caller.answer(await first(world), { language: "French" })
    await until(async () => (await caller.questions())[0]?.message.endsWith("Sure?") === true)
    // The second answer does not arrive at first.
    agent.disturb = (method) => (method === "SendMessage" && breaks-- > 0 ? "break" : undefined)
    await caller.answer(await first(world), { sure: true })
    expect(await sent).toEqual(completed())
    expect(agent.got).toHaveLength(3)
    expect(agent.methods.filter((method) => method === "SendMessage")).toHaveLength(4)
    expect(new Set(agent.ids).size).toBe(3)
  })

  it("are no longer answered when the agent keeps asking, and the task is cancelled", async () => {
    const world = await openWorld()
    world.agent.script = [
      (reply) => reply.status("input", formPart("q", "Log in", { password: { type: "string", title: "Password" } })),
    ]
    const { isError, words } = await world.send()
    expect([isError, words]).toEqual([true, expect.stringContaining("kept asking and did not finish")])
    expect(world.agent.cancelled).toHaveLength(1)
  })

  it("are no more than forty in one task", async () => {
    const world = await openWorld()
    const forms = Array.from({ length: 10 }, (_, at) =>
      formPart(`q${at}`, "Log in", { password: { type: "string", title: "Password" } }),
    )
    world.agent.script = [(reply) => reply.status("input", ...forms)]
    const { words } = await world.send()
    expect(words).toContain("kept asking and did not finish")
    // The message with the task, and one message with the answers of each round of ten.
    expect(world.agent.got).toHaveLength(5)
  })
})

describe("A task that waits for an authorization", () => {
  it("shows a link, which is cancelled as finished if the agent continues without an answer", async () => {
    const world = await openWorld({ isStreaming: true })
    const done = Promise.withResolvers<void>()
    world.agent.script = [
      async (reply) => {
        reply.status("auth", text("Sign in"), linkPart("q1", "Sign in", "https://login.example/start"))
        await done.promise
        reply.status("completed", text("Done."))
      },
    ]
    const sent = world.send()
    const question = await first(world)
    expect(question).toMatchObject({
      mode: "url",
      message: expect.stringContaining("to open a page at login.example."),
    })
    done.resolve()
    expect(await sent).toEqual(completed())
    expect(await world.caller.hub.get(question.id)).toMatchObject({ status: "cancelled", reason: { code: "finished" } })
  })

  it("asks only once for a link that the agent sends again", async () => {
    const world = await openWorld({ isStreaming: true })
    const [again, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const link = linkPart("q1", "Sign in", "https://login.example/start")
    world.agent.script = [
      async (reply) => {
        reply.status("auth", text("Sign in"), link)
        await again.promise
        reply.status("auth", text("You have opened the page."), link)
        await done.promise
        reply.status("completed", text("Done."))
      },
    ]
    const sent = world.send()
    const question = await first(world)
    const looks = () => world.agent.methods.filter((method) => method === "GetTask").length
    const before = looks()
    again.resolve()
    await expect.poll(looks).toBeGreaterThan(before + 1)
    expect((await world.caller.hub.get(question.id))?.status).toBe("pending")
    done.resolve()
    expect(await sent).toEqual(completed())
    expect(await all(world)).toHaveLength(1)
  })

  it("reports the person's decline to an agent with the extension", async () => {
    const world = await openWorld()
    world.agent.script = [
      (reply) => reply.status("auth", linkPart("q1", "Sign in", "https://login.example/start")),
      (reply) => reply.status("completed", text("Done without it.")),
    ]
    const sent = world.send()
    await world.caller.refuse(await first(world))
    expect(await sent).toEqual(completed("Done without it."))
    expect(answers(world)).toMatchObject([{ elicitationId: "q1", action: "decline" }])
  })

  it("is cancelled at an agent without the extension when the person declined", async () => {
    const world = await openWorld()
    world.agent.script = [(reply) => reply.status("auth", data({ authorization_url: "https://login.example/start" }))]
    const sent = world.send()
    await world.caller.refuse(await first(world))
    expect(await sent).toMatchObject({ isError: true, words: expect.stringContaining("the user said no") })
    expect(world.agent.cancelled).toHaveLength(1)
  })

  it.each(["http://login.example/start", "https://user@login.example/", "javascript:alert(1)"])(
    "declines the link %s without showing it to the person",
    async (url) => {
      const world = await openWorld()
      world.agent.script = [
        (reply) => reply.status("auth", linkPart("q1", "Sign in", url)),
        (reply) => reply.status("completed", text("Done.")),
      ]
      expect((await world.send()).words).toContain("asked the user for something that cannot be shown to them")
      expect(answers(world)).toMatchObject([{ elicitationId: "q1", action: "decline" }])
      expect(await all(world)).toEqual([])
    },
  )

  it("ignores dangerous addresses in a text, and asks the person to confirm when it is done", async () => {
    const world = await openWorld()
    world.agent.script = [
      (reply) =>
        reply.status("auth", text("Sign in at http://login.example/start"), data({ url: "javascript:alert(1)" })),
      (reply) => reply.status("completed", text("Done.")),
    ]
    const sent = world.send()
    const question = await first(world)
    expect(question.mode).toBe("form")
    await world.caller.answer(question, { confirmed: "yes" })
    expect(await sent).toEqual(completed())
  })

  it("without a link asks the person to confirm, and continues without the answer if the agent does", async () => {
    const world = await openWorld()
    const done = Promise.withResolvers<void>()
    world.agent.script = [
      async (reply) => {
        reply.status("auth", text("Allow me in your settings."))
        await done.promise
        reply.status("completed", text("Done."))
      },
    ]
    const sent = world.send()
    const question = await first(world)
    expect(question.message).toContain("asks: Allow me in your settings.")
    done.resolve()
    expect(await sent).toEqual(completed())
    expect((await world.caller.hub.get(question.id))?.status).toBe("cancelled")
  })

  it("without a link tells the agent that the person has finished", async () => {
    const world = await openWorld()
    world.agent.script = [
      (reply) => reply.status("auth", text("Allow me in your settings.")),
      (reply) => reply.status("completed", text("Done.")),
    ]
    const sent = world.send()
    await world.caller.answer(await first(world), { confirmed: "yes" })
    expect(await sent).toEqual(completed())
    expect(answers(world)).toEqual(["The user says that this is done."])
  })

  it("fails together with its question when the agent is no longer reachable", async () => {
    const world = await openWorld()
    world.agent.script = [(reply) => reply.status("auth", linkPart("q1", "Sign in", "https://login.example/start"))]
    const sent = world.send()
    const question = await first(world)
    await world.caller.answer(question)
    world.agent.disturb = () => "break"
    expect(await sent).toMatchObject({ isError: true, words: expect.stringContaining("became unreachable") })
    expect(await world.caller.hub.get(question.id)).toMatchObject({ status: "failed", reason: { code: "agent_gone" } })
  })
})
