// Requests that an author sends to a 2025 client with the SDK itself, while each HTTP request has its own server.

import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { InMemoryServerEventBus, McpServer, type ServerContext } from "@modelcontextprotocol/server"
import { afterEach, expect, it } from "vitest"
import { z } from "zod"
import { createMcp } from "../../src/server/index.ts"

const closers: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

it("a sampling result reaches the call that requested it, among concurrent calls in one session", async () => {
  const { connect } = open()
  const client = await connect()
  const waiting = new Map<string, (words: string) => void>()
  client.setRequestHandler("sampling/createMessage", async ({ params }) => {
    const prompt = wordsOf(params.messages[0]?.content)
    const words = await new Promise<string>((resolve) => waiting.set(prompt, resolve))
    return { role: "assistant", model: "test", content: { type: "text", text: words } }
  })
  const calls = ["one", "two", "three"].map((prompt) => client.callTool({ name: "sample", arguments: { prompt } }))
  await expect.poll(() => waiting.size).toBe(3)
  for (const [prompt, answer] of [...waiting].reverse()) answer(`${prompt}!`)
  const texts = (await Promise.all(calls)).map(({ content }) => wordsOf(content[0]))
  expect(texts).toEqual(["one!", "two!", "three!"])
})

it("a forged answer from another session reaches no call", async () => {
  const { connect } = open()
  const [mine, theirs] = [await connect(), await connect()]
  let asked: string | undefined
  const { promise, resolve } = Promise.withResolvers<string>()
  mine.setRequestHandler("sampling/createMessage", async (_request, { mcpReq }) => {
    asked = String(mcpReq.id)
    return { role: "assistant", model: "test", content: { type: "text", text: await promise } }
  })
  const call = mine.callTool({ name: "sample", arguments: { prompt: "mine" } })
  await expect.poll(() => asked).toMatch(/^sdk_/)
  const result = { role: "assistant", model: "test", content: { type: "text", text: "forged" } }
  await theirs.transport?.send({ jsonrpc: "2.0", id: asked ?? "", result })
  resolve("mine")
  expect(wordsOf((await call).content[0])).toBe("mine")
})

it("a notification without a request is sent with the request that is served", async () => {
  const { connect } = open()
  const client = await connect()
  const heard: unknown[] = []
  client.setNotificationHandler("notifications/message", ({ params }) => void heard.push(params.data))
  await client.callTool({ name: "say" })
  expect(heard).toEqual(["said"])
})

it("a listening session is notified that the list of tools has changed", async () => {
  const { connect, bus } = open()
  const client = await connect()
  let changes = 0
  client.setNotificationHandler("notifications/tools/list_changed", () => void changes++)
  await expect
    .poll(() => {
      bus.publish({ kind: "tools_list_changed" })
      return changes
    })
    .toBeGreaterThan(0)
})

function open() {
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  const bus = new InMemoryServerEventBus()
  const options = {
    hub,
    storage,
    keys: withNewKey(),
    name: "notes",
    callers: "anonymous",
    addresses: "none",
    bus,
  } as const
  const mcp = createMcp({ ...options, server: createServer })
  closers.push(
    () => storage.close(),
    () => hub.close(),
    () => mcp.close(),
  )
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: "test", version: "1" }, { capabilities: { sampling: {} } })
    const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
      fetch: (url, init) => mcp.fetch(new Request(url, init)),
    })
    await client.connect(transport)
    closers.push(() => client.close())
    return client
  }
  return { connect, bus }
}

function createServer(): McpServer {
  const server = new McpServer(
    { name: "notes", version: "1" },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  )
  const inputSchema = z.object({ prompt: z.string() })
  server.registerTool("sample", { inputSchema }, async ({ prompt }, ctx) => text(await sample(prompt, ctx)))
  server.registerTool("say", {}, async () => {
    await server.sendLoggingMessage({ level: "info", data: "said" })
    return text("Said.")
  })
  return server
}

async function sample(prompt: string, { mcpReq }: ServerContext): Promise<string> {
  const messages = [{ role: "user" as const, content: { type: "text" as const, text: prompt } }]
  const { content } = await mcpReq.requestSampling({ messages, maxTokens: 10 })
  return wordsOf(content)
}

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] })

function wordsOf(content: unknown): string {
  return (content as { readonly text?: string } | undefined)?.text ?? ""
}
