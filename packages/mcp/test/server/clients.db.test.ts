// The clients of the matrix against the bare SDK: they report what the server said.

import { fileURLToPath } from "node:url"
import type { ClientKind, Endpoint, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { clientKinds } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { openRawModern } from "@holdpoint/testkit/mcp/server/clients/raw"
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { bareServer } from "./clients/bare-server.ts"

const opened: TestClient[] = []
afterEach(() => Promise.all(opened.splice(0).map((client) => client.close())))

const ada: Reply = { action: "accept", content: { name: "Ada" } }

async function connect(kind: ClientKind, endpoint: Endpoint, reply: Reply = ada): Promise<TestClient> {
  const client = await open(kind, endpoint, { answer: () => reply })
  opened.push(client)
  return client
}

const stdio: Endpoint = {
  transport: "stdio",
  command: process.execPath,
  args: [fileURLToPath(new URL("clients/bare-stdio.ts", import.meta.url))],
  env: {},
}

/** An endpoint with sessions for older clients, as the SDK itself provides them. */
function http(): Endpoint {
  const modern = createMcpHandler(bareServer, { legacy: "reject" })
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const legacy = async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "")
    if (known !== undefined) return known.handleRequest(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await bareServer().connect(transport)
    return transport.handleRequest(request)
  }
  return {
    transport: "http",
    url: "https://server.example/mcp",
    async fetch(input, init) {
      const request = new Request(input, init)
      const isLegacy = request.method !== "POST" || (await isLegacyRequest(request.clone()))
      return isLegacy ? legacy(request) : modern.fetch(request)
    },
  }
}

const revisions: Record<ClientKind, string> = {
  "v2 pinned to 2026-07-28": "2026-07-28",
  "v2 auto": "2026-07-28",
  "v2 legacy": "2025-11-25",
  "v1.32": "2025-11-25",
  "raw 2025-06-18": "2025-06-18",
  "raw draft": "2025-11-25",
  "no capability": "2025-11-25",
}

describe.each(clientKinds)("%s", (kind) => {
  it.each([
    ["HTTP", http],
    ["stdio", () => stdio],
  ])("lists and calls tools, is asked and receives progress over %s", async (_name, endpoint) => {
    const client = await connect(kind, endpoint())
    expect(client.revision).toBe(revisions[kind])
    expect(await client.listTools()).toEqual(["echo", "greet", "slow"])
    expect(await client.call("echo", { word: "hi" })).toMatchObject({ kind: "result", isError: false, text: "hi" })
    const greeted = await client.call("greet")
    if (kind === "no capability") expect(greeted).toMatchObject({ kind: "result", isError: true })
    else {
      expect(greeted).toMatchObject({ kind: "result", text: "Hello, Ada!" })
      expect(client.prompts).toMatchObject([{ message: "Your name?", requestedSchema: { type: "object" } }])
    }
    await client.call("slow", {}, { onprogress: () => {} })
    expect(client.received).toContainEqual(expect.objectContaining({ method: "notifications/progress" }))
  })

  it("reports a protocol error as an error", async () => {
    const client = await connect(kind, http())
    expect(await client.call("nothing")).toMatchObject({ kind: "error", code: -32602 })
  })
})

it("clients decline for a person who declines", async () => {
  for (const kind of clientKinds.filter((one) => one !== "no capability")) {
    const client = await connect(kind, http(), { action: "decline" })
    expect(await client.call("greet")).toMatchObject({ text: "decline" })
  }
})

it("lets a test play the rounds of 2026-07-28 itself", async () => {
  const client = openRawModern(http())
  opened.push(client)
  const first = await client.call("greet")
  expect(first).toMatchObject({ result: { resultType: "input_required", inputRequests: { name: {} } } })
  const inputResponses = { name: ada }
  const second = await client.request("tools/call", { name: "greet", arguments: {}, inputResponses })
  expect(second).toMatchObject({ text: "Hello, Ada!" })
})
