// A client with made-up ids, names and numbers can do nothing beyond what it was given.

import { createAddresses } from "@holdpoint/hub"
import { formDraft } from "@holdpoint/testkit/fixtures"
import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { digestOf } from "../../../../calls/src/digest.ts"
import { holdable } from "../../../src/server/index.ts"
import { readRequestId, toRequestId } from "../../../src/server/wire.ts"

const houses: House[] = []
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close()
})

const deleted: string[] = []

function server(): McpServer {
  const made = new McpServer({ name: "foreign", version: "1" })
  made.registerTool(
    "delete",
    { inputSchema: z.object({ id: z.string() }) },
    holdable(async ({ id }, ask) => {
      const isSure = await ask.confirm("sure", `Delete ${id}?`)
      if (isSure) await ask.once("deleted", () => void deleted.push(id))
      return text(isSure ? "Deleted." : "Kept.")
    }),
  )
  made.registerResource(
    "note",
    new ResourceTemplate("note://{id}", { list: undefined }),
    {},
    holdable(async (uri, _variables, ask) => {
      await ask.confirm("read", "May it be read?")
      return { contents: [{ uri: uri.href, text: uri.href }] }
    }),
  )
  return made
}

async function start(settings: HouseOptions["settings"] = {}, more: Partial<HouseOptions> = {}): Promise<House> {
  const house = await createHouse({ server, settings, ...more })
  houses.push(house)
  return house
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})

describe("the id of a request of ours", () => {
  verifies("mcp.who-was-asked", "cannot be made into one for a question that this client was not asked", async () => {
    const house = await start()
    const client = await house.raw({ answer: () => never() })
    void client.call("delete", { id: "7" })
    await until(() => client.prompts.length > 0)
    const given = String(client.received.find(({ method }) => method === "elicitation/create")?.id)
    const [asked] = await house.hub.list({ tenant: "acme", state: "open", limit: 10 })
    const other = await house.hub.ask(formDraft)
    const forged = given.replace(String(asked?.id), other.id)
    expect(forged).not.toBe(given)
    await client.send({ jsonrpc: "2.0", id: forged, result: accept({ ok: true }) })
    expect(await house.hub.get(other.id)).toMatchObject({ status: "pending", revision: other.revision })
    await client.send({ jsonrpc: "2.0", id: given, result: accept({ confirmed: false }) })
    await until(async () => (await house.hub.get(String(asked?.id)))?.status === "completed")
  })

  it("is not computed by another program of the same person that has no session", async () => {
    const house = await start()
    const client = await house.raw({ answer: () => never() })
    void client.call("delete", { id: "7" })
    await until(() => client.prompts.length > 0)
    const given = String(client.received.find(({ method }) => method === "elicitation/create")?.id)
    const named = readRequestId(given)
    if (named === undefined) throw new Error("not an id of ours")
    const { elicitation, attempt, isPage, call } = named
    const endpoint = await house.endpoint({ client: "another-client" })
    if (endpoint.transport !== "http") throw new Error("not over HTTP")
    const type = { "content-type": "application/json", accept: "application/json, text/event-stream" }
    for (const session of [undefined, null, ""]) {
      const mark = digestOf(["prompt", session, elicitation, attempt, isPage, call]).slice(0, 16)
      for (const answer of [{ result: accept({ confirmed: true }) }, { error: { code: -1, message: "no" } }]) {
        const body = JSON.stringify({ jsonrpc: "2.0", id: toRequestId({ ...named, mark }), ...answer })
        const { status } = await endpoint.fetch(endpoint.url, {
          method: "POST",
          headers: { ...endpoint.headers, ...type },
          body,
        })
        expect(status).toBe(202)
      }
    }
    expect(await house.hub.get(elicitation)).toMatchObject({ status: "pending" })
    await client.send({ jsonrpc: "2.0", id: given, result: accept({ confirmed: false }) })
    await until(async () => (await house.hub.get(elicitation))?.status === "completed")
  })

  it("cannot be made into one that answers a question meant for a page", async () => {
    const house = await start({ addresses: createAddresses("https://pages.example") })
    const client = await house.raw({ answer: () => never(), capabilities: { elicitation: { url: {} } } })
    void client.call("delete", { id: "7" })
    await until(() => client.prompts.length > 0)
    const given = String(client.received.find(({ method }) => method === "elicitation/create")?.id)
    const [asked] = await house.hub.list({ tenant: "acme", state: "open", limit: 10 })
    await client.send({ jsonrpc: "2.0", id: given.replace(".0p.", ".0."), result: accept({ confirmed: true }) })
    expect(await house.hub.get(String(asked?.id))).toMatchObject({ status: "pending" })
  })
})

describe("a session", () => {
  it("belongs to the program that began it, not to another program of the same person", async () => {
    const house = await start()
    const endpoints = [await house.endpoint(), await house.endpoint({ client: "another-client" })]
    let session = ""
    const statuses: number[] = []
    for (const endpoint of [endpoints[0], endpoints[1], endpoints[0]]) {
      if (endpoint?.transport !== "http") throw new Error("not over HTTP")
      const type = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "one", version: "0" } }
      const response = await endpoint.fetch(endpoint.url, {
        method: "POST",
        headers: { ...endpoint.headers, ...type, ...(session === "" ? {} : { "mcp-session-id": session }) },
        body: JSON.stringify({
          ...{ jsonrpc: "2.0", id: 1 },
          ...(session === "" ? { method: "initialize", params } : { method: "tools/list" }),
        }),
      })
      session = response.headers.get("mcp-session-id") ?? session
      statuses.push(response.status)
      await response.body?.cancel()
    }
    expect(statuses).toEqual([200, 404, 200])
  })
})

describe("the name of a resource", () => {
  const read = (params: object) => ({ name: "note://1", ...params })

  it("is its address, whatever name a client sends, so that its state does not open another resource", async () => {
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.request("resources/read", read({ uri: "note://1" })))
    const answers = { requestState: one.state, inputResponses: { read: accept({ confirmed: true }) } }
    expect(await client.request("resources/read", read({ uri: "note://2", ...answers }))).toMatchObject({
      kind: "error",
      code: -32602,
    })
  })

  verifies("mcp.rights-before-dispatch", "is its address when the required scopes are looked up", async () => {
    const looked: string[] = []
    const house = await start({
      scopesFor({ name }) {
        looked.push(name)
        return []
      },
    })
    const client = await house.modern()
    await client.request("resources/read", read({ uri: "note://2" }))
    expect(looked).toEqual(["note://2"])
  })
})

describe("the scopes that a request needs", () => {
  verifies(
    "mcp.rights-before-dispatch",
    "are required of every kind of request, not only of those that may ask",
    async () => {
      const house = await start({
        scopesFor: ({ method, name }) => (method === "resources/subscribe" && name === "note://2" ? ["notes"] : []),
      })
      const client = await house.raw()
      const endpoint = await house.endpoint()
      await client.close()
      if (endpoint.transport !== "http") throw new Error("not over HTTP")
      const response = await endpoint.fetch(endpoint.url, {
        method: "POST",
        headers: {
          ...endpoint.headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri: "note://2" } }),
      })
      expect(response.status).toBe(403)
    },
  )
})

describe("a batch", () => {
  it("whose requests share an id is refused, and neither of them is served", async () => {
    const house = await start({ strict: false })
    const endpoint = await house.endpoint()
    const post = (body: unknown) =>
      endpoint.fetch(endpoint.transport === "http" ? endpoint.url : "", {
        method: "POST",
        headers: {
          ...(endpoint.transport === "http" ? endpoint.headers : {}),
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(body),
      })
    const call = (id: string) => ({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "delete", arguments: { id } },
    })
    const response = await post([call("a"), call("b")])
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32600 } })
    expect(await house.hub.list({ tenant: "acme", state: "all", limit: 10 })).toEqual([])
  })
})
