// An MCP server that can ask: one factory of servers, served to every generation of client.

import type { Asking } from "../../asking/asking.ts"
import { createAsking } from "../../asking/asking.ts"
import type { Tokens } from "../../ports/sealer.ts"
import { createSealer } from "../../sealing/seal.ts"
import { createTokens } from "../../sealing/tokens.ts"
import type { McpHttp } from "./http.ts"
import { createPulse } from "./pulse.ts"
import type { McpOptions, McpRequestInfo } from "./settings.ts"
import { pathsOf, toSettings } from "./settings.ts"
import type { McpStdio, StdioOptions } from "./stdio.ts"
import { createStdio } from "./stdio.ts"
import type { Surface } from "./surface.ts"

/** A served MCP server. Made by `createMcp`. */
export interface Mcp {
  /** Serves one HTTP request, at whatever path it is mounted, and the metadata of its resource. */
  fetch(request: Request, known?: McpRequestInfo): Promise<Response>
  /** Whether a path is its own: its resource's and that of the metadata; without a resource /mcp. */
  handles(path: string): boolean
  /** Serves this process's stdin and stdout, or another transport that stays. */
  stdio(options?: StdioOptions): McpStdio
  /** Ends what is held and leaves every question as it is. Before the hub is closed. */
  close(): Promise<void>
}

/** Serves an MCP server whose tools can ask, over HTTP and stdio, to every generation of client. */
export function createMcp(options: McpOptions): Mcp {
  const { storage, keys } = options
  const settings = toSettings(options)
  const asking = createAsking({ ...options, addresses: settings.addresses, sealer: createSealer(keys) })
  const tokens = ofServer(settings.name, createTokens(keys))
  const pulse = createPulse(asking.runtime)
  const surface: Surface = { ...asking, storage, settings, tokens, pulse }
  // Loaded with the first request: whoever serves stdio alone never needs it.
  let http: Promise<McpHttp> | undefined
  const openHttp = async (): Promise<McpHttp> => (await import("./http.ts")).createHttp(surface, options)
  const paths = pathsOf(options.callers)
  const connected = new Set<McpStdio>()
  return {
    async fetch(request, known) {
      http ??= openHttp()
      return (await http).fetch(request, known)
    },
    handles: (path) => paths.has(path),
    stdio(given = {}) {
      const stdio = createStdio(surface, options, { ...given, onEnd: () => connected.delete(stdio) })
      connected.add(stdio)
      return stdio
    },
    async close() {
      pulse.close()
      await sendOn(asking)
      await Promise.all([(await http)?.close(), ...[...connected].map((stdio) => stdio.close())])
      await asking.close()
    },
  }
}

/** Whoever is held is told to come again, to another process if there is one; then nothing is lost. */
async function sendOn({ holds, runtime }: Asking): Promise<void> {
  let stopWaiting = (): void => {}
  const patience = new Promise<void>((resolve) => (stopWaiting = runtime.after(patienceMs, resolve)))
  await Promise.race([holds.close(), patience])
  stopWaiting()
  // What they were told goes out before their streams are closed.
  await new Promise<void>((resolve) => setImmediate(resolve))
}

const patienceMs = 5_000

/** What one server gave out, no other takes that has the same keys. */
const ofServer = (name: string, tokens: Tokens): Tokens => ({
  seal: (purpose, text) => tokens.seal(`${purpose} of ${name}`, text),
  open: (purpose, token) => tokens.open(`${purpose} of ${name}`, token),
})
