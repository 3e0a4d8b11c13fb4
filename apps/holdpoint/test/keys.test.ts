// Keys on the command line: generated, configured, missing, wrong, and rotated under running programs.

import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  changeKeyFile,
  createSealer,
  parseKeyRing,
  readKeyFile,
  serializeKeyRing,
  withNewKey,
} from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import type { World } from "@holdpoint/testkit/holdpoint/world"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { dataKeyKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"

const folderOf = ({ cwd }: World) => join(cwd, ".holdpoint")
const fileOf = (world: World) => join(folderOf(world), "holdpoint.keys")
const newKey = () => serializeKeyRing(withNewKey()).trim()
const idOf = (line: string) => line.split(":")[0] ?? ""

async function answered(world: World, env = {}): Promise<string> {
  const asked = await world.run(["ask", "Where to?", "--text", "place", "--no-wait"], { env })
  const id = asked.out.trim()
  expect(await world.run(["answer", id, "place=canary-town"], { env })).toMatchObject({ code: 0 })
  return id
}

async function contentOf(world: World, id: string, env = {}): Promise<unknown> {
  const { out } = await world.run(["show", id, "--json"], { env })
  return (JSON.parse(out) as { readonly question: { readonly content?: unknown } }).question.content
}

/** Stores this many data keys, sealed with the keys of the file. */
async function fill(world: World, count: number): Promise<void> {
  const storage = await openSqlite(join(folderOf(world), "holdpoint.db"))
  const sealer = createSealer(readKeyFile(fileOf(world)))
  const writes = Array.from({ length: count }, (_, at) => {
    const binding = { tenant: "filled", owner: "answers", record: `filled-${at}` }
    const record = { id: binding.record, tenant: "filled", version: 1, purpose: "answers" as const, createdAt: 1 }
    return storage.records(dataKeyKind).insert({ ...record, sealed: sealer.seal(binding, { key: "x" }) })
  })
  await Promise.all(writes)
  await storage.close()
}

describe("a database", () => {
  it("gets its own keys beside it, and its files have no readable answer", async () => {
    const world = createWorld()
    const id = await answered(world)
    expect(statSync(fileOf(world)).mode & 0o777).toBe(0o600)
    expect(await contentOf(world, id)).toEqual({ place: "canary-town" })
    for (const name of readdirSync(folderOf(world))) {
      expect(readFileSync(join(folderOf(world), name), "latin1"), name).not.toContain("canary-town")
    }
  })

  it("tells the person at the terminal what to do with its keys in production, once", async () => {
    const world = createWorld()
    const options = { isTerminal: true, env: { NO_COLOR: "1" } }
    const first = await world.run(["ask", "?", "--no-wait"], options)
    expect(first.err).toMatch(/New keys were saved in \S+holdpoint\.keys[\s\S]*HOLDPOINT_KEYS/)
    expect((await world.run(["ask", "?", "--no-wait"], options)).err).not.toContain("Keys were made")
  })

  verifies("seal.keys-are-private", "is used with the keys in HOLDPOINT_KEYS, with no file", async () => {
    const world = createWorld()
    const env = { HOLDPOINT_KEYS: newKey() }
    const id = await answered(world, env)
    expect(existsSync(fileOf(world))).toBe(false)
    expect(await contentOf(world, id, env)).toEqual({ place: "canary-town" })
  })

  it("is used with the key file that is named", async () => {
    const world = createWorld()
    await world.run(["keys", "generate", "--file", "my.keys"])
    const id = (await world.run(["ask", "?", "--no-wait", "--key-file", "my.keys"])).out.trim()
    expect(existsSync(fileOf(world))).toBe(false)
    expect(await world.run(["show", id], { env: { HOLDPOINT_KEY_FILE: "my.keys" } })).toMatchObject({ code: 0 })
  })

  it.each<[string, (world: World) => Readonly<Record<string, string>>, RegExp]>([
    [
      "other keys",
      () => ({ HOLDPOINT_KEYS: newKey() }),
      /not the ones that the database was sealed with[\s\S]*HOLDPOINT_KEYS/,
    ],
    [
      "keys that are not valid",
      () => ({ HOLDPOINT_KEYS: "a:canary-key" }),
      /keys in HOLDPOINT_KEYS cannot be used[\s\S]*entry 1 has \d+ bytes/,
    ],
    [
      "no keys",
      (world) => {
        rmSync(fileOf(world))
        return {}
      },
      /keys are missing[\s\S]*Put the file back/,
    ],
    [
      "keys that others can read",
      (world) => {
        chmodSync(fileOf(world), 0o644)
        return {}
      },
      /can be read by others[\s\S]*chmod 600/,
    ],
  ])("is not opened with %s, and the error says what to do", async (_what, spoil, words) => {
    const world = createWorld()
    await answered(world)
    const env = spoil(world)
    const { code, out, err } = await world.run(["pending"], { env })
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toMatch(words)
    expect(err).not.toContain("canary-key")
  })
})

describe("holdpoint keys generate", () => {
  verifies("command.keys", "prints a new key that can be used, and needs no database", async () => {
    const world = createWorld()
    const [one, two] = [await world.run(["keys", "generate"]), await world.run(["keys", "generate", "--json"])]
    expect(one).toMatchObject({ code: 0, err: expect.stringContaining("HOLDPOINT_KEYS") })
    const { id, key } = JSON.parse(two.out) as { readonly id: string; readonly key: string }
    expect(parseKeyRing(key, "here").current).toBe(id)
    expect(parseKeyRing(one.out, "here").current).not.toBe(id)
    expect(readdirSync(world.cwd)).toEqual([])
  })

  it("writes a file that only its owner can read, and never overwrites one", async () => {
    const world = createWorld()
    const file = join(world.cwd, "my.keys")
    expect(await world.run(["keys", "status", "--file", "my.keys"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("It belongs to: holdpoint keys generate --file"),
    })
    const first = await world.run(["keys", "generate", "--file", "my.keys"])
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining(readKeyFile(file).current) })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file, "utf8")
    const second = await world.run(["keys", "generate", "--file", "my.keys"])
    expect(second).toMatchObject({ code: 2, err: expect.stringContaining("Nothing was changed") })
    expect(readFileSync(file, "utf8")).toBe(before)
    expect(first.out + first.err).not.toContain(before.split(":").at(-1)?.trim())
  })
})

describe("holdpoint keys rotate", () => {
  verifies("command.keys", "seals everything with a new key and keeps the old one, until that is dropped", async () => {
    const world = createWorld()
    const id = await answered(world)
    const old = readKeyFile(fileOf(world)).current
    const rotated = await world.run(["keys", "rotate"])
    const ring = readKeyFile(fileOf(world))
    expect(rotated).toMatchObject({
      code: 0,
      out: expect.stringContaining(`2 records sealed with the key ${ring.current}`),
    })
    expect(rotated.err).toMatch(new RegExp(`The old key is no longer used: ${old}[\\s\\S]*--drop-old`))
    expect([...ring.keys.keys()]).toEqual([ring.current, old])
    expect(await world.run(["keys", "rotate", "--drop-old"])).toMatchObject({ code: 0, out: `✔ Removed ${old}.\n` })
    expect([...readKeyFile(fileOf(world)).keys.keys()]).toEqual([ring.current])
    expect(await contentOf(world, id)).toEqual({ place: "canary-town" })
    expect(await world.run(["keys", "rotate", "--drop-old"])).toMatchObject({
      code: 0,
      out: "✔ There is no old key.\n",
    })
  })

  verifies("seal.drops-no-used-key", "does not drop a key that is still used", async () => {
    const world = createWorld()
    await answered(world)
    const old = readKeyFile(fileOf(world)).current
    changeKeyFile(fileOf(world), withNewKey)
    const { code, err } = await world.run(["keys", "rotate", "--drop-old"])
    expect(code).toBe(2)
    expect(err).toMatch(new RegExp(`still used, and none was removed: ${old} \\(1 record\\)[\\s\\S]*keys rotate`))
    expect(readKeyFile(fileOf(world)).keys.has(old)).toBe(true)
  })

  verifies(
    "seal.rotates-while-running",
    "can be stopped, and continues with the same key when it is started again",
    async () => {
      const world = createWorld()
      await answered(world)
      await fill(world, 600)
      const rotating = world.start(["keys", "rotate"])
      rotating.stop()
      const stopped = await rotating.done
      expect(stopped).toMatchObject({ code: 1, err: expect.stringMatching(/Stopped: 250 records done, 352 left/) })
      const { current, keys } = readKeyFile(fileOf(world))
      expect(keys.size).toBe(2)
      const again = await world.run(["keys", "rotate", "--json"])
      expect(JSON.parse(again.out)).toEqual({ current, done: 352, left: 0, failed: [], old: [[...keys.keys()][1]] })
      expect(again).toMatchObject({ code: 0, err: expect.stringContaining("to be sealed with the key") })
    },
  )

  it("shows its progress to the person at the terminal", async () => {
    const world = createWorld()
    await answered(world)
    await fill(world, 300)
    const { err } = await world.run(["keys", "rotate"], { isTerminal: true, env: { NO_COLOR: "1" } })
    expect(err).toMatch(/250 of 302 records sealed with k/)
  })

  verifies(
    "seal.rotates-while-running",
    "works while another program waits, which then seals and opens with the new key",
    async () => {
      const world = createWorld()
      const asking = world.start(["ask", "Where to?", "--text", "place"])
      const [, id = ""] = await asking.prints(/answer (\S+) place=…/)
      expect(await world.run(["keys", "rotate"])).toMatchObject({ code: 0 })
      expect(await world.run(["keys", "rotate", "--drop-old"])).toMatchObject({ code: 0 })
      expect(await world.run(["answer", id, "place=Oslo"])).toMatchObject({ code: 0 })
      expect(await asking.done).toMatchObject({ code: 0, out: '{"place":"Oslo"}\n' })
    },
  )

  it("with keys in the environment says how they are changed, and seals with the first one", async () => {
    const world = createWorld()
    const [old, next] = [newKey(), newKey()]
    const id = await answered(world, { HOLDPOINT_KEYS: old })
    const result = await world.run(["keys", "rotate"], { env: { HOLDPOINT_KEYS: old } })
    expect(result).toMatchObject({ code: 0, err: expect.stringMatching(/HOLDPOINT_KEYS=NEW,OLD[\s\S]*restart/) })
    const both = { HOLDPOINT_KEYS: `${next},${old}` }
    expect(await world.run(["keys", "rotate", "--drop-old"], { env: both })).toMatchObject({ code: 2 })
    const rotated = await world.run(["keys", "rotate"], { env: both })
    expect(rotated).toMatchObject({ code: 0, out: expect.stringContaining(idOf(next)) })
    expect(rotated.err).toMatch(new RegExp(`${idOf(old)}[\\s\\S]*Remove it from HOLDPOINT_KEYS`))
    expect((await world.run(["keys", "rotate", "--drop-old"], { env: both })).out).toContain(
      `Nothing uses ${idOf(old)}`,
    )
    expect(await contentOf(world, id, { HOLDPOINT_KEYS: next })).toEqual({ place: "canary-town" })
    expect(await world.run(["pending"], { env: { HOLDPOINT_KEYS: old } })).toMatchObject({ code: 1 })
  })

  verifies("seal.canary", "with the wrong keys changes nothing", async () => {
    const world = createWorld()
    await answered(world)
    const wrong = serializeKeyRing(withNewKey())
    writeFileSync(fileOf(world), wrong)
    expect(await world.run(["keys", "rotate"])).toMatchObject({ code: 1, err: expect.stringContaining("not the ones") })
    expect(readFileSync(fileOf(world), "utf8")).toBe(wrong)
  })
})

describe("holdpoint keys status", () => {
  verifies("command.keys", "shows each key, how much it has sealed, and whether the keys are right", async () => {
    const world = createWorld()
    await answered(world)
    const old = readKeyFile(fileOf(world)).current
    const { current } = changeKeyFile(fileOf(world), withNewKey)
    const result = await world.run(["keys", "status"])
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining("they open this database") })
    expect(result.out).toMatch(new RegExp(`${current} +0 {2}current\\n${old} +2 {2}old\\n`))
    const { keys, canary } = JSON.parse((await world.run(["keys", "status", "--json"])).out) as Record<string, unknown>
    expect(canary).toBe("opens")
    expect(keys).toEqual([
      { id: current, isCurrent: true, isInRing: true, records: 0 },
      { id: old, isCurrent: false, isInRing: true, records: 2 },
    ])
  })

  it("shows which key is missing when the keys are wrong or gone", async () => {
    const world = createWorld()
    await answered(world)
    const { current } = readKeyFile(fileOf(world))
    const wrong = await world.run(["keys", "status"], { env: { HOLDPOINT_KEYS: newKey() } })
    expect(wrong).toMatchObject({ code: 1, out: expect.stringContaining("they do not open this database") })
    expect(wrong.out).toMatch(new RegExp(`${current} +2 {2}missing`))
    rmSync(fileOf(world))
    const gone = await world.run(["keys", "status", "--json"])
    expect(gone.code).toBe(1)
    expect(JSON.parse(gone.out)).toMatchObject({ canary: "closed", problem: expect.stringContaining("missing") })
    expect(existsSync(fileOf(world))).toBe(false)
  })

  it("reports no problem for a database without keys, and creates none", async () => {
    const world = createWorld()
    await (await openSqlite(join(folderOf(world), "holdpoint.db"))).close()
    expect(await world.run(["keys", "status"])).toMatchObject({ code: 0, err: expect.stringContaining("no keys yet") })
    expect(await world.run(["keys", "rotate"])).toMatchObject({ code: 2, err: expect.stringContaining("no keys yet") })
    expect(existsSync(fileOf(world))).toBe(false)
  })

  it.each([
    [["keys"], "Write: holdpoint keys generate|rotate|status"],
    [["keys", "rotat"], "Did you mean rotate?"],
  ])("explains the usage error: %j", async (argv, words) => {
    expect(await createWorld().run(argv)).toMatchObject({ code: 2, err: expect.stringContaining(words) })
  })
})
