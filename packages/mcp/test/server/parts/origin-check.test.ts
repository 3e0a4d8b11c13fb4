// Which hosts and origins may call the endpoint, and how much they may send.

import { createAddresses } from "@holdpoint/hub"
import { alice } from "@holdpoint/testkit/fixtures"
import { describe, expect, it } from "vitest"
import { readBody } from "../../../src/server/body.ts"
import { createOriginCheck } from "../../../src/server/origin-check.ts"
import type { McpOptions } from "../../../src/server/settings.ts"

type Body = string | ReadableStream<Uint8Array>

const local = { callers: { local: alice } }
const originCheckOf = (options: Partial<McpOptions> = {}) => createOriginCheck({ ...local, ...options } as McpOptions)
const requestTo = (host: string | undefined, origin?: string, url = `http://${host ?? "127.0.0.1"}/mcp`) =>
  new Request(url, {
    method: "POST",
    headers: { ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) },
  })

const isAccepted = (options: Partial<McpOptions>, host: string, origin?: string): boolean =>
  originCheckOf(options).refuse(requestTo(host, origin)) === undefined

describe("a host name", () => {
  const hosted = { addresses: createAddresses("https://hub.example:8443/base"), hosts: ["mcp.example"] }
  it.each([
    ["127.0.0.1", {}, true],
    ["127.0.0.1:3000", {}, true],
    ["localhost:1", {}, true],
    ["[::1]:3000", {}, true],
    ["evil.example", {}, false],
    ["localhost.evil.example", {}, false],
    ["127.0.0.1.evil.example", {}, false],
    ["127.0.0.2", {}, false],
    ["192.168.0.1", {}, false],
    ["0.0.0.0", {}, false],
    ["hub.example", hosted, true],
    ["hub.example:8443", hosted, true],
    ["mcp.example", hosted, true],
    ["mcp.example:443", hosted, true],
    ["www.mcp.example", hosted, false],
    ["mcp.example.evil.example", hosted, false],
    ["localhost", hosted, true],
  ])("%s is accepted with %j: %s", (host, options, expected) => {
    expect(isAccepted(options, host)).toBe(expected)
  })

  it("that points at this machine but is not its own is refused, as after DNS rebinding", async () => {
    const refused = originCheckOf().refuse(requestTo("rebound.evil.example:3000", "http://rebound.evil.example:3000"))
    expect(refused?.status).toBe(403)
    expect(await refused?.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32000 } })
  })

  it("of the resource is known", () => {
    const callers = { resource: "https://rs.example/mcp", metadata: () => undefined } as never
    expect(originCheckOf({ callers }).refuse(requestTo("rs.example"))).toBeUndefined()
  })
})

describe("an origin", () => {
  const hosted = {
    addresses: createAddresses("https://hub.example"),
    hosts: ["mcp.example"],
    origins: ["https://app.example"],
  }
  it.each([
    ["none at all, as from programs", "mcp.example", undefined, true],
    ["one that is listed", "mcp.example", "https://app.example", true],
    ["that of our own pages", "mcp.example", "https://hub.example", true],
    ["a listed one by another scheme", "mcp.example", "http://app.example", false],
    ["a listed one on another port", "mcp.example", "https://app.example:8443", false],
    ["one below a listed one", "mcp.example", "https://x.app.example", false],
    ["one that ends like a listed one", "mcp.example", "https://evilapp.example", false],
    ["one in other letters", "mcp.example", "https://APP.example", false],
    ["null, as from a sandbox", "mcp.example", "null", false],
    ["null, to this machine", "127.0.0.1", "null", false],
    ["the host's own, which is not listed", "mcp.example", "https://mcp.example", false],
    ["a page of this machine, to this machine", "127.0.0.1:3000", "http://localhost:5173", true],
    ["a page of this machine, to this machine", "[::1]:3000", "http://[::1]:5173", true],
    ["a page of this machine, to a host of ours", "mcp.example", "http://localhost:5173", false],
    ["a page of elsewhere, to this machine", "127.0.0.1:3000", "https://evil.example", false],
    ["one that only looks like this machine", "127.0.0.1:3000", "http://localhost.evil.example", false],
    ["one with a name in it", "127.0.0.1:3000", "http://localhost@evil.example", false],
  ])("is accepted or refused as expected: %s, to %s from %s", (_words, host, origin, expected) => {
    expect(isAccepted(hosted, host, origin)).toBe(expected)
  })

  it("that is allowed may read the response, which names no other origin", () => {
    const check = originCheckOf(hosted)
    const admitted = check.admit(
      requestTo("mcp.example", "https://app.example"),
      Response.json({ ok: 1 }, { status: 201 }),
    )
    expect(admitted.status).toBe(201)
    expect(admitted.headers.get("access-control-allow-origin")).toBe("https://app.example")
    expect(admitted.headers.get("vary")).toMatch(/origin/i)
    expect(admitted.headers.get("access-control-expose-headers")).toMatch(/mcp-session-id/)
    expect(admitted.headers.get("access-control-allow-credentials")).toBeNull()
    const plain = new Response("x")
    expect(check.admit(requestTo("mcp.example"), plain)).toBe(plain)
  })

  it("learns from the preflight which headers it may send", () => {
    const preflight = originCheckOf(hosted).preflight(requestTo("mcp.example", "https://app.example"))
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, POST, DELETE")
    for (const name of [
      "authorization",
      "content-type",
      "mcp-session-id",
      "mcp-protocol-version",
      "mcp-method",
      "mcp-name",
    ])
      expect(preflight.headers.get("access-control-allow-headers")).toContain(name)
    expect(
      originCheckOf(hosted).preflight(requestTo("mcp.example")).headers.get("access-control-allow-origin"),
    ).toBeNull()
  })
})

describe("a body", () => {
  const post = (body: Body | null, headers: Record<string, string> = {}) =>
    new Request("http://localhost/mcp", { method: "POST", headers, body, duplex: "half" } as RequestInit)
  const streamed = (...chunks: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    })

  it.each<[string, Body | null, object]>([
    ["JSON", '{"a":[1]}', { ok: true, value: { a: [1] } }],
    ["JSON in pieces, cut within a character", streamed('{"a":"', "é", '"}'), { ok: true, value: { a: "é" } }],
    ["no JSON", "{", { ok: false, reason: "not_json" }],
    ["nothing", null, { ok: false, reason: "not_json" }],
    ["as much as may be", `"${"x".repeat(98)}"`, { ok: true, value: "x".repeat(98) }],
    ["one byte too many", `"${"x".repeat(99)}"`, { ok: false, reason: "too_large" }],
    ["too many bytes of few characters", `"${"é".repeat(50)}"`, { ok: false, reason: "too_large" }],
    ["too much in pieces", streamed("1".repeat(60), "1".repeat(60)), { ok: false, reason: "too_large" }],
  ])("is read or refused as expected: %s", async (_words, body, expected) => {
    expect(await readBody(post(body), 100)).toEqual(expected)
  })

  it("that is too large by its Content-Length is not read", async () => {
    let wasRead = false
    const pull = (): void => {
      wasRead = true
    }
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    expect(await readBody(post(body, { "content-length": "101" }), 100)).toEqual({ ok: false, reason: "too_large" })
    expect(wasRead).toBe(false)
  })

  it("that breaks off is unreadable", async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) })
    expect(await readBody(post(body), 100)).toEqual({ ok: false, reason: "unreadable" })
  })
})
