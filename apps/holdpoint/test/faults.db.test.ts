// What must not end a server: a database that is not there yet or goes away, and the rejection of a promise that nothing
// waits for. An exception that nothing caught ends the server in order, and so does a database that newer programs have
// migrated.

import { appendFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { createDoor } from "@holdpoint/testkit/cut-connections"
import { freePort } from "@holdpoint/testkit/free-port"
import { databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { expect, it, onTestFinished } from "vitest"
import { startCommand } from "./processes.ts"

const keys = `k1:${Buffer.alloc(32, "faults").toString("base64url")}`

/** How many places of a start lose the database. */
const places = 8

/** Settings that do this when the process has run for a moment. */
const doing = (work: string): string => `setTimeout(() => { ${work} }, 1_000)\nexport default {}\n`

function startServe(config: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = makeScratchFolder("faults")
  writeFileSync(join(cwd, "holdpoint.config.mjs"), config)
  const server = startCommand(["serve", "--port", "0", "--log", "off"], { cwd, env: { HOLDPOINT_KEYS: keys, ...env } })
  onTestFinished(async () => {
    server.stop()
    await server.ended
    rmSync(cwd, { recursive: true, force: true })
  })
  return server
}

it("a rejection that nothing handles is reported, and the server goes on", async () => {
  const server = startServe(doing('Promise.reject(new Error("no owner"))'))
  const [, origin = ""] = await server.prints(/Holdpoint is at (\S+)/)
  await server.prints(/work that nothing waits for failed: no owner/)
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
})

it("an exception that nothing caught is reported, and the server closes in order", async () => {
  const server = startServe(doing('throw new Error("nothing caught this")'))
  await server.prints(/the server failed: nothing caught this/)
  const { code, err } = await server.ended
  expect([code, err]).toEqual([1, expect.stringContaining("The server stopped after an error that nothing caught.")])
})

it("a server waits for a database that is not there yet, and outlives one that goes away", async () => {
  const name = newSchema()
  await runSql(`CREATE DATABASE ${name}`)
  const real = Object.assign(new URL(databaseUrl()), { pathname: name }).href
  const door = createDoor(real, await freePort())
  onTestFinished(async () => {
    await door.close()
    await runSql(`DROP DATABASE ${name} WITH (FORCE)`)
  })
  const server = startServe("export default {}\n", { HOLDPOINT_DATABASE: door.url })
  await server.prints(/Postgres cannot be reached: .*Holdpoint waits for it, and tries again\./)
  await door.open()
  const [, origin = ""] = await server.prints(/Holdpoint is at (\S+)/)
  await door.close()
  await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(503)
  await door.open()
  await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(200)
})

it("a server waits for a database that goes away in the middle of its start", { timeout: 120_000 }, async () => {
  const name = newSchema()
  await runSql(`CREATE DATABASE ${name}`)
  const real = Object.assign(new URL(databaseUrl()), { pathname: name }).href
  let [sent, cuts] = [0, 0]
  let cutAt = Number.POSITIVE_INFINITY
  const onSent = (): void => {
    if (++sent !== cutAt) return
    cuts++
    void door.close().then(() => setTimeout(() => void door.open(), 500))
  }
  const door = createDoor(real, await freePort(), onSent)
  await door.open()
  onTestFinished(async () => {
    await door.close()
    await runSql(`DROP DATABASE ${name} WITH (FORCE)`)
  })
  const start = async (): Promise<number> => {
    sent = 0
    const server = startServe("export default {}\n", { HOLDPOINT_DATABASE: door.url })
    await server.prints(/Holdpoint is at (\S+)/)
    const count = sent
    cutAt = Number.POSITIVE_INFINITY
    server.stop()
    await server.ended
    return count
  }
  // The first start also migrates.
  const whole = await start().then(start)
  expect(whole).toBeGreaterThan(places)
  for (let cut = 1; cut <= places; cut++) {
    cutAt = Math.ceil((whole * cut) / (places + 1))
    await start()
    expect(cuts).toBe(cut)
  }
})

it("a server goes on beside programs that are one migration newer, and stops in order when they are two ahead", async () => {
  const file = join(makeScratchFolder("newer"), "holdpoint.db")
  const server = startServe("export default {}\n", { HOLDPOINT_DATABASE: file })
  const [, origin = ""] = await server.prints(/Holdpoint is at (\S+)/)
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  // What a newer program does: it migrates, and rings the bell with its first commit.
  const migrateOnce = (): void => {
    database.exec("INSERT INTO migration (version) SELECT MAX(version) + 1 FROM migration")
    appendFileSync(`${file}-bell`, "!")
  }
  migrateOnce()
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  migrateOnce()
  const { code, err } = await server.ended
  expect([code, err]).toEqual([1, expect.stringContaining("written by a newer Holdpoint")])
})
