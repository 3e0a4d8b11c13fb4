// One MCP server as a client sees it. Only composes.

import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import type { Ask } from "../../asking/ask.ts"
import { HoldpointError } from "../../core/error.ts"
import { callTool } from "./call.ts"
import type { Leg } from "./leg.ts"
import { judgeError } from "./leg.ts"
import type { Line, Lines } from "./line.ts"
import { createLines } from "./line.ts"
import type { PushedCalls } from "./pushed.ts"
import { createPushedCalls } from "./pushed.ts"
import type { ConnectOptions, Settings, ToolCall } from "./settings.ts"
import { toSettings } from "./settings.ts"
import type { Visits } from "./visits.ts"
import { createVisits } from "./visits.ts"
import { notListedWords } from "./words.ts"

/** One MCP server, for one person or for everybody. Keep it for as long as calls may be open. */
export interface McpPeer {
  /** Throws `provider_unavailable` when the server was not reached, and `provider_refused` when it refused. */
  listTools(): Promise<readonly Tool[]>
  /**
   * Calls a tool. What the server asks is asked of the person by `ask`, so the run may be suspended there; run again, it
   * goes on with the same call. Use each scope of `ask` for one call. Throws `effect_unknown` when it is unknown whether
   * the tool was carried out, and `provider_unavailable` when the server was not reached.
   */
  callTool(ask: Ask, call: ToolCall): Promise<CallToolResult>
  /** Closes the connection. Calls that are open at a 2025 server are cancelled. */
  close(): Promise<void>
}

/** What the calls of one peer share. */
export interface PeerParts {
  readonly settings: Settings
  /** Does this on an open connection. Answers with what an error there means for the call. */
  onLine(ask: Ask, work: (line: Line) => Promise<Leg>): Promise<Leg>
  /** The tool as last listed. */
  toolOf(name: string): Tool | undefined
  readonly pushed: PushedCalls
  readonly visits: Visits
  /** Whether the server is one of this process: it keeps a journal itself, and asks at the same hub. */
  readonly isInProcess: boolean
}

/** Connects to an MCP server with the first use. Its questions are asked of the person for whom a tool is called. */
export function connectMcp(options: ConnectOptions): McpPeer {
  const settings = toSettings(options)
  const pushed = createPushedCalls(settings)
  const visits = createVisits()
  const { transport, revision, onToolsChanged } = options
  const lines = createLines({
    ...{ settings, transport, incoming: { onQuestion: pushed.onQuestion, onCompleted: visits.onCompleted } },
    ...(revision === undefined ? {} : { revision }),
    ...(onToolsChanged === undefined ? {} : { onToolsChanged }),
  })
  let tools = new Map<string, Tool>()
  const parts: PeerParts = {
    ...{ settings, pushed, visits, isInProcess: false },
    toolOf: (name) => tools.get(name),
    async onLine(_ask, work) {
      let line: Line
      try {
        line = await lines.open()
      } catch (error) {
        const leg = judgeError(error)
        return leg.kind === "lost" ? { kind: "unreached", message: messageOf(error) } : leg
      }
      const leg = await work(line)
      if (leg.kind === "unreached" || leg.kind === "lost") await lines.drop(line)
      return leg
    },
  }
  return {
    async listTools() {
      const listed = await list(lines, settings)
      tools = new Map(listed.map((tool) => [tool.name, tool]))
      return listed
    },
    callTool: (ask, call) => callTool(parts, ask, call),
    async close() {
      pushed.close()
      await lines.close()
    },
  }
}

async function list(lines: Lines, settings: Settings): Promise<readonly Tool[]> {
  try {
    const { client } = await lines.open()
    const { tools } = await client.listTools(undefined, { timeout: settings.limits.callMs, cacheMode: "refresh" })
    return tools
  } catch (error) {
    const code = judgeError(error).kind === "error" ? "provider_refused" : "provider_unavailable"
    throw new HoldpointError(code, notListedWords(settings, messageOf(error)), { cause: error })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
