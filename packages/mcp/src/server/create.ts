// Creates an MCP server that can ask: one server factory, served to clients of every protocol revision.

import type { Asking } from "@holdpoint/calls"
import { createAsking } from "@holdpoint/calls"
import { createHeartbeat } from "@holdpoint/hub/internal"
import type { Tokens } from "@holdpoint/hub/sealing"
import { createSealer, createTokens } from "@holdpoint/hub/sealing"
import type { McpHttp } from "./http.ts"
import type { McpOptions, McpRequestInfo } from "./settings.ts"
import { pathsOf, toSettings } from "./settings.ts"
import type { McpStdio, StdioOptions } from "./stdio.ts"
import { createStdio } from "./stdio.ts"
import type { Surface } from "./surface.ts"

/** A served MCP server. Created by `createMcp`. */
export interface Mcp {
  /** Serves one HTTP request, at any path, and the metadata of the protected resource. */
  fetch(request: Request, requestInfo?: McpRequestInfo): Promise<Response>
  /** Whether this server handles the path: the path of its resource and of the metadata; /mcp without a resource. */
  handles(path: string): boolean
  /** Serves the stdin and stdout of this process, or another persistent transport. */
  stdio(options?: StdioOptions): McpStdio
  /** Ends held requests; open questions stay open. Call it before the hub is closed. */
  close(): Promise<void>
}

/** Serves an MCP server whose tools can ask, over HTTP and stdio, to clients of every protocol revision. */
export function createMcp(options: McpOptions): Mcp {
  const { storage, keys } = options
  const settings = toSettings(options)
  const asking = createAsking({ ...options, addresses: settings.addresses, sealer: createSealer(keys) })
  const tokens = bindToServer(settings.name, createTokens(keys))
  const heartbeat = createHeartbeat(asking.runtime)
  const surface: Surface = { ...asking, storage, settings, tokens, heartbeat }
  // http.ts is loaded with the first request, because a server on stdio never needs it.
  let http: Promise<McpHttp> | undefined
  const openHttp = async (): Promise<McpHttp> => (await import("./http.ts")).createHttp(surface, options)
  const paths = pathsOf(options.callers)
  const connected = new Set<McpStdio>()
  return {
    async fetch(request, requestInfo) {
      http ??= openHttp()
      return (await http).fetch(request, requestInfo)
    },
    handles: (path) => paths.has(path),
    stdio(stdioOptions = {}) {
      const stdio = createStdio(surface, options, { ...stdioOptions, onEnd: () => connected.delete(stdio) })
      connected.add(stdio)
      return stdio
    },
    async close() {
      heartbeat.close()
      await releaseHeldRequests(asking)
      await Promise.all([(await http)?.close(), ...[...connected].map((stdio) => stdio.close())])
      await asking.close()
    },
  }
}

/** Answers held requests: their clients are asked to call again, so that another process can serve the next call. */
async function releaseHeldRequests({ calls, holds, runtime }: Asking): Promise<void> {
  calls.stopRetrying()
  let stopWaiting = (): void => {}
  const timeLimit = new Promise<void>((resolve) => (stopWaiting = runtime.after(closeLimitMs, resolve)))
  await Promise.race([holds.close(), timeLimit])
  stopWaiting()
  // Waits one turn, so that the answers are sent before their streams are closed.
  await new Promise<void>((resolve) => setImmediate(resolve))
}

const closeLimitMs = 5_000

/** Binds tokens to the name of the server, so that another server with the same keys does not accept them. */
const bindToServer = (name: string, tokens: Tokens): Tokens => ({
  seal: (purpose, text) => tokens.seal(`${purpose} of ${name}`, text),
  open: (purpose, token) => tokens.open(`${purpose} of ${name}`, token),
})
