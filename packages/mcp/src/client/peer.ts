// One MCP server as its client sees it: composes the connection, the calls and the visits.

import type { Ask } from "@holdpoint/calls"
import { HoldpointError } from "@holdpoint/hub"
import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import type { PeerParts } from "./attempt.ts"
import { callTool } from "./call.ts"
import type { Connector, OpenConnection } from "./connection.ts"
import { createConnector } from "./connection.ts"
import { createPushedCalls } from "./pushed.ts"
import type { ConnectOptions, Settings, ToolCall } from "./settings.ts"
import { toSettings } from "./settings.ts"
import type { ToolResponse } from "./tool-response.ts"
import { judgeError } from "./tool-response.ts"
import { createVisits } from "./visits.ts"
import { notListedWords } from "./words.ts"

/** One MCP server, for one person or for everybody. Keep this object for as long as calls may be open. */
export interface McpPeer {
  /** Throws `provider_unavailable` when the server was not reached, and `provider_refused` when it refused. */
  listTools(): Promise<readonly Tool[]>
  /**
   * Calls a tool. The server's questions are asked with `ask`, so the run may be suspended; when it runs again, it
   * continues the same call. Use each scope of `ask` for one call. Throws `effect_unknown` when it is unknown whether
   * the tool was carried out, and `provider_unavailable` when the server was not reached.
   */
  callTool(ask: Ask, call: ToolCall): Promise<CallToolResult>
  /** Whether a request is in progress, or a call is open while a person answers. */
  isBusy(): boolean
  /** Closes the connection. Calls that are open at a server of revision 2025-11-25 are cancelled. */
  close(): Promise<void>
}

/**
 * Connects to an MCP server on first use. The server's questions are asked to the person for whom the tool is called.
 */
export function connectMcp(options: ConnectOptions): McpPeer {
  const settings = toSettings(options)
  const pushedCalls = createPushedCalls(settings)
  const visits = createVisits()
  const { transport, revision, onToolsChanged } = options
  const connector = createConnector({
    ...{ settings, transport, incoming: { onQuestion: pushedCalls.onQuestion, onCompleted: visits.onCompleted } },
    ...(revision === undefined ? {} : { revision }),
    ...(onToolsChanged === undefined ? {} : { onToolsChanged }),
  })
  let tools = new Map<string, Tool>()
  let requests = 0
  const parts: PeerParts = {
    ...{ settings, pushedCalls, visits, isInProcess: false },
    toolOf: (name) => tools.get(name),
    async withConnection(_ask, work) {
      requests++
      try {
        return await requestOn(work)
      } finally {
        requests--
      }
    },
  }
  const requestOn: (work: Parameters<PeerParts["withConnection"]>[1]) => Promise<ToolResponse> = async (work) => {
    let connection: OpenConnection
    try {
      connection = await connector.open()
    } catch (error) {
      const response = judgeError(error)
      const isUncalled = response.kind === "lost" || response.kind === "excess"
      return isUncalled ? { kind: "unreached", message: messageOf(error) } : response
    }
    const response = await work(connection)
    if (response.kind === "unreached" || response.kind === "lost") await connector.drop(connection)
    return response
  }
  return {
    async listTools() {
      const listedTools = await listTools(connector, settings)
      tools = new Map(listedTools.map((tool) => [tool.name, tool]))
      return listedTools
    },
    isBusy: () => requests > 0,
    callTool: (ask, call) => callTool(parts, ask, call),
    async close() {
      pushedCalls.close()
      await connector.close()
    },
  }
}

async function listTools(connector: Connector, settings: Settings): Promise<readonly Tool[]> {
  try {
    const { client } = await connector.open()
    const { tools } = await client.listTools(undefined, { timeout: settings.limits.callMs, cacheMode: "refresh" })
    return tools
  } catch (error) {
    const isRefused = ["error", "excess"].includes(judgeError(error).kind)
    const code = isRefused ? "provider_refused" : "provider_unavailable"
    throw new HoldpointError(code, notListedWords(settings, messageOf(error)), { cause: error })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
