// Servers made with the official SDK of the generation before (1.32), which push their questions in the middle of a call
// or end it with -32042. Their own clocks are set by the test.

import type { Transport } from "@modelcontextprotocol/client"
import { InMemoryTransport } from "@modelcontextprotocol/client"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import type { CallToolResult, ElicitRequestFormParams } from "@modelcontextprotocol/sdk/types.js"
import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js"

export interface FirstServer {
  /** A transport for a client, connected to a new server. */
  open(): Transport
  /** What the tools did and what they received as answers. */
  readonly deeds: string[]
  /** Tells all clients that the person has finished. */
  complete(id: string): Promise<void>
  /** The links that -32042 still names. */
  readonly needed: Set<string>
  /** How long the server waits for an answer. */
  askMs: number
  readonly aborted: string[]
}

export function createFirstServer(): FirstServer {
  const servers: McpServer[] = []
  const first: FirstServer = {
    deeds: [],
    needed: new Set(),
    aborted: [],
    askMs: 600_000,
    open() {
      const [here, there] = InMemoryTransport.createLinkedPair()
      const server = createServer(first)
      servers.push(server)
      // The types of that generation do not allow for `exactOptionalPropertyTypes`.
      void server.connect(there as unknown as Parameters<McpServer["connect"]>[0])
      return here
    },
    async complete(elicitationId) {
      for (const { server } of servers)
        await server.notification({ method: "notifications/elicitation/complete", params: { elicitationId } })
    },
  }
  return first
}

const say = (text: string): CallToolResult => ({ content: [{ type: "text", text }] })

/** One server, whose deeds are known to this object alone. */
export const createServerOf = (first: FirstServer = createFirstServer()): McpServer => createServer(first)

function createServer(first: FirstServer): McpServer {
  const made = new McpServer({ name: "old", version: "1" })
  const { server } = made
  const askForm = (message: string, requestedSchema: ElicitRequestFormParams["requestedSchema"]) =>
    server.elicitInput({ mode: "form", message, requestedSchema }, { timeout: first.askMs })
  const color = { type: "object" as const, properties: { color: { type: "string" as const } }, required: ["color"] }

  made.registerTool("paint", {}, async () => {
    first.deeds.push("paint begun")
    const { action, content } = await askForm("Which color?", color)
    if (action !== "accept") return say(`Not painted: ${action}`)
    const second = await askForm("Really?", { type: "object", properties: { sure: { type: "boolean" } } })
    first.deeds.push(`painted ${content?.color}`)
    return say(`Painted ${content?.color}, sure: ${second.content?.sure}`)
  })
  made.registerTool("log_in", {}, async () => {
    const { action } = await askForm("Log in", {
      type: "object",
      properties: { password: { type: "string", title: "Your password" } },
      required: ["password"],
    })
    return say(`Told: ${action}`)
  })
  made.registerTool("nag", {}, async ({ signal }) => {
    signal.addEventListener("abort", () => void first.aborted.push("nag"), { once: true })
    for (;;) await askForm("Again?", color)
  })
  made.registerTool("pay", {}, async () => {
    const link = {
      mode: "url",
      elicitationId: "upstream-7",
      url: "https://pay.example/7",
      message: "Please pay.",
    } as const
    const { action } = await server.elicitInput(link, { timeout: first.askMs })
    first.deeds.push(`pay ${action}`)
    return say(`Pay: ${action}`)
  })
  made.registerTool("connect", {}, async () => {
    first.deeds.push("connect called")
    if (first.needed.size === 0) return say("Connected.")
    throw new UrlElicitationRequiredError(
      [...first.needed].map((id) => ({
        ...{
          mode: "url" as const,
          elicitationId: id,
          url: `https://xn--80ak6aa92e.example/${id}`,
          message: `Allow ${id}.`,
        },
      })),
    )
  })
  made.registerTool("wait", {}, async ({ signal, sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken
    if (progressToken !== undefined)
      await sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress: 1, message: "half" },
      })
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
    first.aborted.push("wait")
    return say("aborted")
  })
  return made
}
