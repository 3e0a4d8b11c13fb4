// An MCP server of this process, reached in memory. It asks at the same hub and keeps a journal itself: its questions are
// joined instead of asked again, and a leg may be repeated. Each leg has a connection of its own, which belongs to the
// run that makes it.

import type { PriorDiscovery, Tool, Transport } from "@modelcontextprotocol/client"
import { InMemoryTransport } from "@modelcontextprotocol/client"
import { parentFor } from "../../asking/on-behalf.ts"
import type { Principal } from "../../core/principal.ts"
import { callTool } from "./call.ts"
import type { Line } from "./line.ts"
import { connectClient, createClient, priorOf } from "./line.ts"
import type { McpPeer, PeerParts } from "./peer.ts"
import { createPushedCalls } from "./pushed.ts"
import { toSettings } from "./settings.ts"
import { createVisits } from "./visits.ts"

/** A server that `createMcp` of `@holdpoint/sdk/mcp` made. */
export interface InProcessServer {
  stdio(options: {
    readonly transport: Transport
    readonly caller: Principal
    readonly parent?: string
    readonly canAsk?: boolean
  }): {
    close(): Promise<void>
  }
}

export interface InProcessOptions {
  /** The name of the server, for messages. */
  readonly name: string
  /** The person for whom tools are called. */
  readonly caller: Principal
  /** False when the person cannot be asked: then the server writes no question. */
  readonly canAsk?: boolean
}

/** Connects to an MCP server of this process, in one person's name. It has to use the hub and the storage of the caller. */
export function inProcess(server: InProcessServer, { name, caller, canAsk = true }: InProcessOptions): McpPeer {
  const settings = toSettings({ name })
  const visits = createVisits()
  let prior: PriorDiscovery | undefined
  let tools = new Map<string, Tool>()

  const within = async <T>(parent: string | undefined, work: (line: Line) => Promise<T>): Promise<T> => {
    const [here, there] = InMemoryTransport.createLinkedPair()
    const served = server.stdio({ transport: there, caller, canAsk, ...(parent === undefined ? {} : { parent }) })
    const incoming = { onQuestion: async () => ({ action: "cancel" as const }), onCompleted() {} }
    const client = createClient({ settings, revision: "2026-07-28", incoming })
    try {
      const line = await connectClient(client, here, { connectMs: settings.limits.connectMs, prior })
      prior ??= priorOf(client)
      return await work(line)
    } finally {
      await client.close()
      await served.close()
    }
  }
  const parts: PeerParts = {
    ...{ settings, visits, pushed: createPushedCalls(settings), isInProcess: true },
    toolOf: (tool) => tools.get(tool),
    onLine: async (ask, work) => within(await parentFor(ask), work),
  }
  return {
    async listTools() {
      const listed = await within(undefined, ({ client }) => client.listTools())
      tools = new Map(listed.tools.map((tool) => [tool.name, tool]))
      return listed.tools
    },
    callTool: (ask, call) => callTool(parts, ask, call),
    async close() {},
  }
}
