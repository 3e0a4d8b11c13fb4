// An MCP server with one tool, which asks before it releases. Clients start it and speak to it on stdio; with --port N
// it serves HTTP on this machine, at /mcp.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { choice, createHub, createMemoryStorage, form, inbox, text, yesNo } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createMcp, holdable } from "@holdpoint/mcp"
import { getRequestListener } from "@hono/node-server"
import { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"

// #region tool
function createReleases(): McpServer {
  const server = new McpServer({ name: "releases", version: "1.0.0" })
  server.registerTool(
    "release",
    { description: "Tests a version and releases it.", inputSchema: z.object({ version: z.string() }) },
    holdable(async ({ version }, ask) => {
      const tested = await ask.once("tested", () => test(version))
      const { note, environment } = await ask.form("what", `Version ${version} is built and tested. Release it?`, what)
      if (environment === "production" && !(await ask.confirm("sure", "To everybody, now?")))
        return textResult("Not released.")
      await ask.once("released", () => release(version, environment))
      return textResult(`Releasing to ${environment}, ${tested}: ${note ?? "(no note)"}`)
    }),
  )
  return server
}

const what = form(
  {
    note: text({ title: "Release note", description: "One sentence for the people who use it.", minLength: 5 }),
    environment: choice({ staging: "Staging", production: "Production" }, { title: "Environment" }),
    notify: yesNo({ title: "Notify the team", default: true }),
  },
  { optional: ["note"] },
)
// #endregion

export interface Releases {
  /** Serves on stdin and stdout, until the client closes them. */
  stdio(): void
  /** Serves over HTTP. Returns the address for clients. */
  listen(port: number): Promise<string>
  close(): Promise<void>
}

export function serveReleases(): Releases {
  // #region serve
  const me = { tenant: "local", issuer: "this-machine", subject: "me" }
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  const mcp = createMcp({
    hub,
    storage,
    keys: withNewKey(),
    name: "releases",
    callers: { local: me },
    // There are no pages, so clients without elicitation cannot answer a form.
    addresses: "none",
    server: createReleases,
  })
  const http = createServer(getRequestListener(mcp.fetch))
  // #endregion
  return {
    stdio() {
      // The process exists only for its client.
      void mcp.stdio().closed.then(() => this.close())
    },
    async listen(port) {
      await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve))
      return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
    },
    async close() {
      await mcp.close()
      await hub.close()
      http.close()
      http.closeAllConnections()
    },
  }
}

/** How often the tests of a version were run, in words. */
const runs = new Map<string, number>()

function test(version: string): string {
  const times = (runs.get(version) ?? 0) + 1
  runs.set(version, times)
  return times === 1 ? "tested once" : `tested ${times} times`
}

function release(_version: string, _environment: string): void {}

const textResult = (words: string) => ({ content: [{ type: "text" as const, text: words }] })

if (import.meta.main) {
  const releases = serveReleases()
  const at = process.argv.indexOf("--port")
  if (at < 0) releases.stdio()
  else console.log(`The server is at ${await releases.listen(Number(process.argv[at + 1]))}. Ctrl+C ends it.`)
}
