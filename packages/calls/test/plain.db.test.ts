// A second carrier of asking, in plain Node: its calls pause, are killed with SIGKILL while they wait and inside a
// step, and continue in a new process. Each effect happens once, and no call waits for a lease to expire.

import { existsSync, readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Hub, Storage } from "@holdpoint/hub"
import { createHub, inbox } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { alice } from "@holdpoint/testkit/fixtures"
import { createFolder, databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import { type Child, startChild } from "@holdpoint/testkit/hub/stores/processes/child"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { callKind, entryKind, workerKind } from "../src/records.ts"
import type { ProgramSettings } from "./plain/program.ts"

describe.each(["SQLite", "Postgres"] as const)("a function in plain Node on %s", (engine) => {
  let folder: string
  let settings: ProgramSettings
  let storage: Storage
  let hub: Hub
  const running: Child[] = []
  beforeEach(async () => {
    folder = await createFolder()
    const where =
      engine === "SQLite" ? { database: join(folder, "hub.db") } : { database: databaseUrl(), schema: newSchema() }
    settings = { ...where, keys: serializeKeyRing(withNewKey()), deeds: join(folder, "deeds") }
    storage = await ("schema" in where
      ? openPostgres(where.database, { schema: where.schema })
      : openSqlite(where.database))
    hub = createHub({ storage, outlets: [inbox()] })
  })
  afterEach(async () => {
    for (const child of running.splice(0)) {
      child.process.stdin?.end()
      await child.gone
    }
    await hub.close()
    await storage.close()
    if (settings.schema !== undefined) await runSql(`DROP SCHEMA IF EXISTS ${settings.schema} CASCADE`)
    await rm(folder, { recursive: true, force: true })
  })

  const deeds = (): readonly string[] =>
    existsSync(settings.deeds) ? readFileSync(settings.deeds, "utf8").split("\n").slice(0, -1) : []
  const start = async (more: Partial<ProgramSettings> = {}): Promise<Child> => {
    const child = startChild("packages/calls/test/plain/program.ts", JSON.stringify({ ...settings, ...more }))
    expect(await child.line()).toBe("ready")
    running.push(child)
    return child
  }
  const kill = async (child: Child): Promise<void> => {
    running.splice(running.indexOf(child), 1)
    child.process.kill("SIGKILL")
    await child.gone
  }
  const question = async () => {
    let open = await hub.list({ tenant: "acme", state: "open", limit: 9 })
    await until(async () => {
      open = await hub.list({ tenant: "acme", state: "open", limit: 9 })
      return open.length > 0
    })
    return open[0]?.id ?? ""
  }
  const answer = async (content: Readonly<Record<string, string | boolean>>): Promise<void> => {
    expect(await hub.answer(await question(), { by: alice, action: "accept", content })).toMatchObject({ ok: true })
  }
  /** Extends the lease of the killed process, so that no other process continues only because the lease expired. */
  const extendLease = async (): Promise<void> => {
    const workers = storage.records(workerKind)
    const [worker] = await workers.list({ tenant: "", limit: 9 })
    if (worker === undefined) throw new Error("The process that was killed had no lease.")
    const { version, until: end } = worker
    expect(await workers.replace({ ...worker, version: version + 1, until: end + 3_600_000 })).toBe(true)
  }
  const isOver = async (): Promise<boolean> =>
    (await storage.records(callKind).list({ tenant: "acme", limit: 9 })).length === 0

  it("continues after a kill while it waits, whether it is answered before or after the restart", async () => {
    const first = await start()
    first.say("7")
    await question()
    // The call is paused and in no process's memory, so no lease has to expire.
    await until(
      async () => (await storage.records(callKind).list({ tenant: "acme", limit: 9 }))[0]?.lease === undefined,
    )
    await kill(first)
    await answer({ confirmed: true })
    const second = await start()
    await until(() => deeds().includes("refund 7"))
    await question()
    await kill(second)
    await start()
    await answer({ why: "broken" })
    await until(isOver)
    expect(deeds()).toEqual(["draft 7", "refund 7", "tell 7: broken"])
    expect(await storage.records(entryKind).list({ tenant: "acme", limit: 9 })).toEqual([])
  })

  it("continues immediately after a kill inside a repeatable step, and tells the step so", async () => {
    const first = await start({ stuckIn: "draft 7" })
    first.say("7")
    await until(() => deeds().length === 1)
    await kill(first)
    await extendLease()
    await start()
    await answer({ confirmed: false })
    await until(isOver)
    expect(deeds()).toEqual(["draft 7", "draft 7 again", "kept 7"])
  })

  it("ends after a kill inside a step that must not be repeated, and does not repeat it", async () => {
    const first = await start({ stuckIn: "refund 7" })
    first.say("7")
    await answer({ confirmed: true })
    await until(() => deeds().includes("refund 7"))
    await kill(first)
    await start()
    await until(isOver)
    expect(deeds()).toEqual(["draft 7", "refund 7"])
  })
})
