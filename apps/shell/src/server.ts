// The MCP server of a folder of scripts: lists the tools, calls them, and notifies clients when the list changes.

import type { Ask } from "@holdpoint/mcp"
import { callerNow, holdable } from "@holdpoint/mcp"
import type { CallToolResult, McpServerFactory, ServerContext, ServerEventBus } from "@modelcontextprotocol/server"
import { InMemoryServerEventBus, ProtocolError, Server } from "@modelcontextprotocol/server"
import { argumentsProblem } from "./arguments.ts"
import { callTool } from "./call.ts"
import { toListed } from "./catalogue/listed.ts"
import { createClientLevels } from "./client-level.ts"
import type { AskModes, CallFacts } from "./environment.ts"
import { projectOf } from "./environment.ts"
import type { NoticeListener } from "./notices/notices.ts"
import type { ClientRoots } from "./roots.ts"
import { createClientRoots, projectRoots } from "./roots.ts"
import type { ScriptLimits, ScriptsOptions } from "./scripts.ts"
import { createScripts } from "./scripts.ts"
import type { Catalogue, ShellTool } from "./tool.ts"

/** The options of `createShellServer`. */
export interface ShellOptions extends Omit<ScriptsOptions, "limits"> {
  /** The server's name for clients. */
  readonly name: string
  readonly version: string
  readonly catalogue: Catalogue
  /** Whether a person whose client cannot show a question is sent to a page. */
  readonly hasPages: boolean
  /** Whether clients are on this machine, so that the folders that they name are folders here: true on stdio. */
  readonly hasLocalClients: boolean
  readonly limits?: Partial<ScriptLimits>
}

/** The MCP server of a folder of scripts. Created by `createShellServer`. */
export interface ShellServer {
  /** The server factory for `createMcp`. */
  readonly server: McpServerFactory
  /** Notifies clients that listen over HTTP when the list of tools changes. For `createMcp`. */
  readonly bus: ServerEventBus
  /** Ends all scripts. */
  close(): Promise<void>
}

export const defaultLimits: ScriptLimits = {
  timeoutMs: 10 * 60_000,
  askWithinMs: 300_000,
  outputBytes: 10 * 1_024 * 1_024,
  argumentBytes: 4 * 1_024 * 1_024,
  concurrency: 500,
}

/** Creates the MCP server of a folder of scripts, for `createMcp`. Give `strict: false` to `createMcp`. */
export function createShellServer(options: ShellOptions): ShellServer {
  const { name, version, catalogue, hasPages, hasLocalClients, report } = options
  const limits = { ...defaultLimits, ...options.limits }
  const scripts = createScripts({ ...options, limits })
  const bus = new InMemoryServerEventBus((error) => report("telling clients of changed tools", error))
  const levels = createClientLevels()
  const unpublish = catalogue.onChange(() => bus.publish({ kind: "tools_list_changed" }))

  const call = (tool: ShellTool, args: CallFacts["arguments"], { context, roots }: CallParts) => {
    const readLevel = levels.readerFor(context)
    const facts = async (): Promise<CallFacts> => ({
      arguments: args,
      meta: context.mcpReq._meta ?? {},
      askModes: askModesIn(context, hasPages),
      roots: (await roots()) ?? projectRoots(projectOf(tool), options),
      progressToken: String(context.mcpReq._meta?.progressToken ?? ""),
      logLevel: readLevel(),
    })
    const { askWithinMs } = limits
    const run = holdable((ask: Ask) =>
      callTool(scripts, { tool, facts, askWithinMs, client: listenerFor(ask, readLevel) }, ask),
    )
    return run(context) as Promise<CallToolResult>
  }

  const server: McpServerFactory = () => {
    const mcpServer = new Server({ name, version }, { capabilities: { tools: { listChanged: true }, logging: {} } })
    const roots = hasLocalClients ? createClientRoots(mcpServer, options) : async () => undefined
    let unlisten: (() => void) | undefined
    mcpServer.onclose = () => unlisten?.()
    mcpServer.setRequestHandler("logging/setLevel", ({ params }, context) => {
      levels.set(params.level, context)
      return {}
    })
    mcpServer.setRequestHandler("tools/list", () => {
      unlisten ??= catalogue.onChange(() => {
        mcpServer.sendToolListChanged().catch((error: unknown) => report("telling a client of changed tools", error))
      })
      return { tools: catalogue.tools().map(toListed) as never[] }
    })
    mcpServer.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = catalogue.find(params.name)
      if (tool === undefined) throw new ProtocolError(-32_602, `There is no tool ${params.name.slice(0, 100)}.`)
      const args = params.arguments ?? {}
      const problem = argumentsProblem(tool, args, limits.argumentBytes)
      if (problem !== undefined) return { content: [{ type: "text", text: problem }], isError: true }
      return call(tool, args, { context, roots: isModern(context) ? async () => undefined : roots })
    })
    return mcpServer
  }
  return {
    server,
    bus,
    async close() {
      unpublish()
      await scripts.close()
    },
  }
}

interface CallParts {
  readonly context: ServerContext
  readonly roots: ClientRoots
}

/** Whether the client speaks 2026-07-28, in which a server cannot request the client's folders during a call. */
const isModern = (context: ServerContext): boolean => callerNow(context)?.revision === "2026-07-28"

/** The client of this request. Messages are sent as part of the request, so no other client receives them. */
function listenerFor(ask: Ask, level: NoticeListener["level"]): NoticeListener {
  const { mcpReq } = ask.context
  return {
    wantsProgress: mcpReq._meta?.progressToken !== undefined,
    progress: ({ progress: done, total, message = "" }) =>
      ask.progress(message, { done, ...(total === undefined ? {} : { total }) }),
    level,
    log: (notice) => mcpReq.notify({ method: "notifications/message", params: { ...notice } }),
  }
}

/** The modes in which the caller can be asked. Without pages, only those that the client itself shows. */
function askModesIn(context: ServerContext, hasPages: boolean): AskModes {
  const { form = false, url = false, principal } = callerNow(context) ?? {}
  const byPage = hasPages && principal !== undefined
  return { form: form || byPage, url: form || url || byPage, inClient: form || url }
}
