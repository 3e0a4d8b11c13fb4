// A process that calls a tool of another MCP server is killed with SIGKILL, between the requests of a call and inside of
// one, and another process continues.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Elicitation, Hub, Storage } from "@holdpoint/hub"
import { createHub, inbox } from "@holdpoint/hub"
import { serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { alice } from "@holdpoint/testkit/fixtures"
import { createFolder } from "@holdpoint/testkit/hub/stores/engines"
import { type Child, startChild } from "@holdpoint/testkit/hub/stores/processes/child"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { verifies } from "@holdpoint/testkit/verifies"
import { getRequestListener } from "@hono/node-server"
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { callKind } from "../../../calls/src/records.ts"
import type { ProgramSettings } from "./program.ts"

let folder: string
let storage: Storage
let hub: Hub
let base: Pick<ProgramSettings, "database" | "keys" | "deeds">
const running: Child[] = []
const closing: (() => void)[] = []

beforeEach(async () => {
  folder = await createFolder()
  base = { database: join(folder, "hub.db"), keys: serializeKeyRing(withNewKey()), deeds: join(folder, "deeds") }
  storage = await openSqlite(base.database)
  hub = createHub({ storage, outlets: [inbox()] })
})
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.process.stdin?.end()
    await child.gone
  }
  for (const close of closing.splice(0)) close()
  await hub.close()
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

const deeds = (): readonly string[] =>
  existsSync(base.deeds) ? readFileSync(base.deeds, "utf8").split("\n").slice(0, -1) : []
const start = async (more: Omit<ProgramSettings, keyof typeof base>): Promise<Child> => {
  const child = startChild("packages/mcp/test/client/program.ts", JSON.stringify({ ...base, ...more }))
  running.push(child)
  expect(await child.line()).toBe("ready")
  return child
}
const kill = async (child: Child): Promise<void> => {
  running.splice(running.indexOf(child), 1)
  child.process.kill("SIGKILL")
  await child.gone
}
/** Resolves to the open question with this text, when the run is paused there. */
const question = async (words: string): Promise<Elicitation> => {
  let pending: Elicitation | undefined
  await until(async () => {
    pending = (await hub.list({ tenant: "acme", state: "open", limit: 9 })).find(({ message }) =>
      message.includes(words),
    )
    const runs = (await storage.records(callKind).list({ tenant: "acme", limit: 9 })).filter(
      ({ kind }) => kind === "job",
    )
    return pending !== undefined && runs.every(({ lease }) => lease === undefined)
  })
  if (pending === undefined) throw new Error(`There is no question “${words}”.`)
  return pending
}
const answer = async ({ id }: Elicitation, content: Readonly<Record<string, string | boolean>>): Promise<void> => {
  expect(await hub.answer(id, { by: alice, action: "accept", content })).toMatchObject({ ok: true })
}

/** Starts the server of an example over HTTP. Resolves to its address. */
async function startExample(): Promise<string> {
  const source = fileURLToPath(new URL("../../../../examples/2-ask-from-an-mcp-tool/server.ts", import.meta.url))
  const server = spawn(process.execPath, ["--no-warnings", source, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  closing.push(() => void server.kill())
  const [line] = (await once(server.stdout, "data")) as [Buffer]
  return /http:\S+\/mcp/.exec(String(line))?.[0] ?? ""
}

describe("A call of a 2026-07-28 server", () => {
  verifies("mcp.client-survives", "continues in another process after each kill between its requests", async () => {
    const url = await startExample()
    const settings = { server: { url }, call: { name: "release", arguments: { version: "9.9.9" } } }
    const first = await start(settings)
    first.say("go")
    const what = await question("Version 9.9.9 is built and tested")
    await kill(first)
    await answer(what, { note: "Faster search", environment: "production", notify: false })
    const second = await start(settings)
    const sure = await question("To everybody, now?")
    await kill(second)
    await answer(sure, { confirmed: "yes" })
    await start(settings)
    await until(() => deeds().length > 0)
    expect(deeds()).toEqual(["result Releasing to production, tested once: Faster search"])
  })

  it.each([
    [{}, ["failed effect_unknown"], 1],
    [{ readOnlyHint: true }, ["result done"], 2],
    [{ idempotentHint: true }, ["result done"], 2],
  ])("that was killed inside of a request, with the annotations %j, ends as %j", async (annotations, end, calls) => {
    let count = 0
    const handler = createMcpHandler(() => {
      const made = new McpServer({ name: "slow", version: "1" })
      made.registerTool("slow", {}, async () => {
        count++
        if (count === 1) await new Promise(() => {})
        return { content: [{ type: "text", text: "done" }] }
      })
      return made
    })
    const http = createServer(getRequestListener((request) => handler.fetch(request)))
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
    closing.push(() => {
      http.close()
      http.closeAllConnections()
    })
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
    const settings = { server: { url }, call: { name: "slow", arguments: {}, annotations } }
    const first = await start(settings)
    first.say("go")
    await until(() => count === 1)
    await kill(first)
    await start(settings)
    await until(() => deeds().length > 0)
    expect(deeds()).toEqual(end)
    expect(count).toBe(calls)
  })
})

describe("A call of a server of the same process", () => {
  verifies(
    "mcp.client-one-record",
    "killed while it waits and answered in the inbox, continues in a new process with one record",
    async () => {
      const settings = { server: "in-process", call: { name: "delete_note", arguments: {} } } as const
      const first = await start(settings)
      first.say("go")
      const sure = await question("Delete it?")
      await kill(first)
      await answer(sure, { confirmed: "yes" })
      await start(settings)
      await until(() => deeds().some((deed) => deed.startsWith("result")))
      expect(deeds()).toEqual(["looked", "deleted", "result Deleted."])
      const all = await hub.list({ tenant: "acme", state: "all", limit: 9 })
      expect(all.map(({ id }) => id)).toEqual([sure.id])
    },
  )
})

describe("A call of a 2025 server that died with its process", () => {
  verifies("mcp.client-unknown", "fails with effect_unknown", async () => {
    const settings = { server: "first", call: { name: "paint", arguments: {} } } as const
    const first = await start(settings)
    first.say("go")
    const color = await question("Which color?")
    await kill(first)
    await answer(color, { color: "red" })
    await start(settings)
    await until(() => deeds().length > 0)
    expect(deeds()).toEqual(["failed effect_unknown"])
  })

  it("is repeated if its annotations allow it, and its questions are asked again", async () => {
    const settings = {
      server: "first",
      call: { name: "paint", arguments: {}, annotations: { idempotentHint: true } },
    } as const
    const first = await start(settings)
    first.say("go")
    const color = await question("Which color?")
    await kill(first)
    await answer(color, { color: "red" })
    await start(settings)
    await answer(await question("Which color?"), { color: "blue" })
    await answer(await question("Really?"), { sure: true })
    await until(() => deeds().length > 0)
    expect(deeds()).toEqual(["result Painted blue, sure: true"])
  })
})
