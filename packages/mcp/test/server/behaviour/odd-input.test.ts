// How a server handles unusual ids, bodies and timing.

import { PassThrough } from "node:stream"
import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server"
import { McpServer } from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { callKind } from "../../../../calls/src/records.ts"
import { memberOf } from "../../../src/server/client.ts"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

const houses: House[] = []
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close()
})

let handler: (args: { readonly id: string }, ask: Ask) => Promise<ReturnType<typeof text>>

function server(): McpServer {
  const made = new McpServer({ name: "edges", version: "1" })
  made.registerTool(
    "act",
    { inputSchema: z.object({ id: z.string() }) },
    holdable((args, ask) => handler(args, ask)),
  )
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<House> {
  const house = await createHouse({ server, ...options })
  houses.push(house)
  return house
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})
const args = { id: "7" }
const sure = accept({ confirmed: true })
const ask = async (_args: object, { confirm }: Ask) => text(`${await confirm("sure", "Sure?")}`)

const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {}, url: {} } },
  "io.modelcontextprotocol/clientInfo": { name: "odd", version: "0" },
}

describe("a request of an older client", () => {
  it.each(["a\nb", "\u0000", "🙂".repeat(400), -15])(
    "leads to a question and can be cancelled, whatever its id is, case %#",
    async (id) => {
      handler = ask
      const house = await start({ nodes: 2 })
      const client = await house.raw({ answer: () => never() })
      void client.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "act", arguments: args } })
      await until(() => client.prompts.length > 0)
      client.to(1)
      await client.notify("notifications/cancelled", { requestId: id })
      await until(async () => (await house.hub.list({ tenant: "acme", state: "open", limit: 10 })).length === 0)
    },
  )
})

/** A deeply nested JSON text, too deep for JSON.stringify. */
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`

const deepRequests = [
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","arguments":{"id":DEEP}META}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","arguments":{"id":"7","any":DEEP}META}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","arguments":{"id":"7"},"inputResponses":{"sure":DEEP},"requestState":"x"META}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","arguments":{"id":"7"},"_meta":{"any":DEEP}}}',
  '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"note://1","any":DEEPMETA}}',
  '{"jsonrpc":"2.0","id":"hp_x.0.12345678.1234567890123456","result":{"action":"accept","content":{"a":DEEP}}}',
  '{"jsonrpc":"2.0","id":DEEP,"method":"tools/list"}',
  "DEEP",
]

describe("a deeply nested body", () => {
  it.each([150, 5_000, 100_000])("is refused with an error that names the limit, at %i levels", async (depth) => {
    handler = ask
    const house = await start()
    const endpoint = await house.endpoint()
    if (endpoint.transport !== "http") throw new Error("not over HTTP")
    for (const body of deepRequests)
      for (const meta of [`,"_meta":${JSON.stringify(modernMeta)}`, ""]) {
        const type = { "content-type": "application/json", accept: "application/json, text/event-stream" }
        const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "act" }
        const response = await endpoint.fetch(endpoint.url, {
          method: "POST",
          headers: { ...endpoint.headers, ...type, ...(meta === "" ? {} : modern) },
          body: body.replace("META", meta).replace("DEEP", nested(depth)),
        })
        expect([response.status, await response.json()]).toMatchObject([
          400,
          { error: { code: -32600, message: expect.stringContaining("more than 100 levels") } },
        ])
      }
    expect(house.reports).toEqual([])
    expect(await house.hub.list({ tenant: "acme", state: "open", limit: 10 })).toEqual([])
  })

  it("is served below the limit", async () => {
    handler = async () => text("Served.")
    const house = await start()
    const client = await house.modern()
    expect(await client.call("act", { ...args, any: JSON.parse(nested(90)) })).toMatchObject({ text: "Served." })
  })
})

describe("a retry whose connection is lost", () => {
  it("can be sent again for its result, and nothing is done twice", async () => {
    const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let deeds = 0
    handler = async (_args, { confirm, once }) => {
      await confirm("sure", "Sure?")
      const count = await once("done", async () => {
        begun.resolve()
        await slow.promise
        return ++deeds
      })
      return text(`Done ${count}.`)
    }
    const house = await start()
    const [lost, client] = [await house.modern(), await house.modern()]
    const one = roundOf(await client.call("act", args))
    void retry(lost, "act", args, one, { sure }).catch(() => {})
    await begun.promise
    await lost.close()
    slow.resolve()
    await until(async () => {
      const [call] = await house.storage.records(callKind).list({ tenant: "acme", limit: 10 })
      return call === undefined || call.lease === undefined
    })
    expect(await retry(client, "act", args, one, { sure })).toMatchObject({ text: "Done 1." })
  })
})

describe("two servers with one storage and one key ring", () => {
  it("refuse the states that the other server issued", async () => {
    handler = ask
    const [storage, keys] = [createMemoryStorage(), withNewKey()]
    const first = await start({ storage, keys, settings: { name: "staging" } })
    const second = await start({ storage, keys, settings: { name: "production", callers: "anonymous" } })
    const third = await start({ storage, keys, settings: { name: "staging", callers: "anonymous" } })
    const [client, stranger] = [await third.modern(), await second.modern()]
    const one = roundOf(await client.call("act", args))
    expect(await retry(stranger, "act", args, one, { sure })).toMatchObject({ kind: "error", code: -32602 })
    expect(await retry(client, "act", args, one, { sure })).toMatchObject({ text: "true" })
    expect(first.reports).toEqual([])
  })
})

describe("over a persistent connection", () => {
  async function connect(house: House) {
    const sent: JSONRPCMessage[] = []
    const transport: Transport = {
      async start() {},
      async close() {
        transport.onclose?.()
      },
      async send(message) {
        sent.push(message)
      },
    }
    const stdio = house.nodes[0]?.mcp.stdio({ transport })
    const send = (message: object): void => transport.onmessage?.({ jsonrpc: "2.0", ...message } as JSONRPCMessage)
    const answerTo = async (id: unknown): Promise<object> => {
      const find = () => sent.find((one) => memberOf(one, "id") === id && !("method" in one))
      await until(() => find() !== undefined)
      return find() ?? {}
    }
    const open = async (capabilities: object): Promise<void> => {
      const clientInfo = { name: "stays", version: "0" }
      send({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities, clientInfo } })
      await answerTo(0)
      send({ method: "notifications/initialized" })
    }
    return { sent, send, answerTo, open, stdio }
  }

  /** A client of 2025-11-25 at the other end of two streams. */
  async function connectStreams(house: House) {
    const [input, output] = [new PassThrough(), new PassThrough()]
    let written = ""
    output.on("data", (chunk: Buffer) => {
      written += chunk.toString()
    })
    const stdio = house.nodes[0]?.mcp.stdio({ transport: { input, output } })
    const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const sent = (): object[] =>
      written.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as object]))
    const answerTo = async (id: unknown): Promise<object> => {
      const find = () => sent().find((one) => memberOf(one, "id") === id && !("method" in one))
      await until(() => find() !== undefined)
      return find() ?? {}
    }
    const clientInfo = { name: "streams", version: "0" }
    send({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } })
    await answerTo(0)
    send({ method: "notifications/initialized" })
    return { input, send, sent, answerTo, stdio }
  }

  const long = "x".repeat(11 * 1_024 * 1_024)
  const call = `"method":"tools/call"`
  const params = `"params":{"name":"act","arguments":{"id":"${long}","more":{"id":5}}}`

  verifies.each("mcp.body-limit")([
    ["first", `{"jsonrpc":"2.0","id":"a","method":"tools/call",${params}}`, "a"],
    ["last", `{${call},${params},"jsonrpc":"2.0","id":7}`, 7],
    ["at both ends of its method", `{"id":-3,${params},"jsonrpc":"2.0",${call}}`, -3],
  ])(
    "a message that is too long, with its id %s, is refused with that id, and the next is served",
    async (_where, line, id) => {
      handler = async () => text("Served.")
      const house = await start()
      const { input, send, answerTo, stdio } = await connectStreams(house)
      for (let start = 0; start < line.length; start += 60_000) input.write(line.slice(start, start + 60_000))
      input.write("\n")
      expect(await answerTo(id)).toEqual({
        jsonrpc: "2.0",
        id,
        error: { code: -32600, message: expect.stringContaining("longer than 10 MiB. Send large content in parts") },
      })
      send({ id: 8, ...{ method: "tools/call", params: { name: "act", arguments: args } } })
      expect(await answerTo(8)).toMatchObject({ result: text("Served.") })
      expect(house.reports).toEqual([])
      await stdio?.close()
      expect(input.isPaused()).toBe(true)
    },
  )

  it.each([
    ["an answer", `{"result":{"content":"${long}","id":5},"jsonrpc":"2.0","id":7}`],
    ["a notification", `{"method":"notifications/progress","params":{"a":"${long}","id":5}}`],
    ["not JSON", `${long}"id":7,"method":"x"`],
  ])("a message that is too long and is %s is reported, and the next is served", async (_what, line) => {
    handler = async () => text("Served.")
    const house = await start()
    const { input, send, answerTo, stdio, sent } = await connectStreams(house)
    input.write(`${line}\n`)
    send({ id: 8, ...{ method: "tools/call", params: { name: "act", arguments: args } } })
    expect(await answerTo(8)).toMatchObject({ result: text("Served.") })
    expect(house.reports.map(({ error }) => String(error))).toEqual([
      expect.stringContaining("the message is longer than 10 MiB. It was dropped."),
    ])
    expect(sent().filter((one) => memberOf(one, "error") !== undefined)).toEqual([])
    await stdio?.close()
  })

  it("a message of almost 10 MiB is served, even together with another", async () => {
    handler = async ({ id }) => text(String(id.length))
    const house = await start()
    const { input, answerTo, stdio } = await connectStreams(house)
    const lines = [9, 10].map((id) =>
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name: "act", arguments: { id: long.slice(id * 131_072) } },
      }),
    )
    input.write(`${lines.join("\n")}\n`)
    for (const id of [9, 10])
      expect(await answerTo(id)).toMatchObject({ result: text(String(long.length - id * 131_072)) })
    expect(house.reports).toEqual([])
    await stdio?.close()
  })

  it("a message that is too long on the program's own transport closes it, and is reported", async () => {
    const house = await start()
    const input = new PassThrough()
    const stdio = house.nodes[0]?.mcp.stdio({ transport: new StdioServerTransport(input, new PassThrough()) })
    input.write("x".repeat(11 * 1_024 * 1_024))
    await stdio?.closed
    expect(house.reports.map(({ error }) => String(error))).toEqual([
      expect.stringContaining("the message is longer than 10 MiB, and the connection is closed"),
    ])
  })

  it("a second request with the id of one in progress is refused, and the first one continues", async () => {
    const seen: string[] = []
    handler = async ({ id }, { confirm }) => {
      await confirm("sure", `Sure of ${id}?`)
      seen.push(id)
      return text(id)
    }
    const house = await start()
    const { sent, send, open, stdio } = await connect(house)
    await open({ elicitation: {} })
    for (const id of ["a", "b"]) send({ id: 1, method: "tools/call", params: { name: "act", arguments: { id } } })
    await until(() => sent.some((one) => memberOf(one, "error") !== undefined))
    expect(sent).toContainEqual(expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32600 }) }))
    const questions = () => sent.filter((one) => memberOf(one, "method") === "elicitation/create")
    await until(() => questions().length > 0)
    send({ id: memberOf(questions()[0] ?? {}, "id"), result: sure })
    await until(() => sent.some((one) => memberOf(one, "result") !== undefined && memberOf(one, "id") === 1))
    expect([seen, questions().length]).toEqual([["a"], 1])
    await stdio?.close()
  })

  it.each([150, 5_000, 100_000])(
    "a deeply nested message gets an error that names the limit, at %i levels",
    async (depth) => {
      handler = ask
      const house = await start()
      const { send, answerTo, open, stdio } = await connect(house)
      await open({ elicitation: {} })
      for (const [at, body] of deepRequests.slice(0, 5).entries()) {
        const meta = at % 2 === 0 ? `,"_meta":${JSON.stringify(modernMeta)}` : ""
        send({ ...JSON.parse(body.replace("META", meta).replace("DEEP", nested(depth))), id: at + 1 })
        expect(await answerTo(at + 1)).toMatchObject({
          error: { code: -32600, message: expect.stringContaining("more than 100 levels") },
        })
      }
      const answer = { action: "accept", content: { a: JSON.parse(nested(depth)) } }
      send({ id: "hp_x.0.12345678.1234567890123456", result: answer })
      send({ id: 9, method: "tools/list" })
      expect(await answerTo(9)).toHaveProperty("result")
      expect(await house.hub.list({ tenant: "acme", state: "open", limit: 10 })).toEqual([])
      await stdio?.close()
    },
  )
})
