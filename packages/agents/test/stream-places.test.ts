// The streams of programs with keys, of A2A clients, and of programs that follow a question are bounded, over sockets.

import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { text as readBody } from "node:stream/consumers"
import { createMemoryStorage, systemRuntime } from "@holdpoint/hub"
import { createPrograms } from "@holdpoint/server/identity"
import { publicUrl, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { getRequestListener } from "@hono/node-server"
import { expect, it, onTestFinished } from "vitest"
import { scriptedModel } from "../src/scripted-model.ts"

type Headers = Readonly<Record<string, string>>

interface Sent {
  readonly method?: string
  readonly headers?: Headers
  readonly body?: object
}

/** The most streams, as the documents say. */
const mostStreams = { person: 100, program: 1_000 }

const key = "a key of this test, which is long enough"
const helper = {
  model: scriptedModel(({ step }) => (step === 0 ? { calls: [{ tool: "ask", input: {} }] } : { text: "Done." })),
  tools: {
    ask: {
      description: "Asks",
      inputSchema: { type: "object" as const, properties: {} },
      handle: (_input: unknown, ask: { confirm(key: string, message: string): Promise<unknown> }) =>
        ask.confirm("ok", "Go on?").then(String),
    },
  },
}

async function openWorld() {
  const storage = createMemoryStorage()
  const server = await startAgents(
    {
      agents: { helper },
      apiKeys: [{ id: "shop", sha256: createHash("sha256").update(key).digest("hex") }],
    } as never,
    { storage },
  )
  const listening = createServer(getRequestListener(server.fetch)).listen(0, "127.0.0.1")
  await once(listening, "listening")
  onTestFinished(() => {
    listening.closeAllConnections()
    listening.close()
  })
  const { port } = listening.address() as AddressInfo
  const send = (path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const all = { host: new URL(publicUrl).host, "content-type": "application/json", ...headers }
      const sent = request({ port, host: "127.0.0.1", path, method, headers: all, agent: false }, resolve)
      sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body))
    })
  return { server, storage, send }
}

/** Opens streams until one is refused. Returns how many were open, and the refusal. */
async function openUntilRefused(open: () => Promise<IncomingMessage>, most: number) {
  const streams = await Promise.all(Array.from({ length: most + 20 }, open))
  const opened = streams.filter(({ statusCode }) => statusCode === 200)
  const refused = streams.filter(({ statusCode }) => statusCode !== 200)
  onTestFinished(() => {
    for (const stream of streams) stream.destroy()
  })
  return { opened, refused }
}

async function expectBound(open: () => Promise<IncomingMessage>, most: number): Promise<string> {
  const { opened, refused } = await openUntilRefused(open, most)
  expect([opened.length, refused.length]).toEqual([most, 20])
  const words = await Promise.all(refused.map(readBody))
  expect(new Set(refused.map(({ statusCode, headers }) => `${statusCode} ${headers["retry-after"]}`))).toEqual(
    new Set(["429 60"]),
  )
  opened[0]?.destroy()
  const again: IncomingMessage[] = []
  onTestFinished(() => {
    for (const stream of again) stream.destroy()
  })
  await expect
    .poll(async () => {
      again.push(await open())
      return again.at(-1)?.statusCode
    })
    .toBe(200)
  return words[0] ?? ""
}

const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params })
const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "go" }] }
const a2a = { "a2a-version": "1.0" }

it("a program with an API key has a bounded number of streams, and a person's do not count", async () => {
  const { server, send } = await openWorld()
  const headers = { "x-api-key": key }
  const refusal = await expectBound(() => send("/run/api/events?conversation=c1", { headers }), mostStreams.program)
  expect(JSON.parse(refusal)).toMatchObject({ code: "too_many_streams" })
  const own = await server.get("/run/api/events")
  expect(own.status).toBe(200)
  await own.body?.cancel()
})

it.each([
  ["HTTP+JSON", (id: string) => ({ path: `/tasks/${id}:subscribe`, body: {} })],
  ["JSON-RPC", (id: string) => ({ path: "", body: rpc("SubscribeToTask", { id }) })],
])(
  "a person's clients over A2A (%s) have a bounded number of streams, and nothing is begun beyond it",
  async (_, to) => {
    const { send } = await openWorld()
    const post = (path: string, body: object) => send(`/a2a/helper${path}`, { method: "POST", headers: a2a, body })
    const begun = JSON.parse(await readBody(await post("", rpc("SendMessage", { message }))))
    const { path, body } = to(begun.result.task.id)
    const refusal = await expectBound(() => post(path, body), mostStreams.person)
    expect(refusal).toContain("too many streams open at this server. Nothing was begun.")
    const refused = await post("", rpc("SendStreamingMessage", { message: { ...message, messageId: "m2" } }))
    expect([refused.statusCode, await readBody(refused)]).toEqual([429, expect.stringContaining("Nothing was begun.")])
    const listed = JSON.parse(await readBody(await post("", rpc("ListTasks", {}))))
    expect(listed.result.tasks).toHaveLength(1)
  },
)

it("a program that follows its questions over HTTP has a bounded number of streams", async () => {
  const { server, storage, send } = await openWorld()
  const programs = createPrograms({ storage, runtime: systemRuntime })
  const { identity } = server
  if (!("principal" in identity)) throw new Error("It is in local mode.")
  const may = { to: "anyone", modes: ["form", "url"] } as const
  const { key: programKey } = await programs.add({ tenant: identity.principal.tenant, name: "deployer", may })
  const headers = { authorization: `Bearer ${programKey}` }
  const question = { message: "Deploy?", confirm: true, audience: { role: "x" } }
  const asked = JSON.parse(await readBody(await send("/api/questions", { method: "POST", headers, body: question })))
  const refusal = await expectBound(() => send(`/api/questions/${asked.id}/events`, { headers }), mostStreams.program)
  expect(JSON.parse(refusal)).toMatchObject({ code: "too_many_streams", status: 429 })
})
