// Mistakes of models: unknown tools, invalid arguments, invalid JSON, and providers that fail.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it, onTestFinished } from "vitest"
import { openAiCompatible } from "../src/open-ai-compatible.ts"
import { scriptedModel } from "../src/scripted-model.ts"

const inputSchema = {
  ...{ type: "object", properties: { id: { type: "number" } }, required: ["id"], additionalProperties: false },
}

describe("a model that calls", () => {
  it.each([
    ["a tool that does not exist", { tool: "format_disk", input: {} }, "format_disk"],
    ["with arguments of the wrong type", { tool: "read", input: { id: "seven" } }, "must be number"],
    ["with an unknown argument", { tool: "read", input: { id: 7, sudo: true } }, "additional properties"],
    ["without a required argument", { tool: "read", input: {} }, "must have required property 'id'"],
    ["with arguments that are not JSON", { tool: "read", input: '{"id": ' }, "JSON"],
    ["an agent without a task", { tool: "other", input: {} }, "must have required property 'task'"],
  ])("%s gets an error, and nothing runs", async (_what, call, words) => {
    const done: unknown[] = []
    const prompts: string[] = []
    const model = scriptedModel(({ step, prompt }) => {
      prompts.push(JSON.stringify(prompt))
      return step === 0 ? { calls: [call] } : { text: "Sorry." }
    })
    const read = { description: "Reads", inputSchema, execute: (input: unknown) => void done.push(input) }
    const other = { model: scriptedModel(() => ({ text: String(done.push("other")) })) }
    const server = await startAgents({
      default: "helper",
      agents: { helper: { model, tools: { read }, agents: ["other"] }, other },
    })
    const chunks = await (await server.say("c1", "go")).rest()
    expect(textOf(chunks)).toBe("Sorry.")
    expect(prompts[1]).toContain(words)
    expect(done).toEqual([])
  })

  it("a tool whose schema cannot be checked leaves the check to the tool", async () => {
    const done: unknown[] = []
    const model = scriptedModel(({ step }) =>
      step === 0 ? { calls: [{ tool: "odd", input: { a: 1 } }] } : { text: "Ok." },
    )
    const odd = {
      ...{ description: "Odd", inputSchema: { type: "object", properties: { a: { $ref: "#/nowhere" } } } },
      execute: (input: unknown) => done.push(input),
    }
    const server = await startAgents({ agents: { helper: { model, tools: { odd } } } })
    await (await server.say("c1", "go")).rest()
    expect(done).toEqual([{ a: 1 }])
  })
})

type Reply = { readonly status: number; readonly body: string } | readonly object[]

/** Starts an OpenAI-compatible provider that sends these replies in order. */
async function startProvider(replies: Reply[]): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const part of request) body += part
    asked.push(body)
    const reply = replies.shift() ?? []
    if ("status" in reply)
      return void response
        .writeHead(reply.status, { "content-type": "application/json", "retry-after-ms": "10" })
        .end(reply.body)
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const choice of reply) {
      const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice] }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end("data: [DONE]\n\n")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

const delta = (fields: object) => ({ index: 0, delta: fields })
const piece = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] })
const ended = (finish_reason: string) => ({ index: 0, delta: {}, finish_reason })

describe("a model behind an OpenAI-compatible address", () => {
  it("streams reasoning and two tool calls in pieces, and gets both results", async () => {
    const { url, asked } = await startProvider([
      [
        delta({ role: "assistant", reasoning_content: "Let me " }),
        delta({ reasoning_content: "look." }),
        piece(0, { id: "a", type: "function", function: { name: "read", arguments: '{"i' } }),
        piece(0, { function: { arguments: 'd": 7}' } }),
        piece(1, { id: "b", type: "function", function: { name: "read", arguments: "" } }),
        piece(1, { function: { arguments: '{"id"' } }),
        piece(1, { function: { arguments: ": 8}" } }),
        ended("tool_calls"),
      ],
      [delta({ content: "Both " }), delta({ content: "read." }), ended("stop")],
    ])
    const done: number[] = []
    const execute = ({ id }: { id: number }) => {
      done.push(id)
      return `note ${id}`
    }
    const read = { description: "Reads", inputSchema, execute }
    const model = openAiCompatible({ url, model: "m", apiKey: "model-key-1" })
    const server = await startAgents({ agents: { helper: { model, tools: { read } } } })
    const chunks = await (await server.say("c1", "read 7 and 8")).rest()
    expect(done.toSorted()).toEqual([7, 8])
    expect(textOf(chunks)).toBe("Both read.")
    const thoughts = chunks.flatMap(({ type, delta }) => (type === "reasoning-delta" ? [delta] : []))
    expect(thoughts.join("")).toBe("Let me look.")
    expect(chunks.flatMap(({ type, output }) => (type === "tool-output-available" ? [output] : []))).toEqual([
      ...["note 7", "note 8"],
    ])
    const { messages } = JSON.parse(asked[1] ?? "{}") as { messages: { role: string; content: string }[] }
    expect(messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []))).toEqual(["note 7", "note 8"])
  })

  it.each([
    [401, "refused the credentials of this agent"],
    [403, "refused the credentials of this agent"],
    [400, "HTTP 400"],
  ])("that answers %i ends the reply with a plain error, without the provider's message", async (status, words) => {
    const body = JSON.stringify({ error: { message: "key sk-leaked-4711 at internal.example", type: "x" } })
    const { url } = await startProvider([{ status, body }])
    const problems: string[] = []
    const server = await startAgents(
      { agents: { helper: { model: openAiCompatible({ url, model: "m", apiKey: "model-key-1" }) } } },
      { report: (_doing: string, error: unknown) => void problems.push(String(error)) },
    )
    const chunks = await (await server.say("c1", "hello")).rest()
    expect(chunks.find(({ type }) => type === "error")?.errorText).toContain(words)
    expect(chunks.at(-1)?.type).toBe("finish")
    expect(JSON.stringify(chunks)).not.toMatch(/4711|internal\.example|model-key/)
    expect(problems).toHaveLength(1)
    const page = await (await server.get("/run/api/conversations/c1")).text()
    expect(page).not.toMatch(/4711|internal\.example|model-key/)
  })

  it("of a sub-agent that fails gives the calling agent a plain error, without the provider's message", async () => {
    const body = JSON.stringify({ error: { message: "key sk-leaked-4711 at internal.example", type: "x" } })
    const { url } = await startProvider([{ status: 401, body }])
    const prompts: string[] = []
    const chief = scriptedModel(({ step, prompt }) => {
      prompts.push(JSON.stringify(prompt))
      return step === 0 ? { calls: [{ tool: "worker", input: { task: "go" } }] } : { text: "It failed." }
    })
    const server = await startAgents({
      default: "chief",
      agents: { chief: { model: chief, agents: ["worker"] }, worker: { model: openAiCompatible({ url, model: "m" }) } },
    })
    const chunks = await (await server.say("c1", "hello")).rest()
    expect(textOf(chunks)).toBe("It failed.")
    expect(prompts[1]).toContain("refused the credentials of this agent")
    expect(`${prompts[1]}${JSON.stringify(chunks)}`).not.toMatch(/4711|internal\.example/)
  })

  it.each([
    [429, "busy, or its quota is used up"],
    [500, "HTTP 500"],
  ])("that keeps answering %i ends the reply with a plain error, not the provider's own", async (status, words) => {
    const body = JSON.stringify({ error: { message: "key sk-leaked-4711", type: "x" } })
    const { url, asked } = await startProvider(Array.from({ length: 9 }, () => ({ status, body })))
    const server = await startAgents(
      { agents: { helper: { model: openAiCompatible({ url, model: "m" }) } } },
      { report: () => {} },
    )
    const chunks = await (await server.say("c1", "hello")).rest()
    expect(chunks.find(({ type }) => type === "error")?.errorText).toContain(words)
    expect(JSON.stringify(chunks)).not.toContain("4711")
    expect(asked.length).toBeGreaterThan(1)
  })
})
