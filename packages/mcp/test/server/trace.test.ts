// The trace context that a client sends in `_meta` stays with the questions of its call.

import { askable } from "@holdpoint/testkit/mcp/server/clients/v2"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { describe, expect } from "vitest"

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

describe("a question of a call", () => {
  verifies.each("telemetry.spans")([
    ["ask_form", "2026-07-28"],
    ["ask_form", "2025-11-25"],
    ["ask_connection", "2026-07-28"],
    ["ask_connection", "2025-11-25"],
  ])("names the trace and the tool of its request: %s over %s", async (name, revision) => {
    const world = await createWorld()
    const { url, fetch, headers } = (await world.endpoint()) as Extract<
      Awaited<ReturnType<typeof world.endpoint>>,
      { url: string }
    >
    const mode = revision === "2025-11-25" ? "legacy" : "auto"
    const client = new Client(
      { name: "tracing", version: "1" },
      { capabilities: askable, versionNegotiation: { mode } },
    )
    client.setRequestHandler("elicitation/create", async () => ({ action: "decline" as const }))
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit: { headers: { ...headers } } }),
    )
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    await client.callTool({ name, arguments: { cell: "traced" }, _meta: { traceparent } }).catch(() => {})
    const entries = await world.storage.trail.read({ limit: 100 })
    const asked = entries.filter(({ kind }) => kind === "asked")
    expect(asked.map(({ detail }) => detail)).toMatchObject([
      { trace: traceparent, question: { context: { tool: name } } },
    ])
    await client.close()
    await world.close()
  })
})
