// Finds the tools of an MCP server. A server that needs credentials can list its tools only after a person has
// connected an account. Before that, the tools come from the configuration, or else from the stored last listing.

import type { Runtime, Storage } from "@holdpoint/hub"
import type { McpPeer } from "@holdpoint/mcp/client"
import { acceptFirst, differencesOf, digestOf, isAccepted, toolListIdOf } from "../accepted-tools.ts"
import type { McpServerConfig } from "../definition.ts"
import type { ListedTool, ToolList } from "../records.ts"
import { toolListKind } from "../records.ts"

export interface Catalogue {
  /** The tools of the server, listed through `peer` if it is set. Undefined when no source has them. */
  toolsOf(name: string, server: ConfiguredTools, peer: Lister | undefined): Promise<Listing | undefined>
  /** Discards the cached listing, so that the next use lists the server's tools again. */
  forget(name: string): void
}

/** The tools of a server, and whether somebody accepted this list. */
export interface Listing {
  readonly tools: readonly ListedTool[]
  readonly isAccepted: boolean
}

/** The part of the configuration that describes tools. */
type ConfiguredTools = Pick<McpServerConfig, "tools">

/** A connected server that can list its tools. */
export type Lister = Pick<McpPeer, "listTools">

export interface CatalogueParts {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Pick<Runtime, "now">
  readonly report: (activity: string, error: unknown) => void
}

/** How long a listing is cached. */
const freshMs = 10 * 60_000

export function createCatalogue({ storage, runtime, report }: CatalogueParts): Catalogue {
  const records = storage.records(toolListKind)
  const freshLists = new Map<string, ToolList>()

  const list = async (name: string, peer: Lister): Promise<Listing> => {
    const cached = freshLists.get(name)
    if (cached !== undefined && runtime.now() < cached.listedAt + freshMs)
      return { tools: cached.tools, isAccepted: await isNowAccepted(name, cached) }
    const tools = (await peer.listTools()).map(toListed)
    const stored = await records.get(toolListIdOf(name))
    const isChanged = stored !== undefined && digestOf(stored.tools) !== digestOf(tools)
    const next: ToolList = {
      id: toolListIdOf(name),
      tenant: "",
      version: (stored?.version ?? 0) + 1,
      server: name,
      tools,
      listedAt: runtime.now(),
      accepted: stored?.accepted ?? acceptFirst(tools),
    }
    if (isChanged) report(`listing the tools of ${name}`, new Error(changeWords(name, stored, next)))
    freshLists.set(name, next)
    // A false result means that another process has just written the record.
    if (stored === undefined) await records.insert(next)
    else if (isChanged) await records.replace(next)
    return { tools, isAccepted: isAccepted(next, tools) }
  }
  /** A cached list is accepted later by the command, in another process. */
  const isNowAccepted = async (name: string, cached: ToolList): Promise<boolean> => {
    if (isAccepted(cached, cached.tools)) return true
    const stored = await records.get(toolListIdOf(name))
    return stored !== undefined && isAccepted(stored, cached.tools)
  }

  return {
    async toolsOf(name, server, peer) {
      if (peer !== undefined) return list(name, peer)
      if (server.tools !== undefined) return { tools: server.tools, isAccepted: true }
      const stored = await records.get(toolListIdOf(name))
      return stored === undefined ? undefined : { tools: stored.tools, isAccepted: isAccepted(stored, stored.tools) }
    },
    forget: (name) => void freshLists.delete(name),
  }
}

function toListed(tool: Awaited<ReturnType<McpPeer["listTools"]>>[number]): ListedTool {
  const { name, description, inputSchema, annotations, title = annotations?.title } = tool
  return {
    ...{ name, inputSchema: inputSchema as ListedTool["inputSchema"] },
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
  }
}

/** The changes of a list, for the log: a changed description may be an attempt to mislead a model. */
function changeWords(name: string, before: ToolList, after: ToolList): string {
  const kinds = { added: "is new", removed: "is gone", changed: "has changed" } as const
  const differences = differencesOf(before.tools, after.tools)
  const lines = differences.slice(0, 10).map((one) => `${one.name} ${kinds[one.kind]}`)
  const advice = isAccepted(after, after.tools)
    ? ""
    : ` Tools that run without asking are asked about until you accept the list: holdpoint agents accept ${name}`
  return `The tools have changed since they were listed: ${lines.join(", ")}.${advice}`
}
