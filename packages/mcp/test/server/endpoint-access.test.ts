// Which HTTP requests reach the endpoint: by host name, web origin and body size; and that requests share no server.

import { createAddresses, createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { alice } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import type { Mcp, McpOptions } from "../../src/server/index.ts"
import { createMcp } from "../../src/server/index.ts"

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

function serve(settings: Partial<McpOptions> = {}): { readonly mcp: Mcp; readonly made: McpServer[] } {
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  const made: McpServer[] = []
  const mcp = createMcp({
    ...{ hub, storage, keys: withNewKey(), name: "door", callers: { local: alice }, addresses: "none" },
    server() {
      const server = new McpServer({ name: "door", version: "1" })
      server.registerTool("echo", {}, () => ({ content: [{ type: "text", text: "here" }] }))
      made.push(server)
      return server
    },
    ...settings,
  })
  cleanUps.push(
    () => hub.close(),
    () => mcp.close(),
  )
  return { mcp, made }
}

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
}

function call(mcp: Mcp, headers: Readonly<Record<string, string>>, extra: object = {}): Promise<Response> {
  const params = { name: "echo", arguments: {}, _meta: modern, ...extra }
  return mcp.fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      headers: {
        ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
        ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "echo" },
        ...headers,
      },
    }),
  )
}

describe("the host name of a request (DNS rebinding)", () => {
  verifies.each("mcp.door")([
    { host: "attacker.example" },
    { host: "localhost.attacker.example" },
    { host: "127.0.0.1.attacker.example:80" },
  ])("is refused before anything runs if it is foreign: $host", async ({ host }) => {
    const { mcp, made } = serve()
    expect((await call(mcp, { host })).status).toBe(403)
    expect(made).toEqual([])
  })

  it.each(["localhost", "127.0.0.1:3000", "[::1]:3000", "hub.example", "other.example"])(
    "is accepted if it is one of ours: %s",
    async (host) => {
      const { mcp } = serve({ addresses: createAddresses("https://hub.example"), hosts: ["other.example"] })
      expect((await call(mcp, { host })).status).toBe(200)
    },
  )
})

describe("a web page", () => {
  verifies.each("mcp.door")(["https://attacker.example", "null", "http://localhost.attacker.example"])(
    "of %s may not call a server on this machine",
    async (origin) => {
      const { mcp, made } = serve()
      const response = await call(mcp, { host: "localhost", origin })
      expect(response.status).toBe(403)
      expect(response.headers.get("access-control-allow-origin")).toBeNull()
      expect(made).toEqual([])
    },
  )

  verifies("mcp.door", "on this machine may not call a server that is elsewhere", async () => {
    const { mcp } = serve({ hosts: ["server.example"] })
    expect((await call(mcp, { host: "server.example", origin: "http://localhost:5173" })).status).toBe(403)
  })

  verifies("mcp.door", "may call when it is listed, and may read the answer", async () => {
    const { mcp } = serve({ origins: ["https://app.example"] })
    const response = await call(mcp, { host: "localhost", origin: "https://app.example" })
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "https://app.example"])
  })
})

describe("a request", () => {
  verifies("mcp.body-limit", "that is larger than allowed is refused with 413 and not read to its end", async () => {
    const { mcp, made } = serve({ maxBodyBytes: 1_024 })
    const refused = await call(mcp, {}, { arguments: { text: "x".repeat(2_000) } })
    expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining("at most 1024 bytes")])
    for (const [headers, most] of [
      [{}, 4],
      [{ "content-length": "51200" }, 1],
    ] as const) {
      let read = 0
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(512))
          if (++read === 100) controller.close()
        },
      })
      const init = { method: "POST", body, duplex: "half", headers: { "content-type": "application/json", ...headers } }
      expect((await mcp.fetch(new Request("http://localhost/mcp", init as RequestInit))).status).toBe(413)
      expect(read).toBeLessThanOrEqual(most)
    }
    expect(made).toEqual([])
  })

  verifies("mcp.own-server", "has a server of its own, which serves no other (CVE-2026-25536)", async () => {
    const { mcp, made } = serve()
    const answers = await Promise.all([1, 2, 3].map(() => call(mcp, {})))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(made).size).toBe(3)
  })
})
