// Calls of MCP clients: of a tool that asks and has an effect, and of a script that asks and has an effect.

import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Storage } from "@holdpoint/hub"
import { holdable } from "@holdpoint/mcp"
import { createHouse } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Called, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { confirmRequest, openShell, plainAsk } from "../../apps/shell/test/open-shell.ts"
import { callKind } from "../../packages/calls/src/records.ts"
import { isAnswered, receipt, type Scene, untilOver } from "./scene.ts"

const yes = () => ({ action: "accept", content: { confirmed: "yes" } }) as const

/** Calls again, as a model would, after an error that says that the storage failed. */
async function callPersistently(client: TestClient, tool: string, args: { readonly id: string }): Promise<Called> {
  for (;;) {
    const called = await client.call(tool, args)
    if (!toldBy(called).includes("cannot reach its database")) return called
  }
}

const toldBy = (called: Called): string => (called.kind === "result" ? called.text : `error ${called.message}`)

const noCalls = (storage: Storage, tenant: string) => async (): Promise<boolean> =>
  (await storage.records(callKind).list({ tenant, limit: 9 })).every(isAnswered)

export const mcpCall = (mode: "modern" | "legacy"): Scene => ({
  name: `MCP call, ${mode} client`,
  async play(storage, begin) {
    let effects = 0
    const server = (): McpServer => {
      const made = new McpServer({ name: "bank", version: "1" })
      made.registerTool(
        "pay",
        { inputSchema: z.object({ id: z.string() }) },
        holdable(async (_args, ask) => {
          if (!(await ask.confirm("sure", "Pay?"))) return { content: [{ type: "text", text: "no" }] }
          const text = await ask.once("paid", () => `${receipt} ${++effects}`)
          return { content: [{ type: "text", text }] }
        }),
      )
      return made
    }
    const house = await createHouse({ server, storage: { ...storage, close: async () => {} } })
    const client = await house.v2(mode, { answer: yes })
    begin()
    const called = await callPersistently(client, "pay", { id: "7" })
    // The answer counts as delivered when its stream has ended.
    await client.close()
    const isOver = await untilOver(noCalls(storage, "acme"))
    await house.close()
    return { effects, told: toldBy(called), isOver }
  },
})

const script = `${plainAsk}
cd "$(dirname "$MCP_TOOL_ARGS_FILE")"
ask 1 '${confirmRequest("Pay?")}' > answer
echo paid >> "$DEEDS"
echo "${receipt}"`

export const scriptCall: Scene = {
  name: "script",
  async play(storage, begin) {
    const folder = makeScratchFolder("failing-script")
    const deeds = join(folder, "deeds")
    const options = { scripts: { pay: script }, env: { DEEDS: deeds }, passEnvironment: ["DEEDS"] }
    const shell = await openShell({ ...options, storage })
    const client = await shell.client("v2 pinned to 2026-07-28", yes)
    begin()
    const called = await callPersistently(client, "pay", { id: "7" })
    await client.close()
    const isOver = await untilOver(noCalls(storage, "local"))
    const effects = existsSync(deeds) ? readFileSync(deeds, "utf8").split("\n").length - 1 : 0
    await shell.close()
    rmSync(folder, { recursive: true, force: true })
    return { effects, told: toldBy(called), isOver }
  },
}
