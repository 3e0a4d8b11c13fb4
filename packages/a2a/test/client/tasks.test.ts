// Tasks for agents on the official SDK's server, of protocol 1.0 and 0.3, with and without streams: replies, and how a
// task ends.

import { formPart, text } from "@holdpoint/testkit/a2a/client/remote-agent"
import { describe, expect, it } from "vitest"
import { connectA2a } from "../../src/client/index.ts"
import { openWorld, variants } from "./world.ts"

/** The agent works on. */
const never = new Promise<void>(() => {})
const language = { language: { type: "string" } }

describe.each(variants)("A task for an agent with %o", (variant) => {
  it("returns its artifacts as the reply", async () => {
    const { agent, send } = await openWorld(variant)
    agent.script = [
      (reply) => {
        reply.artifact(text("pain"), { ...text(""), content: { $case: "data", value: { gender: "m" } } })
        reply.artifact({ ...text(""), content: { $case: "raw", value: Buffer.from("bytes") }, mediaType: "image/png" })
        reply.status("completed")
      },
    ]
    const { isError, words } = await send()
    expect(isError).toBe(false)
    expect(words.split(" | ")).toEqual([
      "pain",
      JSON.stringify({ type: "data", value: { gender: "m" } }),
      JSON.stringify({ type: "file", data: Buffer.from("bytes").toString("base64"), mediaType: "image/png" }),
    ])
    expect(agent.got.map((parts) => parts.map(({ content }) => content))).toEqual([
      [{ $case: "text", value: "Translate: bread" }],
    ])
    const is03 = agent.methods.some((method) => method.startsWith("message/"))
    expect(is03).toBe(variant.version === "0.3")
  })

  it("returns the text of a message as the reply of an agent that creates no task", async () => {
    const { agent, send } = await openWorld(variant)
    agent.script = [(reply) => reply.message(text("pain"))]
    expect(await send()).toEqual({ isError: false, words: "pain" })
  })

  it("shows the agent's form to the person, and sends the answer to the same task", async () => {
    const { agent, caller, send } = await openWorld(variant)
    agent.script = [
      (reply) => reply.status("input", text("Which?"), formPart("q1", "Which language?", language)),
      (reply) => reply.status("completed", text("pain")),
    ]
    const sent = send()
    const [question] = await caller.questions()
    expect(question).toMatchObject({
      message: `“translator” (${agent.url}) asks: Which language?`,
      requestedSchema: { properties: language },
      context: { agentName: "translator", agentAddress: agent.url },
    })
    await caller.answer(question, { language: "French" })
    expect(await sent).toEqual({ isError: false, words: "pain" })
    const answer = { elicitationId: "q1", action: "accept", content: { language: "French" } }
    expect(agent.got[1]?.map(({ content }) => content)).toEqual([
      { $case: "data", value: { type: "elicitation-response", ...answer } },
    ])
  })

  it("continues without another message after the person has finished at the agent's link", async () => {
    const { agent, caller, send } = await openWorld(variant)
    const done = Promise.withResolvers<void>()
    agent.script = [
      async (reply) => {
        reply.status("auth", text("Sign in at https://login.example/start."))
        await done.promise
        reply.status("completed", text("pain"))
      },
    ]
    const sent = send()
    const [question] = await caller.questions()
    expect(question).toMatchObject({ mode: "url", url: "https://login.example/start" })
    await caller.answer(question)
    done.resolve()
    expect(await sent).toEqual({ isError: false, words: "pain" })
    expect((await caller.hub.get(question?.id ?? ""))?.status).toBe("completed")
    expect(agent.got).toHaveLength(1)
  })

  it.each(["failed", "rejected"] as const)("that %s is an error that quotes the agent", async (state) => {
    const { agent, send } = await openWorld(variant)
    agent.script = [(reply) => reply.status(state, text("No \u001b[31mdictionary\u202e!"))]
    const { isError, words } = await send()
    expect(isError).toBe(true)
    expect(words).toContain(`“translator” (${agent.url}) ${state === "failed" ? "could not do" : "refused"} the task.`)
    expect(words).toContain("It says: “No [31mdictionary!”")
  })
})

describe("A task", () => {
  it("that completes with no message or artifact has an empty reply", async () => {
    const { agent, send } = await openWorld()
    agent.script = [(reply) => reply.status("completed")]
    expect(await send()).toEqual({ isError: false, words: "" })
  })

  it("of an agent that replies only in the history of the task has that reply", async () => {
    const { agent, send } = await openWorld()
    agent.script = [
      (reply) => {
        reply.status("working", text("pain"))
        reply.status("completed")
      },
    ]
    expect(await send()).toEqual({ isError: false, words: "pain" })
  })

  it("drops the parts that do not fit when its reply is too large", async () => {
    const { agent, send } = await openWorld()
    agent.script = [
      (reply) => {
        reply.artifact(text("pain"))
        reply.artifact(text("a".repeat(1_000_000)))
        reply.status("completed")
      },
    ]
    expect((await send()).words).toBe("pain | (The reply is too large: 1 of its parts were dropped.)")
  })

  it("is not sent again when it is unknown whether the agent has started", async () => {
    const { agent, send } = await openWorld({ version: "0.3" })
    agent.script = [(reply) => reply.status("completed", text("pain"))]
    agent.disturb = (method) => (method === "message/send" ? "break" : undefined)
    await expect(send()).rejects.toMatchObject({ code: "effect_unknown" })
    expect(agent.methods.filter((method) => method === "message/send")).toHaveLength(1)
  })

  it.each([
    ["JSONRPC", 0],
    ["JSONRPC", 250],
    ["HTTP+JSON", 250],
  ] as const)(
    "is found by its message when the connection broke, over %s and among %i later tasks",
    async (binding, otherTasks) => {
      const { agent, send } = await openWorld({ binding })
      agent.otherTasks = otherTasks
      agent.script = [
        (reply) => {
          reply.status("completed", text("pain"))
          agent.breakConnections()
        },
      ]
      expect(await send()).toEqual({ isError: false, words: "pain" })
      expect(agent.got).toHaveLength(1)
    },
  )

  it("is refused as unavailable when the agent is not reachable", async () => {
    const { agent, send } = await openWorld()
    await agent.close()
    await expect(send()).rejects.toMatchObject({ code: "provider_unavailable" })
  })

  it.each(["agent.example", "file:///etc/passwd"])("is not sent to %s, which is not the address of an agent", (url) => {
    expect(() => connectA2a({ name: "translator", url })).toThrow(`“${url}” is not an address of an A2A agent.`)
  })

  it("is not sent to an interface whose origin differs from the card's", async () => {
    const { agent, send } = await openWorld()
    agent.card.supportedInterfaces = [
      { url: "http://169.254.169.254/", protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" },
    ]
    await expect(send()).rejects.toThrow(`its interfaces are at http://169.254.169.254, and only those at ${agent.url}`)
    expect(agent.methods).toEqual(["card"])
  })

  it("is cancelled at the agent when the person stops the run", async () => {
    const { agent, send } = await openWorld()
    const begun = Promise.withResolvers<void>()
    agent.script = [
      async (reply) => {
        reply.status("working")
        begun.resolve()
        await never
      },
    ]
    const stop = new AbortController()
    const sent = send(stop.signal)
    await begun.promise
    await expect.poll(() => agent.methods).toContain("GetTask")
    stop.abort(new Error("The run was stopped."))
    await expect(sent).rejects.toThrow("The run was stopped.")
    await expect.poll(() => agent.cancelled).toHaveLength(1)
  })

  it("that takes too long is cancelled at the agent", async () => {
    const { agent, send } = await openWorld({ limits: { workMs: 50 } })
    agent.script = [
      async (reply) => {
        reply.status("working")
        await never
      },
    ]
    const { isError, words } = await send()
    expect(isError).toBe(true)
    expect(words).toContain("worked on the task for too long, so it was cancelled")
    expect(agent.cancelled).toHaveLength(1)
  })

  it("continues when its stream breaks", async () => {
    const { agent, send } = await openWorld({ isStreaming: true })
    const begun = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    agent.script = [
      async (reply) => {
        reply.status("working")
        begun.resolve()
        await finish.promise
        reply.status("completed", text("pain"))
      },
    ]
    const sent = send()
    await begun.promise
    await expect.poll(() => agent.methods).toContain("GetTask")
    agent.breakConnections()
    await expect.poll(() => agent.methods).toContain("SubscribeToTask")
    finish.resolve()
    expect(await sent).toEqual({ isError: false, words: "pain" })
    expect(agent.got).toHaveLength(1)
  })

  it("survives an agent that is unreachable for a while, and ends when the agent refuses a request", async () => {
    const { agent, send } = await openWorld({ limits: { unreachedMs: 60_000 } })
    let looks = 0
    agent.script = [(reply) => reply.status("working")]
    agent.disturb = (method) => {
      if (method !== "GetTask") return undefined
      looks++
      return looks < 3 ? 503 : looks < 5 ? "break" : looks === 5 ? 404 : undefined
    }
    const { isError, words } = await send()
    expect([isError, words]).toEqual([true, expect.stringContaining("refused the request")])
    expect(looks).toBe(5)
  })

  it("ends with an explanation when the agent is no longer reachable", async () => {
    const { agent, send } = await openWorld()
    agent.script = [(reply) => reply.status("working")]
    agent.disturb = (method) => (method === "GetTask" ? "break" : undefined)
    const { isError, words } = await send()
    expect(isError).toBe(true)
    expect(words).toContain("became unreachable while it worked on the task")
  })

  it("ends when the agent no longer knows it", async () => {
    const { agent, send } = await openWorld()
    agent.script = [(reply) => reply.status("working")]
    agent.disturb = (method) => {
      if (method === "GetTask") agent.forget()
      return undefined
    }
    expect(await send()).toMatchObject({ isError: true, words: expect.stringContaining("no longer knows the task") })
  })
})
