// Three agents in a row: ours gives a task to a remote agent, which gives it to a third. Our person answers the third
// agent's question in any place, and the answer reaches the third agent once.

import type { Part, Task } from "@a2a-js/sdk"
import { TaskState } from "@a2a-js/sdk"
import { ClientFactory } from "@a2a-js/sdk/client"
import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { createMemoryStorage } from "@holdpoint/hub"
import {
  answering,
  asked,
  connectA2a,
  onlyQuestion,
  replyOf,
  stateName,
} from "@holdpoint/testkit/a2a/agents/a2a-client"
import {
  type AgentReply,
  data,
  formPart,
  type RemoteAgent,
  startRemoteAgent,
  text,
} from "@holdpoint/testkit/a2a/client/remote-agent"
import { answer, newKeys, question, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { openTalkWorld } from "@holdpoint/testkit/slack/agents/talk-world"
import { describe, expect, it, onTestFinished } from "vitest"

/** Asks which day, and says that it booked it. */
async function startBooker(question: Part = formPart("q1", "Which day?", { day: { type: "string" } })) {
  const booker = await start()
  const days: string[] = []
  booker.script = [
    (exchange) => exchange.status("input", question),
    (exchange) => {
      days.push(dayIn(exchange.parts))
      exchange.artifact(text(`Booked for ${days.at(-1)}.`))
      exchange.status("completed")
    },
  ]
  return { booker, days }
}

const dayIn = ([part]: readonly Part[]): string => {
  if (part?.content?.$case === "text") return part.content.value
  const { content } = (part?.content?.value ?? {}) as { readonly content?: { readonly day?: string } }
  return content?.day ?? ""
}

/** Gives every task to the next agent, and passes questions up and answers down. */
async function startBroker(next: RemoteAgent): Promise<RemoteAgent> {
  const broker = await start()
  const client = await new ClientFactory().createFromUrl(next.url)
  const tasks = new Map<string, string>()
  const pass = async (exchange: AgentReply): Promise<void> => {
    const base = { contextId: "", role: 1, metadata: undefined, extensions: [], referenceTaskIds: [] }
    const message = { ...base, messageId: crypto.randomUUID(), taskId: tasks.get(exchange.task) ?? "" }
    const passed = { ...message, parts: [...exchange.parts] }
    const task = (await client.sendMessage({
      ...{ tenant: "", metadata: undefined, configuration: undefined, message: passed },
    })) as Task
    tasks.set(exchange.task, task.id)
    if (task.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED)
      return exchange.status("input", ...(task.status.message?.parts ?? []))
    for (const { parts } of task.artifacts) exchange.artifact(...parts)
    exchange.status("completed")
  }
  broker.script = [pass]
  return broker
}

async function start(): Promise<RemoteAgent> {
  const agent = await startRemoteAgent({})
  onTestFinished(() => agent.close())
  return agent
}

const ours = ({ url }: RemoteAgent): AgentsConfig => ({
  agents: {
    helper: {
      model: scriptedModel(({ results, step }) => {
        if (step === 0) return { calls: [{ tool: "broker", input: { task: "Book a room" } }] }
        return { text: results.map(({ output }) => String(output)).join(" ") }
      }),
      a2aAgents: ["broker"],
      policies: { "*": "always" },
    },
  },
  a2aAgents: { broker: { url, credentialScope: "none" } },
})

const accept = { action: "accept", content: { day: "Friday" } } as const

describe("a question from the bottom of a chain of three agents", () => {
  it("is answered in the chat at the top, and the answer reaches the agent at the bottom", async () => {
    const { booker, days } = await startBooker()
    const server = await startAgents(ours(await startBroker(booker)))
    const stream = await server.say("c1", "book a room")
    const { elicitationId, message } = await question(stream)
    expect(message).toContain("Which day?")
    expect(elicitationId, "each hop has a question of its own").not.toBe("q1")
    expect((await answer(server, "c1", { elicitationId, ...accept })).status).toBe(200)
    expect(textOf(await stream.rest())).toBe("Booked for Friday.")
    expect(days).toEqual(["Friday"])
  })

  it("can be answered over A2A by a client of the top agent", async () => {
    const { booker, days } = await startBooker()
    const server = await startAgents(ours(await startBroker(booker)))
    const client = await connectA2a(server)
    const waiting = await client.send("book a room")
    expect(stateName(waiting)).toBe("INPUT_REQUIRED")
    const { elicitationId } = onlyQuestion(waiting)
    const done = await client.send(answering(waiting, elicitationId, accept))
    expect([stateName(done), replyOf(done)]).toEqual(["COMPLETED", "Booked for Friday."])
    expect(days).toEqual(["Friday"])
  })

  it("is answered in Slack, in the thread in which the person talks to our agent", async () => {
    const { booker, days } = await startBooker()
    const world = await openTalkWorld({ isAskedInSlack: true })
    await world.start(ours(await startBroker(booker)))
    const message = world.alice.mention("book a room")
    const post = await world.until(() => world.alice.sees({ channel: "C0GENERAL" }).find(({ blocks }) => blocks))
    expect(JSON.stringify(post.blocks)).toContain("Which day?")
    const { channel, ts } = post
    const [, button = ""] = /"action_id":"([^"]+)"/.exec(JSON.stringify(post.blocks)) ?? []
    await world.alice.press({ channel, ts, button })
    expect(await world.alice.submit({ day: "Friday" })).toMatchObject({ isClosed: true })
    await world.until(() => world.textsOf(message).find((text) => text.includes("Booked for Friday.")))
    expect(days).toEqual(["Friday"])
    expect(world.problems).toEqual([])
  })

  it("that is only text is a form with one field at the top, and its answer is text at the bottom", async () => {
    const { booker, days } = await startBooker(text("Which day?"))
    const server = await startAgents(ours(await startBroker(booker)))
    const waiting = await (await connectA2a(server)).send("book a room")
    expect(asked(waiting)).toHaveLength(1)
    const client = await connectA2a(server)
    expect(replyOf(await client.send({ taskId: waiting.id, text: "Friday" }))).toBe("Booked for Friday.")
    expect(days).toEqual(["Friday"])
  })

  it("survives the end of our server, whose next process continues the same task of the agent below", async () => {
    const { booker, days } = await startBooker()
    const broker = await startBroker(booker)
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const first = await startAgents(ours(broker), shared)
    const waiting = await (await connectA2a(first)).send("book a room")
    await first.close()
    const client = await connectA2a(await startAgents(ours(broker), shared))
    const done = await client.send(answering(waiting, onlyQuestion(waiting).elicitationId, accept))
    expect(replyOf(done)).toBe("Booked for Friday.")
    expect([broker.got.length, booker.got.length, days]).toEqual([2, 2, ["Friday"]])
  })

  it("accepts one of two concurrent answers, and the refusal of the other says that it was answered", async () => {
    const { booker, days } = await startBooker()
    const server = await startAgents(ours(await startBroker(booker)))
    const client = await connectA2a(server)
    const waiting = await client.send("book a room")
    const { elicitationId } = onlyQuestion(waiting)
    const answers = ["Friday", "Monday"].map((day) => ({ action: "accept" as const, content: { day } }))
    const results = await Promise.allSettled(answers.map((one) => client.send(answering(waiting, elicitationId, one))))
    const done = await client.get(waiting.id)
    expect(days).toHaveLength(1)
    expect(replyOf(done)).toBe(`Booked for ${days[0]}.`)
    const lost = results.filter(({ status }) => status === "rejected") as PromiseRejectedResult[]
    expect(lost).toHaveLength(1)
    expect(String(lost[0]?.reason)).toMatch(/already|answered|completed/i)
  })

  it("that is declined at the top is declined at the bottom", async () => {
    const { booker, days } = await startBooker()
    booker.script = [booker.script[0]!, (exchange) => exchange.status("completed", data({ kept: true }))]
    const server = await startAgents(ours(await startBroker(booker)))
    const stream = await server.say("c1", "book a room")
    const { elicitationId } = await question(stream)
    await answer(server, "c1", { elicitationId, action: "decline" })
    await stream.rest()
    expect(days).toEqual([])
    expect(booker.got.at(-1)?.[0]?.content?.value).toMatchObject({ action: "decline" })
  })
})
