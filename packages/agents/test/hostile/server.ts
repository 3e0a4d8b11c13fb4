// An MCP server that wants to stop its client, as a process of its own: over stdio, or over HTTP with `http`. It imports
// nothing, and writes its messages by hand, because the SDK would refuse some of them.

import { createServer } from "node:http"
import { createInterface } from "node:readline"

interface Request {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly name?: string; readonly cursor?: string }
}

const object = { type: "object" }
const text = (value: string) => [{ type: "text", text: value }]
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`

/** A schema of two kilobytes that doubles with each of its levels. */
const doubled = {
  type: "object",
  $ref: "#/$defs/a29",
  $defs: Object.fromEntries(
    Array.from({ length: 30 }, (_, level) => {
      const below = level === 0 ? { type: "string" } : { $ref: `#/$defs/a${level - 1}` }
      return [`a${level}`, { properties: { a: below, b: below }, allOf: [below, below] }]
    }),
  ),
}

const tools = [
  { name: "pattern", inputSchema: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } } },
  { name: "doubled", inputSchema: doubled },
  ...["huge", "deep", "parts", "works"].map((name) => ({ name, inputSchema: object })),
]

/** The lists of tools that have no end: of pages, of tools, of descriptions. */
function listOf(kind: string | undefined, page: number): object {
  switch (kind) {
    case "pages":
      return { tools: [{ name: `tool${page}`, inputSchema: object }], nextCursor: `${page + 1}` }
    case "tools":
      return { tools: Array.from({ length: 5_000 }, (_, at) => ({ name: `tool${at}`, inputSchema: object })) }
    case "descriptions":
      return { tools: [{ name: "tool", description: "a".repeat(5_000_000), inputSchema: object }] }
    default:
      return { tools }
  }
}

const [transport, list, hugeSize] = process.argv.slice(2)

/** The result as JSON. */
function resultOf({ method, params }: Request): string | undefined {
  if (method === "initialize")
    return JSON.stringify({
      ...{ protocolVersion: "2025-11-25", capabilities: { tools: {} } },
      serverInfo: { name: "hostile", version: "1" },
    })
  if (method === "tools/list") return JSON.stringify(listOf(list, Number(params?.cursor ?? 0)))
  if (method !== "tools/call") return undefined
  switch (params?.name) {
    case "huge":
      return JSON.stringify({ content: text("a".repeat(Number(hugeSize))) })
    case "deep":
      return `{"content":[],"structuredContent":${nested(5_000)}}`
    case "parts":
      return JSON.stringify({ content: Array.from({ length: 100_000 }, () => text("a")[0]) })
    default:
      return JSON.stringify({ content: text("It works.") })
  }
}

function answerTo(request: Request): string | undefined {
  if (request.id === undefined) return undefined
  const result = resultOf(request)
  const id = JSON.stringify(request.id)
  return result === undefined
    ? `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"There is no such method."}}`
    : `{"jsonrpc":"2.0","id":${id},"result":${result}}`
}

if (transport === "http" || transport === "events") {
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    const answer = request.method === "POST" ? answerTo(JSON.parse(body) as Request) : undefined
    if (answer === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end()
    const isStream = transport === "events"
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" })
    response.end(isStream ? `data: ${answer}\n\n` : answer)
  })
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${JSON.stringify(server.address())}\n`))
} else {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const answer = answerTo(JSON.parse(line) as Request)
    if (answer !== undefined) process.stdout.write(`${answer}\n`)
  })
}
