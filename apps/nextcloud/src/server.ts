// The MCP server: tools, resources and prompts, for every protocol revision. A new one is created for each HTTP
// request, so it consists only of a few handlers over shared tables.

import type { McpServerFactory } from "@modelcontextprotocol/server"
import { Server } from "@modelcontextprotocol/server"
import { texts } from "./consent/texts.ts"
import type { ServerParts, ServerWithTools } from "./server-parts.ts"
import { chosenTools } from "./tool-selection.ts"

/** Creates the MCP server factory with all tools, resources and prompts, for `createMcp`. */
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
  const serverParts: ServerWithTools = {
    ...parts,
    tools: once(async () => {
      const { table } = await import("./tools/table.ts")
      return { all: new Map(table.map((tool) => [tool.name, tool])), chosen: chosenTools(table, parts.choice) }
    }),
  }
  return () => {
    const server = new Server({ name, title: texts.title, version }, options)
    registerHandlers(server, serverParts)
    return server
  }
}

/** Registers handlers that load their code on the first request of their kind. */
function registerHandlers(server: Server, serverParts: ServerWithTools): void {
  const tools = once(async () => (await handlerModules.tools()).createToolHandlers(server, serverParts))
  server.setRequestHandler("tools/list", async (_request, context) => (await tools()).list(context))
  server.setRequestHandler("tools/call", async (request, context) => (await tools()).call(request, context))

  const prompts = once(async () => (await handlerModules.prompts()).createPromptHandlers(serverParts))
  server.setRequestHandler("prompts/list", async (_request, context) => (await prompts()).list(context))
  server.setRequestHandler("prompts/get", async (request, context) => (await prompts()).get(request, context))

  const resources = once(async () => (await handlerModules.resources()).createResourceHandlers(server, serverParts))
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

const handlerModules = {
  tools: once(() => import("./serve-tools.ts")),
  prompts: once(() => import("./prompts/serve.ts")),
  resources: once(() => import("./resources/serve.ts")),
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => (value ??= make())
}
