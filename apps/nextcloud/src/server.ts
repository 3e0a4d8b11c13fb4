// The MCP server: tools, resources and prompts, for every generation of client. Made anew for every request over HTTP, so
// that it is nothing but a few handlers over tables that are made once.

import type { McpServerFactory } from "@modelcontextprotocol/server"
import { Server } from "@modelcontextprotocol/server"
import type { Accounts } from "./accounts/accounts.ts"
import { texts } from "./consent/texts.ts"
import type { Choice } from "./offered.ts"
import { chosen } from "./offered.ts"
import type { Policies } from "./policy.ts"
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
  /** How long a list waits for what the server says it has. */
  readonly listWithinMs?: number
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

/** Makes the MCP server with all tools, resources and prompts, to be given to `createMcp`. */
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
    serve(server, served)
    return server
  }
}

/** What answers is loaded with the first request of its kind. */
function serve(server: Server, served: Served): void {
  const tools = once(async () => (await serving.tools()).createToolHandlers(server, served))
  server.setRequestHandler("tools/list", async (_request, context) => (await tools()).list(context))
  server.setRequestHandler("tools/call", async (request, context) => (await tools()).call(request, context))

  const prompts = once(async () => (await serving.prompts()).createPromptHandlers(served))
  server.setRequestHandler("prompts/list", async (_request, context) => (await prompts()).list(context))
  server.setRequestHandler("prompts/get", async (request, context) => (await prompts()).get(request, context))

  const resources = once(async () => (await serving.resources()).createResourceHandlers(server, served))
  server.setRequestHandler("resources/list", async (_request, context) => (await resources()).list(context))
  server.setRequestHandler("resources/templates/list", async (_request, context) =>
    (await resources()).templates(context),
  )
  server.setRequestHandler("resources/read", async ({ params }, context) =>
    (await resources()).read(params.uri, context),
  )
  server.setRequestHandler("resources/subscribe", async ({ params }, context) => {
    await (await resources()).subscribe(params.uri, context)
    return {}
  })
  server.setRequestHandler("resources/unsubscribe", async ({ params }) => {
    const handlers = await resources()
    handlers.unsubscribe(params.uri)
    return {}
  })
}

const serving = {
  tools: once(() => import("./serve-tools.ts")),
  prompts: once(() => import("./prompts/serve.ts")),
  resources: once(() => import("./resources/serve.ts")),
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
