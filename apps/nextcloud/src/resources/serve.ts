// Handles resources/list, /templates/list, /read and, on persistent connections, /subscribe.

import { callerNow, holdable } from "@holdpoint/mcp"
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server"
import { ProtocolError, ResourceNotFoundError } from "@modelcontextprotocol/server"
import { findTools } from "../serve-tools.ts"
import type { ServerWithTools } from "../server-parts.ts"
import { findResource, isTemplate } from "./address.ts"
import type { Target } from "./read.ts"
import { readResource, readVersion } from "./read.ts"
import type { ResourceRow } from "./table.ts"
import { resources } from "./table.ts"
import { createWatch } from "./watch.ts"

export interface ResourceHandlers {
  list(context: ServerContext): Promise<ListResourcesResult>
  templates(context: ServerContext): Promise<ListResourceTemplatesResult>
  read(uri: string, context: ServerContext): Promise<ReadResourceResult>
  subscribe(uri: string, context: ServerContext): Promise<void>
  unsubscribe(uri: string): void
}

export function createResourceHandlers(server: Server, serverParts: ServerWithTools): ResourceHandlers {
  const { report = () => {} } = serverParts
  const watch = createWatch({
    everyMs: serverParts.watchEveryMs ?? 30_000,
    notify: (uri) => server.sendResourceUpdated({ uri }),
    report,
    schedule: runLater,
  })
  server.onclose = () => watch.close()

  const watchFor = (target: Target, context: ServerContext, version?: string): Promise<void> => {
    const caller = { principal: callerNow(context)?.principal, context }
    const readCurrentVersion = (): Promise<string | undefined> => readVersion(serverParts.accounts, target, caller)
    return watch.add({ uri: target.uri, version, readVersion: readCurrentVersion })
  }

  return {
    list: async (context) => ({
      resources: (await offeredRows(serverParts, context))
        .filter((row) => !isTemplate(row))
        .map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType })),
    }),
    templates: async (context) => ({
      resourceTemplates: (await offeredRows(serverParts, context))
        .filter(isTemplate)
        .map(({ uri: uriTemplate, name, title, description }) => ({ uriTemplate, name, title, description })),
    }),
    async read(uri, context) {
      await serverParts.beforeCall?.()
      const target = await find(serverParts, uri)
      const run = holdable(async (ask) => {
        const outcome = await readResource(serverParts, target, ask)
        if ("failed" in outcome && outcome.isMissing === true) throw new ResourceNotFoundError(uri, outcome.failed)
        if ("failed" in outcome) throw new ProtocolError(-32_603, outcome.failed)
        // A client of revision 2026-07-28 does not subscribe to single resources: the server watches every resource
        // that the client has read.
        const isListening = isPersistent(context) && callerNow(context)?.revision === "2026-07-28"
        if (isListening && outcome.version !== undefined) await watchFor(target, context, outcome.version)
        return outcome.result
      })
      return (await run(context)) as ReadResourceResult
    },
    async subscribe(uri, context) {
      const target = await find(serverParts, uri)
      if (!isPersistent(context) || target.row.version === undefined)
        throw new ProtocolError(-32_602, `${uri} cannot be watched: read it again when you need it.`)
      await watchFor(target, context)
    },
    unsubscribe: (uri) => watch.remove(uri),
  }
}

/**
 * Whether the connection is persistent. Over HTTP each request gets a new server, even within a session, so no server
 * is left to send updates.
 */
const isPersistent = (context: ServerContext): boolean =>
  callerNow(context)?.session !== undefined && context.http === undefined

async function offeredRows(serverParts: ServerWithTools, context: ServerContext): Promise<readonly ResourceRow[]> {
  const names = new Set((await findTools(serverParts, context)).map(({ name }) => name))
  return resources.filter(({ tool }) => names.has(tool))
}

async function find(serverParts: ServerWithTools, uri: string): Promise<Target> {
  const match = findResource(uri)
  const { chosen } = await serverParts.tools()
  const tool = chosen.find(({ name }) => name === match?.row.tool)
  if (match === undefined || tool === undefined) throw new ResourceNotFoundError(uri)
  return { ...match, uri, tool }
}

/** A timer that does not keep the process alive. */
function runLater(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
