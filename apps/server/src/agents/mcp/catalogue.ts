// Finds the tools of an MCP server. A server that needs credentials can list its tools only after a person has
// connected an account. Before that, the tools come from the configuration, or else from the stored last listing.

import { createHash } from "node:crypto"
import type { Runtime, Storage } from "@holdpoint/sdk"
import type { McpPeer } from "@holdpoint/sdk/mcp-client"
import type { McpServerConfig } from "../definition.ts"
import type { ListedTool, ToolList } from "../records.ts"
import { toolListKind } from "../records.ts"

export interface Catalogue {
  /** The tools of the server, listed through `peer` if it is set. Undefined when no source has them. */
  toolsOf(name: string, server: ConfiguredTools, peer: Lister | undefined): Promise<readonly ListedTool[] | undefined>
  /** Discards the cached listing, so that the next use lists the server's tools again. */
  forget(name: string): void
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

  const list = async (name: string, peer: Lister): Promise<readonly ListedTool[]> => {
    const cached = freshLists.get(name)
    if (cached !== undefined && runtime.now() < cached.listedAt + freshMs) return cached.tools
    const tools = (await peer.listTools()).map(toListed)
    const stored = await records.get(idOf(name))
    if (stored !== undefined && digestOf(stored.tools) !== digestOf(tools))
      report(`listing the tools of ${name}`, new Error(differences(stored.tools, tools)))
    const next: ToolList = {
      ...{
        id: idOf(name),
        tenant: "",
        version: (stored?.version ?? 0) + 1,
        server: name,
        tools,
        listedAt: runtime.now(),
      },
    }
    freshLists.set(name, next)
    // A false result means that another process has just written the record.
    if (stored === undefined || digestOf(stored.tools) !== digestOf(tools))
      await (stored === undefined ? records.insert(next) : records.replace(next))
    return tools
  }

  return {
    async toolsOf(name, server, peer) {
      if (peer !== undefined) return list(name, peer)
      return server.tools ?? (await records.get(idOf(name)))?.tools
    },
    forget: (name) => void freshLists.delete(name),
  }
}

const idOf = (name: string): string => `tools of ${name}`

function toListed(tool: Awaited<ReturnType<McpPeer["listTools"]>>[number]): ListedTool {
  const { name, description, inputSchema, annotations, title = annotations?.title } = tool
  return {
    ...{ name, inputSchema: inputSchema as ListedTool["inputSchema"] },
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
  }
}

const digestOf = (tools: readonly ListedTool[]): string =>
  createHash("sha256")
    .update(JSON.stringify([...tools].sort((one, other) => (one.name < other.name ? -1 : 1))))
    .digest("base64url")

/** The changes between two listings, for the log: a changed description may be an attempt to mislead a model. */
function differences(oldTools: readonly ListedTool[], newTools: readonly ListedTool[]): string {
  const names = (tools: readonly ListedTool[]): Set<string> => new Set(tools.map(({ name }) => name))
  const [oldNames, newNames] = [names(oldTools), names(newTools)]
  const changed = newTools.filter(
    (tool) =>
      oldNames.has(tool.name) && digestOf([tool]) !== digestOf(oldTools.filter(({ name }) => name === tool.name)),
  )
  const differences = [
    ...[...newNames].filter((name) => !oldNames.has(name)).map((name) => `${name} is new`),
    ...[...oldNames].filter((name) => !newNames.has(name)).map((name) => `${name} is gone`),
    ...changed.map(({ name }) => `${name} has changed`),
  ]
  return `The tools have changed since they were listed: ${differences.slice(0, 10).join(", ")}.`
}
