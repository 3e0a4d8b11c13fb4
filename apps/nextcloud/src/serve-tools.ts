// Handles tools/list and tools/call.

import { nearest } from "@holdpoint/hub/forms"
import { callerNow, holdable } from "@holdpoint/mcp"
import type {
  CallToolRequest,
  CallToolResult,
  ListToolsResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server"
import { ProtocolError } from "@modelcontextprotocol/server"
import type { Accounts } from "./accounts/accounts.ts"
import { isNextcloudError } from "./api/error.ts"
import { callTool, toFailure, toText } from "./call.ts"
import { accessTools, callAccessTool } from "./consent/access-tools.ts"
import type { ServerWithTools } from "./server-parts.ts"
import type { Tool } from "./tool.ts"
import { toListed } from "./tool.ts"
import type { Choice } from "./tool-selection.ts"
import { supportedTools } from "./tool-selection.ts"

export interface ToolHandlers {
  list(context: ServerContext): Promise<ListToolsResult>
  call(request: CallToolRequest, context: ServerContext): Promise<CallToolResult>
}

export function createToolHandlers(server: Server, serverParts: ServerWithTools): ToolHandlers {
  const { accounts } = serverParts
  /**
   * The tool names that this client saw last. When they change, because an account was connected or an app installed,
   * the client is notified.
   */
  let lastListed: string | undefined
  const notifyIfChanged = async (context: ServerContext): Promise<void> => {
    if (lastListed === undefined) return
    const tools = await findToolsInTime(serverParts, context)
    // While Nextcloud is briefly unavailable, the tools count as unchanged.
    if (tools === undefined || namesOf(tools) === lastListed) return
    lastListed = namesOf(tools)
    await server.sendToolListChanged()
  }

  return {
    async list(context) {
      const tools = await findTools(serverParts, context)
      lastListed = namesOf(tools)
      return { tools: [...listAccessTools(accounts, context), ...tools.map(toListedTool)] as never[] }
    },
    async call({ params }, context) {
      await serverParts.beforeCall?.()
      const result = await call(serverParts, params.name, params.arguments, context)
      notifyIfChanged(context).catch((error: unknown) =>
        serverParts.report?.("notifying the client of changed tools", error),
      )
      return result
    },
  }
}

const namesOf = (tools: readonly Tool[]): string => tools.map(({ name }) => name).join()

const listings = new WeakMap<Tool, ReturnType<typeof toListed>>()

function toListedTool(tool: Tool): ReturnType<typeof toListed> {
  const listing = listings.get(tool) ?? toListed(tool)
  listings.set(tool, listing)
  return listing
}

async function call(
  serverParts: ServerWithTools,
  name: string,
  rawInput: unknown,
  context: ServerContext,
): Promise<CallToolResult> {
  const { accounts } = serverParts
  const access = accessTools.find((tool) => tool.name === name)
  if (access !== undefined && accounts.consent !== undefined) {
    const isListed = !access.isManual || !canVisit(context)
    const { form = false, url = false } = callerNow(context) ?? {}
    const canAsk = form || url
    const run = holdable((ask) =>
      withErrorsAsResults(() => callAccessTool(access, accounts, { rawInput, ask, isListed, canAsk })),
    )
    return (await run(context)) as CallToolResult
  }
  const { all, chosen } = await serverParts.tools()
  const tool = all.get(name)
  if (tool === undefined) throw unknownTool(name, chosen)
  if (!chosen.includes(tool)) return toText(notChosen(tool, serverParts.choice), true)
  return (await holdable((ask) => callTool(serverParts, tool, rawInput, ask))(context)) as CallToolResult
}

/**
 * The tools to offer. All chosen ones when no account is connected or the server does not report its apps: a call then
 * reports what is missing.
 */
export async function findTools(serverParts: ServerWithTools, context: ServerContext): Promise<readonly Tool[]> {
  return (await findToolsInTime(serverParts, context)) ?? (await serverParts.tools()).chosen
}

/**
 * The supported tools. Undefined when Nextcloud does not report its apps in time: clients give up on a slow tools/list.
 */
async function findToolsInTime(
  serverParts: ServerWithTools,
  context: ServerContext,
): Promise<readonly Tool[] | undefined> {
  const { accounts, listWithinMs = 5_000, report } = serverParts
  const { chosen } = await serverParts.tools()
  const findSupported = async (): Promise<readonly Tool[]> =>
    supportedTools(chosen, await accounts.find({ principal: callerNow(context)?.principal, context }))
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), listWithinMs)
  })
  try {
    return await Promise.race([findSupported(), timeout])
  } catch (error) {
    report?.("reading which apps the server has", error)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function listAccessTools({ consent }: Accounts, context: ServerContext) {
  if (consent === undefined || callerNow(context)?.principal === undefined) return []
  return accessTools
    .filter(({ isManual }) => !isManual || !canVisit(context))
    .map(({ name, title, description, annotations, input, output }) => ({
      ...{ name, title, description, annotations, inputSchema: input.json },
      ...(output === undefined ? {} : { outputSchema: output.json }),
    }))
}

const canVisit = (context: ServerContext): boolean => callerNow(context)?.url === true

async function withErrorsAsResults(action: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await action()
  } catch (error) {
    if (isNextcloudError(error)) return toFailure(error)
    throw error
  }
}

function unknownTool(name: string, tools: readonly Tool[]): ProtocolError {
  const nearestName = nearest(
    name,
    tools.map((tool) => tool.name),
  )
  const hint = nearestName === undefined ? "" : ` Did you mean ${nearestName}?`
  return new ProtocolError(-32_602, `There is no tool ${name.slice(0, 100)}.${hint}`)
}

function notChosen({ name, app }: Tool, { readOnly, toolsets }: Choice): string {
  if (readOnly && toolsets.has(app)) return `${name} changes something, and this server was started with --read-only.`
  return `${name} belongs to the toolset “${app}”, which is not enabled on this server. Enable it with --tools ${app} or --tools all.`
}
