// The key file: only its owner reads it, and no process ever sees half of it or overwrites the keys of another.

import { execFile } from "node:child_process"
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { createFolder } from "@holdpoint/testkit/hub/stores/engines"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { changeKeyFile, createKeyFile, keyFileBeside, openKeyFile, readKeyFile } from "../../src/sealing/key-file.ts"
import { withNewKey } from "../../src/sealing/key-ring.ts"
import { createSealer } from "../../src/sealing/seal.ts"

async function newFile(): Promise<string> {
  const folder = await createFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return keyFileBeside(join(folder, "holdpoint.db"))
}

const wrongKey = (words: string) =>
  expect.objectContaining({ code: "wrong_key", message: expect.stringContaining(words) })

const never = (words: string): never => {
  throw new Error(words)
}

describe("a key file", () => {
  verifies(
    "seal.keys-are-private",
    "is created beside the database, readable only by its owner, with advice for production",
    async () => {
      const path = await newFile()
      const warnings: string[] = []
      const ring = openKeyFile(path, { mayCreate: true, warn: (words) => warnings.push(words) })()
      expect(path).toMatch(/holdpoint\.keys$/)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(await readdir(join(path, ".."))).toEqual(["holdpoint.keys"])
      expect(warnings).toEqual([expect.stringMatching(/backups: give the content of this file in HOLDPOINT_KEYS/)])
      expect(warnings[0]).not.toContain(Buffer.from(ring.keys.get(ring.current) ?? []).toString("base64url"))
      expect(openKeyFile(path, { mayCreate: true, warn: never })()).toEqual(ring)
    },
  )

  it("is not created when the database was used with keys before, and the error says how to continue", async () => {
    const path = await newFile()
    expect(() => openKeyFile(path, { mayCreate: false, warn: never })).toThrow(wrongKey("in HOLDPOINT_KEYS"))
    expect(await readdir(join(path, ".."))).toEqual([])
  })

  it.each([0o640, 0o604, 0o660, 0o644])(
    "is refused with the permissions %o, and the error says what to do",
    async (mode) => {
      const path = await newFile()
      openKeyFile(path, { mayCreate: true, warn: () => {} })
      await chmod(path, mode)
      expect(() => openKeyFile(path, { mayCreate: true, warn: never })).toThrow(wrongKey(`chmod 600 ${path}`))
      await chmod(path, 0o400)
      expect(openKeyFile(path, { mayCreate: true, warn: never })().keys.size).toBe(1)
    },
  )

  it("is refused when its content is not a key ring, without repeating the content", async () => {
    const path = await newFile()
    await writeFile(path, "a:canary-7\n", { mode: 0o600 })
    expect(() => readKeyFile(path)).toThrow(wrongKey(path))
    expect(() => readKeyFile(path)).not.toThrow(/canary-7/)
  })

  it("is the same for all processes that create it at the same time", async () => {
    const path = await newFile()
    const source = new URL("../../src/sealing/key-file.ts", import.meta.url).href
    const program = `
      const { openKeyFile } = await import(${JSON.stringify(source)})
      process.stdin.once("data", () => {
        process.stdout.write(openKeyFile(${JSON.stringify(path)}, { mayCreate: true, warn: () => {} })().current)
        process.stdin.destroy()
      })
      process.stderr.write("ready")`
    const started = Array.from({ length: 3 }, () => {
      const running = promisify(execFile)(process.execPath, ["--input-type=module", "-e", program])
      const ready = new Promise((resolve) => running.child.stderr?.once("data", resolve))
      return { running, ready }
    })
    await Promise.all(started.map(({ ready }) => ready))
    for (const { running } of started) running.child.stdin?.write("go")
    const ids = await Promise.all(started.map(async ({ running }) => (await running).stdout))
    expect(new Set(ids)).toEqual(new Set([readKeyFile(path).current]))
    expect(await readdir(join(path, ".."))).toEqual(["holdpoint.keys"])
  })

  it("keeps its keys when it is created again", async () => {
    const path = await newFile()
    const ring = withNewKey()
    expect(createKeyFile(path, ring)).toBe(true)
    expect(createKeyFile(path, withNewKey())).toBe(false)
    expect(readKeyFile(path)).toEqual(ring)
  })

  it("is read again by a running sealer after a change", async () => {
    const path = await newFile()
    const binding = { tenant: "acme", owner: "alice", record: "r1" }
    const sealer = createSealer(openKeyFile(path, { mayCreate: true, warn: () => {} }))
    const old = sealer.seal(binding, { token: "t" })
    const rotated = changeKeyFile(path, withNewKey)
    expect(sealer.keyId).toBe(rotated.current)
    expect(sealer.rewrap(binding, old).keyId).toBe(rotated.current)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(path, ".."))).toEqual(["holdpoint.keys"])
  })

  it("that is deleted or damaged causes only a warning in a running process", async () => {
    const path = await newFile()
    const warnings: string[] = []
    const ring = openKeyFile(path, { mayCreate: true, warn: (words) => warnings.push(words) })
    const first = ring()
    await rm(path)
    expect(ring()).toBe(first)
    await writeFile(path, "nonsense!", { mode: 0o600 })
    expect([ring(), ring()]).toEqual([first, first])
    expect(warnings.slice(1)).toEqual([
      expect.stringContaining("there is no file"),
      expect.stringContaining("cannot be used"),
    ])
  })

  it("is changed by one process at a time", async () => {
    const path = await newFile()
    openKeyFile(path, { mayCreate: true, warn: () => {} })
    const before = await readFile(path, "utf8")
    changeKeyFile(path, (ring) => {
      expect(() => changeKeyFile(path, withNewKey)).toThrow(wrongKey("Another process is changing the keys"))
      return ring
    })
    expect(await readFile(path, "utf8")).toBe(before)
    await writeFile(`${path}.new`, "")
    expect(() => changeKeyFile(path, withNewKey)).toThrow(wrongKey(`remove ${path}.new`))
  })

  it("stays as it was when the change fails", async () => {
    const path = await newFile()
    openKeyFile(path, { mayCreate: true, warn: () => {} })
    const before = await readFile(path, "utf8")
    expect(() => changeKeyFile(path, () => never("no"))).toThrow(wrongKey("no"))
    expect(await readFile(path, "utf8")).toBe(before)
    expect(await readdir(join(path, ".."))).toEqual(["holdpoint.keys"])
  })
})
