// Connects to an MCP server in this process, in memory. The server uses the same hub and has its own journal: its
// questions are joined instead of asked again, and a request may be repeated. Each request has its own connection,
// which belongs to its run.

import { idFor, parentFor } from "@holdpoint/calls/internal"
import type { Principal } from "@holdpoint/hub"
import type { PriorDiscovery, Tool, Transport } from "@modelcontextprotocol/client"
import { InMemoryTransport } from "@modelcontextprotocol/client"
import type { PeerParts } from "./attempt.ts"
import { callTool } from "./call.ts"
import type { OpenConnection } from "./connection.ts"
import { connectClient, createClient, priorOf } from "./connection.ts"
import type { McpPeer } from "./peer.ts"
import { createPushedCalls } from "./pushed.ts"
import { firstKey } from "./send.ts"
import { toSettings } from "./settings.ts"
import { createVisits } from "./visits.ts"

/** A server that was created by `createMcp` of `@holdpoint/mcp`. */
export interface InProcessServer {
  stdio(options: {
    readonly transport: Transport
    readonly caller: Principal
    readonly parent?: string
    readonly call?: string | undefined
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
  /** False when the person cannot be asked. Then the server stores no question. */
  readonly canAsk?: boolean
}

/**
 * Connects to an MCP server of this process, in one person's name. The server must use the same hub and storage as the
 * caller.
 */
export function inProcess(server: InProcessServer, { name, caller, canAsk = true }: InProcessOptions): McpPeer {
  const settings = toSettings({ name })
  const visits = createVisits()
  let prior: PriorDiscovery | undefined
  let tools = new Map<string, Tool>()

  const withConnection = async <T>(
    { parent, call }: { readonly parent?: string; readonly call?: string | undefined },
    work: (connection: OpenConnection) => Promise<T>,
  ): Promise<T> => {
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair()
    const session = server.stdio({
      transport: serverEnd,
      caller,
      canAsk,
      call,
      ...(parent === undefined ? {} : { parent }),
    })
    const incoming = { onQuestion: async () => ({ action: "cancel" as const }), onCompleted() {} }
    const client = createClient({ settings, revision: "2026-07-28", incoming })
    try {
      const connection = await connectClient(client, clientEnd, { connectMs: settings.limits.connectMs, prior })
      prior ??= priorOf(client)
      return await work(connection)
    } finally {
      await client.close()
      await session.close()
    }
  }
  const parts: PeerParts = {
    ...{ settings, visits, pushedCalls: createPushedCalls(settings), isInProcess: true },
    toolOf: (tool) => tools.get(tool),
    // The id is the same in a process that sends the request again, so that nothing is asked or done twice.
    withConnection: async (ask, work) =>
      withConnection({ parent: await parentFor(ask), call: await idFor(ask, firstKey) }, work),
  }
  return {
    async listTools() {
      const result = await withConnection({}, ({ client }) => client.listTools())
      tools = new Map(result.tools.map((tool) => [tool.name, tool]))
      return result.tools
    },
    callTool: (ask, call) => callTool(parts, ask, call),
    isBusy: () => false,
    async close() {},
  }
}
