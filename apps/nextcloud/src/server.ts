// The MCP server: tools, resources and prompts, for every generation of client. Made anew for every request over HTTP, so
// that it is nothing but a few handlers over tables that are made once.

import type { McpServerFactory } from "@modelcontextprotocol/server"
import { Server } from "@modelcontextprotocol/server"
import type { Accounts } from "./accounts/accounts.ts"
import { texts } from "./consent/texts.ts"
import type { Choice } from "./offered.ts"
import { chosen } from "./offered.ts"
import type { Policies } from "./policy.ts"
import { servePrompts } from "./prompts/serve.ts"
import { serveResources } from "./resources/serve.ts"
import { serveTools } from "./serve-tools.ts"
import type { Tool } from "./tool.ts"

export interface ServerParts {
  /** As clients read it. */
  readonly name: string
  readonly version: string
  /** Of Nextcloud. */
  readonly url: string
  readonly accounts: Accounts
  readonly policies: Policies
  readonly choice: Choice
  /** What has to be there before anybody is asked anything. */
  readonly beforeCall?: () => Promise<void>
  /** How often watched resources are looked at, on connections that stay. */
  readonly watchEveryMs?: number
  readonly report?: (doing: string, error: unknown) => void
}

export interface Served extends ServerParts {
  /** Loaded when they are first asked for: a client that only connects does not wait for them. */
  readonly tools: () => Promise<Tools>
}

export interface Tools {
  readonly all: ReadonlyMap<string, Tool>
  /** Of the toolsets that are switched on. */
  readonly chosen: readonly Tool[]
}

export function createNextcloudServer(parts: ServerParts): McpServerFactory {
  const { name, version, url } = parts
  const options = {
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
    },
    instructions: texts.instructions(url),
  }
  const served: Served = {
    ...parts,
    tools: once(async () => {
      const { table } = await import("./tools/table.ts")
      return { all: new Map(table.map((tool) => [tool.name, tool])), chosen: chosen(table, parts.choice) }
    }),
  }
  return () => {
    const server = new Server({ name, title: texts.title, version }, options)
    serveTools(server, served)
    serveResources(server, served)
    servePrompts(server, served)
    return server
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
