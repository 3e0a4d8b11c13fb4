// Callers over A2A: a person needs a token for this resource, and finds only their own tasks. Also the agent cards.

import { randomUUID } from "node:crypto"
import { TaskState } from "@a2a-js/sdk"
import { elicitationExtension } from "@holdpoint/a2a"
import { answering, connectA2a, onlyQuestion, replyOf, stateName } from "@holdpoint/testkit/a2a/agents/a2a-client"
import { askingAgents } from "@holdpoint/testkit/a2a/agents/asking-agents"
import { publicUrl, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { apiKey, type CallersWorld, chatOrigin, openCallersWorld } from "@holdpoint/testkit/agents/callers-world"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { conforms } from "./conforms.ts"

let world: CallersWorld
beforeAll(async () => {
  world = await openCallersWorld()
})
afterAll(() => world.close())

type Headers = Readonly<Record<string, string>>

const message = (text: string) => ({ messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] })
const toRpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params })
const hello = () => toRpc("SendMessage", { message: message("hello") })
const v1 = { "a2a-version": "1.0" }

const post = (headers: Headers, body: unknown = hello(), path = "/a2a/helper") =>
  world.send(path, { body, headers: { ...v1, ...headers } })

const connect = (headers: Headers) =>
  connectA2a({ fetch: (request) => fetch(request) }, { base: world.server.publicUrl, headers })

describe("a caller over A2A", () => {
  it("acts as the person whose token for this resource it sends", async () => {
    const { send, get } = await connect(await world.bearer("alice", "/a2a"))
    const task = await send("hello")
    expect(replyOf(task)).toBe("You said: hello")
    expect((await get(task.id)).id).toBe(task.id)
  })

  conforms(
    ["AUTH-SERVER-002", "AUTH-SCOPE-001", "BIND-EQUIV-004"],
    "without a token is told where to get one",
    async () => {
      const refused = await post({})
      expect(refused.status).toBe(401)
      const metadata = `${world.server.publicUrl}/.well-known/oauth-protected-resource/a2a`
      expect(refused.headers.get("www-authenticate")).toContain(`resource_metadata="${metadata}"`)
      expect(await (await fetch(metadata)).json()).toMatchObject({
        ...{ resource: `${world.server.publicUrl}/a2a`, scopes_supported: ["agents.run"] },
      })
    },
  )

  it("is refused with a token for another resource, a session, an API key, or a program's token", async () => {
    const others: readonly Headers[] = [
      await world.bearer("alice", "/run"),
      await world.bearer("alice", "/mcp"),
      await world.session("alice"),
      { "x-api-key": apiKey },
      { authorization: `Bearer ${apiKey}` },
      await world.minted("alice"),
    ]
    for (const headers of others) expect((await post(headers)).status).toBe(401)
  })

  it("cannot call the run API with its token", async () => {
    const headers = await world.bearer("alice", "/a2a")
    expect((await world.say("c", "hello", headers)).status).toBe(401)
  })

  conforms(
    ["AUTH-SCOPE-002", "AUTH-SCOPE-003", "CORE-LIST-001"],
    "finds no task of another person, whatever a message claims",
    async () => {
      const alice = await connect(await world.bearer("alice", "/a2a"))
      const bob = await connect(await world.bearer("bob", "/a2a"))
      const task = await alice.send({ text: "plan a trip", contextId: "shared" })
      const { elicitationId } = onlyQuestion(task)
      const answer = answering(task, elicitationId, { action: "accept", content: { where: "Rome" } })
      const claims = { user: "alice", principal: { subject: "alice" }, "x-user": "alice" }
      const requests = [
        () => bob.get(task.id),
        () => bob.cancel(task.id),
        () => bob.send({ ...answer, metadata: claims }),
        () => bob.client.resubscribeTask({ tenant: "", id: task.id }).next(),
      ]
      for (const request of requests) await expect(request()).rejects.toMatchObject({ name: "TaskNotFoundError" })
      const own = await bob.send({ text: "plan a trip", contextId: "shared" })
      expect(own.id).not.toBe(task.id)
      await expect(bob.send({ ...answer, taskId: own.id })).rejects.toThrow("no question with this elicitationId")
      const filter = { tenant: "", contextId: "shared", pageToken: "", statusTimestampAfter: undefined }
      const listed = await bob.client.listTasks({ ...filter, status: TaskState.TASK_STATE_UNSPECIFIED })
      expect(listed.tasks.map(({ id }) => id)).toEqual([own.id])
      expect(stateName(await alice.get(task.id))).toBe("INPUT_REQUIRED")
    },
  )

  it("gets nothing more from a stream once its token has expired", async () => {
    const { stream } = await connect(await world.bearer("alice", "/a2a"))
    const events = stream("wait")
    const { value } = await events.next()
    const context = value?.payload?.$case === "task" ? value.payload.value.contextId : ""
    onTestFinished(() => {
      world.clock.aheadMs = 0
    })
    world.clock.aheadMs = 24 * 60 * 60_000
    const later = await world.minted("alice")
    expect((await world.send(`/run/api/chat/${context}/stop`, { body: {}, headers: later })).status).toBe(202)
    expect((await events.next()).done).toBe(true)
  })

  it("is accepted from a page only if its origin is listed", async () => {
    const headers = await world.bearer("alice", "/a2a")
    expect((await post({ ...headers, origin: "https://evil.example" })).status).toBe(403)
    const listed = await post({ ...headers, origin: chatOrigin })
    expect(listed.headers.get("access-control-allow-origin")).toBe(chatOrigin)
    const asked = { origin: chatOrigin, "access-control-request-headers": "a2a-version, a2a-extensions, authorization" }
    const preflight = await world.send("/a2a/helper", { method: "OPTIONS", headers: asked })
    expect(preflight.headers.get("access-control-allow-headers")).toBe("a2a-version, a2a-extensions, authorization")
  })
})

describe("a request over A2A", () => {
  it("needs a supported version, valid JSON, and a known method and agent", async () => {
    const headers = await world.bearer("alice", "/a2a")
    const errorOf = async (response: Response) => ((await response.json()) as { error?: { code: number } }).error?.code
    expect(await errorOf(await post({ ...headers, "a2a-version": "2.0" }))).toBe(-32009)
    expect(await errorOf(await post(headers, "{"))).toBe(-32700)
    expect(await errorOf(await post(headers, toRpc("Nothing", {})))).toBe(-32601)
    expect((await post({ ...headers, "content-type": "text/plain" })).status).toBe(415)
    expect((await world.send("/a2a/helper", { headers })).status).toBe(405)
    expect((await post(headers, hello(), "/a2a/unknown")).status).toBe(404)
  })

  it("gets data parts even without the extension, and the extension's header only when it names it", async () => {
    const headers = await world.bearer("alice", "/a2a")
    const body = () => toRpc("SendMessage", { message: message("plan a trip") })
    const plain = await post(headers, body())
    expect(plain.headers.get("a2a-extensions")).toBeNull()
    expect(JSON.stringify(await plain.json())).toContain('"type":"elicitation-request"')
    const extended = await post({ ...headers, "a2a-extensions": `https://x.example, ${elicitationExtension}` }, body())
    expect(extended.headers.get("a2a-extensions")).toBe(elicitationExtension)
  })
})

it("a body over A2A that is too large is refused", async () => {
  const server = await startAgents(askingAgents())
  expect((await server.post("/a2a/helper", " ".repeat(9 * 1_024 * 1_024), v1)).status).toBe(413)
})

describe("an agent card", () => {
  it("is public, says how to call and where to get tokens, and is the server's card for the default agent", async () => {
    const response = await world.send("/a2a/helper/.well-known/agent-card.json")
    const card = await response.json()
    const { publicUrl: base } = world.server
    expect(card).toMatchObject({
      ...{ name: "helper", capabilities: { streaming: true, extensions: [{ uri: elicitationExtension }] } },
      supportedInterfaces: expect.arrayContaining([
        { url: `${base}/a2a/helper`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ]),
      securitySchemes: {
        oauth: { oauth2SecurityScheme: { flows: { authorizationCode: { tokenUrl: `${base}/oauth/token` } } } },
      },
      securityRequirements: [{ schemes: { oauth: { list: ["agents.run"] } } }],
    })
    expect(await (await world.send("/.well-known/agent-card.json")).json()).toEqual(card)
    const etag = response.headers.get("etag") ?? ""
    const again = await world.send("/.well-known/agent-card.json", { headers: { "if-none-match": etag } })
    expect(again.status).toBe(304)
    expect((await world.send("/.well-known/agent-card.json", { method: "HEAD" })).status).toBe(200)
    const legacy = await world.send("/.well-known/agent-card.json", { headers: { "a2a-version": "0.3" } })
    expect(await legacy.json()).toMatchObject({ securitySchemes: { oauth: { type: "oauth2" } } })
    const { authorization_endpoint } = (await (await world.send("/.well-known/oauth-authorization-server")).json()) as {
      readonly authorization_endpoint: string
    }
    expect(JSON.stringify(card)).toContain(authorization_endpoint)
  })

  it("requires no token in local mode, and the server lists its agents when none is the default", async () => {
    const server = await startAgents(askingAgents())
    const card = (await (await server.get("/a2a/helper/.well-known/agent-card.json")).json()) as object
    expect(card).toMatchObject({ name: "Helper", description: "Asks a lot" })
    expect(card).not.toHaveProperty("securitySchemes.oauth")
    const none = await server.get("/.well-known/agent-card.json")
    expect(none.status).toBe(404)
    expect(await none.text()).toContain("helper, other")
    const elsewhere = await server.fetch(
      new Request(`${publicUrl}/a2a/helper`, { method: "POST", headers: { host: "evil.example" } }),
    )
    expect(elsewhere.status).toBe(403)
  })
})
