// POST /run/api/chat without a stream: the response comes when the reply ends or waits, and never hangs.

import { createMemoryStorage } from "@holdpoint/hub"
import { type AgentsServer, answer, startAgents, userMessage } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import type { AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"
import { holdReads } from "./held-storage.ts"

const agents: AgentsConfig = {
  agents: {
    helper: {
      model: scriptedModel(({ message, results, step }) => {
        if (step > 0) return { text: `I heard: ${String(results[0]?.output)}.` }
        return message === "hello" ? { text: "Hello." } : { text: "One moment.", calls: [{ tool: "plan", input: {} }] }
      }),
      tools: {
        plan: {
          description: "Plans a trip",
          inputSchema: { type: "object", properties: {} },
          handle: (_: object, ask) => ask.choice("where", "Where to?", ["Rome", "Oslo"]),
        },
      },
    },
  },
}

interface Whole {
  readonly message: { readonly parts: readonly { readonly type: string; readonly text?: string }[] }
  readonly finishReason: string
  readonly holdpoint?: {
    readonly elicitations: readonly { readonly elicitationId: string }[]
    readonly continue: string
  }
}

async function post(server: AgentsServer, body: object, query = ""): Promise<Whole> {
  const response = await server.post(`/run/api/chat${query}`, { id: "c1", ...body })
  expect(response.headers.get("content-type")).toContain("application/json")
  return (await response.json()) as Whole
}

const textOf = ({ message }: Whole): string => message.parts.map(({ text = "" }) => text).join("")

describe("a reply without a stream", () => {
  it.each([
    ["stream: false in the body", { stream: false }, ""],
    ["?stream=false", {}, "?stream=false"],
  ])("is one message when requested with %s", async (_, body, query) => {
    const server = await startAgents(agents)
    const whole = await post(server, { ...body, messages: [userMessage("hello")] }, query)
    expect(whole).toMatchObject({ conversationId: "c1", agent: "helper", finishReason: "stop" })
    expect(textOf(whole)).toBe("Hello.")
    expect(whole.holdpoint).toBeUndefined()
  })

  it("comes back with the open question, and is continued after the answer", async () => {
    const server = await startAgents(agents)
    const first = await post(server, { stream: false, messages: [userMessage("plan")] })
    expect(first).toMatchObject({
      finishReason: "waiting",
      holdpoint: { conversationId: "c1", elicitations: [{ type: "elicitation-request", message: "Where to?" }] },
    })
    expect(textOf(first)).toBe("One moment.")
    const { elicitations, continue: handle } = first.holdpoint!
    const { elicitationId } = elicitations[0]!
    await answer(server, "c1", { elicitationId, action: "accept", content: { choice: "Oslo" } })
    const rest = await post(server, { stream: false, continue: handle })
    expect(rest).toMatchObject({ finishReason: "stop" })
    expect(textOf(rest)).toBe("One moment.I heard: Oslo.")
  })

  it("continues in the request with the answer", async () => {
    const server = await startAgents(agents)
    const { holdpoint } = await post(server, { stream: false, messages: [userMessage("plan")] })
    const { elicitationId } = holdpoint!.elicitations[0]!
    const data = { elicitationId, action: "accept", content: { choice: "Rome" } }
    const message = { role: "user", parts: [{ type: "data-elicitation-response", data }] }
    const rest = await post(server, { stream: false, message })
    expect(textOf(rest)).toBe("One moment.I heard: Rome.")
  })
})

describe("a reply in one body that cannot be read to its end", () => {
  it.each([
    ["a message", "/run/api/chat", { id: "c1", stream: false, messages: [userMessage("hello")] }],
    [
      "a completion",
      "/run/v1/chat/completions",
      { model: "helper", holdpoint: { conversationId: "c1" }, messages: [{ role: "user", content: "hello" }] },
    ],
  ])("refers to the conversation instead of asking for the message again: %s", async (_, path, body) => {
    const holding = holdReads(createMemoryStorage())
    const reports: string[] = []
    const server = await startAgents(agents, {
      storage: holding.storage,
      report: (activity) => void reports.push(activity),
    })
    holding.arm({ read: 2, when: "before" }, () => Promise.reject(new Error("The connection was cut.")))
    const response = await server.post(path, body)
    expect(response.status).toBe(500)
    const text = await response.text()
    expect(text).toContain("Read the conversation “c1” before you send the message again.")
    expect(text).toContain("reply_not_read")
    expect(reports).toContain("reading a reply for a response in one body")
  })
})
