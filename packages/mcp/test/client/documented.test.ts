// The snippets of docs/mcp.md about calling tools of other servers. They run as they are shown.

import { fileURLToPath } from "node:url"
import type { Ask } from "@holdpoint/calls"
import { alice } from "@holdpoint/testkit/fixtures"
import type { Caller } from "@holdpoint/testkit/mcp/client/caller"
import { createCaller } from "@holdpoint/testkit/mcp/client/caller"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { connectMcp, inProcess } from "../../src/client/index.ts"
import { createMcp, holdable } from "../../src/server/index.ts"

const program = fileURLToPath(new URL("../../../../examples/2-ask-from-an-mcp-tool/server.ts", import.meta.url))

let caller: Caller
beforeEach(() => {
  caller = createCaller()
})
afterEach(() => caller.close())

describe("The documented client", () => {
  it("calls a tool of a server that it starts on stdio, and passes the server's question on", async () => {
    // #region connect
    const releases = connectMcp({
      name: "releases",
      transport: () => new StdioClientTransport({ command: process.execPath, args: [program] }),
    })
    // #endregion
    // #region call
    async function release(ask: Ask): Promise<unknown> {
      const call = { name: "release", arguments: { version: "4.2.0" } }
      const { content } = await releases.callTool(ask.scope("release"), call)
      return content
    }
    // #endregion
    const called = caller.run(release)
    const [question] = await caller.questions()
    expect(question?.message).toBe("“releases” asks: Version 4.2.0 is built and tested. Release it?")
    await caller.answer(question, { environment: "staging", notify: false })
    expect(await called).toEqual([{ type: "text", text: "Releasing to staging, tested once: (no note)" }])
    await releases.close()
  })

  it("calls a tool of a server in the same process", async () => {
    const createNotes = (): McpServer => {
      const server = new McpServer({ name: "notes", version: "1" })
      server.registerTool(
        "clear",
        {},
        holdable(async (ask) => text((await ask.confirm("sure", "Clear?")) ? "Cleared." : "Kept.")),
      )
      return server
    }
    const { hub, storage, keys } = caller
    const person = alice
    // #region in-process
    const mcp = createMcp({
      hub,
      storage,
      keys,
      name: "notes",
      callers: "anonymous",
      addresses: "none",
      server: createNotes,
    })
    const notes = inProcess(mcp, { name: "notes", caller: person })
    // #endregion
    const called = caller.call(notes, { name: "clear" })
    await caller.answer((await caller.questions())[0], { confirmed: "yes" })
    expect(await called).toBe("Cleared.")
    await mcp.close()
  })
})
