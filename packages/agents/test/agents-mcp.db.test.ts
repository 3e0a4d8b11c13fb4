// Agents as tools of an MCP server, called over HTTP at two processes in turn, by clients of each revision: whatever asks
// in a run, a tool of the agent, an approval, an agent below or a server in the same process, asks in the client.

import { openHome } from "@holdpoint/testkit/agents/agents-process"
import type { ClientKind, JsonObject, Prompt } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { describe, expect, it, onTestFinished } from "vitest"
import { mcpPath } from "../src/agents-mcp.ts"

/** What the message makes the agent do, what the person reads, and what was done. */
const sources: readonly (readonly [message: string, question: string, deed: string])[] = [
  ["delete it", "wants to run “delete”", "deleted 1"],
  ["plan a trip", "Where to?", "booked"],
  ["ask below", "Dig deep?", "fetched the shovel"],
  ["reserve", "Reserve a table?", "reserved"],
]

const clients: readonly (readonly [ClientKind, JsonObject | undefined])[] = [
  ["v2 pinned to 2026-07-28", undefined],
  ["v2 legacy", undefined],
  ["v1.32", { elicitation: {} }],
  ["raw draft", undefined],
  ["raw 2025-06-18", undefined],
]

const toReply = ({ message }: Prompt) => ({
  ...{ action: "accept" as const, content: message.includes("Where to?") ? { where: "Rome" } : { confirmed: "yes" } },
})

describe("an agent that is called over MCP at two processes in turn", { timeout: 120_000 }, () => {
  it.each(clients)("asks in %s, whatever asks", async (kind, capabilities) => {
    const home = await openHome()
    const nodes = [await home.start(), await home.start()]
    let requests = 0
    for (const [message, question, deed] of sources) {
      const client = await open(
        kind,
        {
          ...{ transport: "http", url: `${nodes[0]!.address}${mcpPath}` },
          fetch: (input, init) => {
            const node = nodes[requests++ % 2]!
            const headers = new Headers(init?.headers)
            headers.set("authorization", node.program.authorization ?? "")
            const { pathname } = new URL(input instanceof Request ? input.url : input)
            return fetch(`${node.address}${pathname}`, { ...init, headers })
          },
        },
        { ...(capabilities === undefined ? {} : { capabilities }), answer: toReply },
      )
      onTestFinished(() => client.close())
      const called = await client.call("helper", { message })
      expect(called).toMatchObject({ kind: "result", isError: false, text: expect.stringContaining("I heard: ") })
      expect([message, client.prompts.map((prompt) => prompt.message)]).toEqual([
        message,
        [expect.stringContaining(question)],
      ])
      expect(home.deeds().filter((one) => one === deed)).toEqual([deed])
    }
  })
})
