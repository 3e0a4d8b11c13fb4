// The OpenAPI document of the run API matches the routes: the test sends requests to every route, and checks each
// response against the document.

import { createHash } from "node:crypto"
import {
  type AgentsServer,
  question,
  readStream,
  startAgents,
  userMessage,
} from "@holdpoint/testkit/agents/agents-server"
import { travelAgents } from "@holdpoint/testkit/agents/travel-agents"
import { type Document, type Exchange, faultsIn, operationAt } from "@holdpoint/testkit/openapi"
import { describe, expect, it } from "vitest"
import { routes } from "../src/http/mount.ts"
import { describeRunApi } from "../src/http/openapi/document.ts"
import { operations } from "../src/http/openapi/operations.ts"

/** The schemas of the data in a stream's events. */
const eventSchemas = { complete: "Completion", events: "Event" }

const faultsOf = (document: Document, exchange: Exchange): readonly string[] =>
  faultsIn(document, exchange, ({ operationId }) => eventSchemas[operationId as keyof typeof eventSchemas] ?? "Chunk")

const key = "the-key-of-the-shop"
const shop = {
  ...{ id: "shop", sha256: createHash("sha256").update(key).digest("hex") },
  actsFor: { issuer: "https://people.example", tenant: "local" },
}

/** Starts a server that records its requests and responses. */
async function startRecorded() {
  const server = await startAgents({ ...travelAgents, apiKeys: [shop] })
  const exchanges: Exchange[] = []
  const note = async (response: Response, exchange: Pick<Exchange, "method" | "path" | "sent">): Promise<string> => {
    const text = await response.text()
    const type = response.headers.get("content-type")?.split(";")[0]
    exchanges.push({ ...exchange, path: exchange.path.split("?")[0] ?? "", status: response.status, type, text })
    return text
  }
  const post = async (path: string, sent: unknown, headers?: Readonly<Record<string, string>>): Promise<string> =>
    note(await server.post(path, sent, headers), { method: "POST", path, sent })
  const get = async (path: string, headers?: Readonly<Record<string, string>>): Promise<string> =>
    note(await server.get(path, headers), { method: "GET", path })
  return { server, exchanges, post, get, note }
}

const documentOf = async (server: AgentsServer): Promise<Document> =>
  (await (await server.get("/run/openapi.json")).json()) as Document

/** The beginning of an endless stream, up to the end of a reply. */
async function cut(response: Response): Promise<Response> {
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  while (!text.includes('"type":"finish"')) text += (await reader.read()).value ?? ""
  await reader.cancel()
  return new Response(text, { headers: response.headers })
}

const chatPath = "/run/api/chat"
const completions = "/run/v1/chat/completions"
const message = (id: string, text: string) => ({ id, messages: [userMessage(text)] })
const asked = (content: string) => ({ model: "helper", messages: [{ role: "user", content }] })

describe("the OpenAPI document", () => {
  it("has every route, and nothing else", async () => {
    const { paths } = await documentOf(await startAgents(travelAgents))
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented).toEqual(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`))
    const ids = Object.values(operations).map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(routes.length)
  })

  it("names only schemas that it has", async () => {
    const document = await documentOf(await startAgents(travelAgents))
    const { schemas } = document.components as { readonly schemas: object }
    const named = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref = ""]) => ref)
    expect(named.filter((ref) => !Object.hasOwn(schemas, ref.replace("#/components/schemas/", "")))).toEqual([])
    expect(named.length).toBeGreaterThan(20)
  })

  it("describes the responses of every route", async () => {
    const { server, exchanges, post, get, note } = await startRecorded()
    const document = await documentOf(server)
    await post(chatPath, message("c1", "hello"))
    await post(chatPath, { ...message("c1", "hello again"), stream: false })
    await post(chatPath, { ...message("c2", "delete it"), stream: false }, {})
    await post(chatPath, message("c2", "something else"))
    for (const wrong of ["[]", { id: "" }, { ...message("c1", "a"), agent: "nemo" }, { id: "c1", messages: [] }])
      await post(chatPath, wrong)
    await post(chatPath, message("c6", "hello"), { prefer: "respond-async" })
    await get("/run/api/events?conversation=a%20b")
    const events = server.get("/run/api/events?conversation=c3&conversation=c6")
    await get("/run/api/chat/c1/stream")
    const sent = message("c3", "plan a trip")
    const stream = readStream(await server.post(chatPath, sent))
    const { elicitationId } = await question(stream)
    await get("/run/api/elicitations")
    const again = server.get("/run/api/chat/c3/stream")
    const rest = server.get("/run/api/conversations/c3/stream", { "last-event-id": "2" })
    const answer = { conversationId: "c3", elicitationId, action: "accept", content: { where: "Rome" } }
    for (const wrong of [
      { ...answer, content: { where: 7 } },
      { ...answer, conversationId: "c1" },
      { ...answer, action: "" },
    ])
      await post("/run/api/elicitation-responses", wrong)
    await post("/run/api/elicitation-responses", answer)
    await post("/run/api/elicitation-responses", { ...answer, action: "decline" })
    await note(await again, { method: "GET", path: "/run/api/chat/c3/stream" })
    await note(await rest, { method: "GET", path: "/run/api/conversations/c3/stream" })
    await stream.rest()
    await note(await cut(await events), { method: "GET", path: "/run/api/events" })
    for (const id of ["c1", "c3", "c4", "a%20b"]) {
      await get(`/run/api/conversations/${id}`)
      await get(`/run/api/conversations/${id}/stream`)
      await get(`/run/api/conversations/${id}/timeline`)
      await post(`/run/api/chat/${id}/stop`, {})
    }
    await get("/run/api/conversations/c1/stream", { "last-event-id": "x" })
    await get("/run/api/conversations/c1/stream?message=other")
    await post(completions, { ...asked("hello"), stream: true })
    await post(completions, asked("hello"), {})
    await post(completions, { ...asked("delete it"), stream: true }, {})
    for (const wrong of ["[]", { ...asked("a"), model: "nemo" }, { ...asked("a"), n: 2 }])
      await post(completions, wrong)
    for (const token of [{ subject: "bob", seconds: 60 }, { subject: "" }])
      await post("/run/api/tokens", token, { "x-api-key": key })
    await post("/run/api/tokens", { subject: "bob" }, {})
    await get("/run/api/elicitations", { "x-api-key": "another" })
    await post(completions, asked("hello"), { "x-api-key": "another" })
    await post(completions, asked("hello"), { origin: "https://evil.example" })
    await post(chatPath, message("c5", "hello"), { origin: "https://evil.example" })

    expect(exchanges.flatMap((exchange) => faultsOf(document, exchange))).toEqual([])
    const seen = new Set(
      exchanges.map(({ method, path, status }) => `${operationAt(document, method, path)?.operationId} ${status}`),
    )
    // A conversation without a reply is one whose replies were removed by retention.
    const promised = Object.values(operations).flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => Number(status) < 300 && `${operationId} ${status}` !== "resumeStream 204")
        .map((status) => `${operationId} ${status}`),
    )
    expect(promised.filter((one) => !seen.has(one))).toEqual([])
    for (const refused of [
      "chat 403",
      "chat 409",
      "chat 422",
      "answer 404",
      "answer 422",
      "answer 409",
      "complete 422",
    ])
      expect(seen, refused).toContain(refused)
  })

  it("does not match a response of another shape", () => {
    const document = describeRunApi(routes) as unknown as Document
    const listed = { method: "GET", path: "/run/api/elicitations", status: 200, type: "application/json" }
    expect(faultsOf(document, { ...listed, text: '{"elicitations":[]}' })).toEqual([])
    expect(faultsOf(document, { ...listed, text: '{"elicitations":[{"type":"elicitation-request"}]}' })).toHaveLength(1)
    expect(faultsOf(document, { ...listed, text: "{}" })).toHaveLength(1)
    expect(faultsOf(document, { ...listed, status: 418, text: "{}" })).toHaveLength(1)
    expect(faultsOf(document, { ...listed, type: "text/html", text: "{}" })).toHaveLength(1)
    const stream = { ...listed, path: "/run/api/chat/c1/stream", type: "text/event-stream" }
    expect(faultsOf(document, { ...stream, text: 'data: {"type":"start"}\n\n' })).toEqual([])
    expect(faultsOf(document, { ...stream, text: 'data: {"type":"data-elicitation"}\n\n' })).toHaveLength(1)
  })
})
