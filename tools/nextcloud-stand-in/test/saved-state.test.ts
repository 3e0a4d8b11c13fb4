// A stand-in saves its state to a file, and the next start continues with it.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { describe, expect, it, onTestFinished } from "vitest"
import { type RunningStandIn, startKeptStandIn } from "../src/index.ts"

interface StateFile {
  readonly file: string
  readonly problems: string[]
  start(): Promise<RunningStandIn>
}

function createStateFile(): StateFile {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-kept-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "cloud")
  const problems: string[] = []
  return {
    ...{ file, problems },
    async start() {
      const standIn = await startKeptStandIn({ file, seed: true, report: (doing) => problems.push(doing) })
      onTestFinished(() => standIn.close())
      return standIn
    },
  }
}

const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`alice:${secret}`).toString("base64")}` })

async function titles({ url }: RunningStandIn, secret: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/apps/notes/api/v1/notes`, { headers: basic(secret) })
  return ((await response.json()) as { title: string }[]).map(({ title }) => title)
}

const create = ({ url }: RunningStandIn, secret: string, title: string) =>
  fetch(`${url}/apps/notes/api/v1/notes`, {
    method: "POST",
    headers: { ...basic(secret), "content-type": "application/json" },
    body: JSON.stringify({ title }),
  }).then(async (response) => (await response.json()) as { id: number })

describe("a restarted stand-in", () => {
  it("has the same address, content and credentials", async () => {
    const stateFile = createStateFile()
    const first = await stateFile.start()
    const { secret } = first.world.issue("alice", "a client")
    noteCanary("app_password", secret)
    const { id } = await create(first, secret, "Written before")
    await first.close()
    const second = await stateFile.start()
    expect(second.url).toBe(first.url)
    expect(await titles(second, secret)).toContain("Written before")
    expect((await create(second, secret, "Written after")).id).toBeGreaterThan(id)
    expect(stateFile.problems).toEqual([])
  })

  it("is not seeded a second time", async () => {
    const stateFile = createStateFile()
    const first = await stateFile.start()
    const before = await titles(first, "alice-Pass-2026")
    expect(before.length).toBeGreaterThan(3)
    await first.close()
    expect(await titles(await stateFile.start(), "alice-Pass-2026")).toEqual(before)
  })

  it("has everything that was saved before a kill", async () => {
    const stateFile = createStateFile()
    const first = await stateFile.start()
    const before = statSync(stateFile.file).mtimeMs
    await create(first, "alice-Pass-2026", "Just written")
    await expect.poll(() => statSync(stateFile.file).mtimeMs, { interval: 20, timeout: 15_000 }).toBeGreaterThan(before)
    // The temporary file of a killed process.
    const left = createStateFile()
    copyFileSync(stateFile.file, left.file)
    expect(await titles(await left.start(), "alice-Pass-2026")).toContain("Just written")
  })

  it("uses another port when its own is taken", async () => {
    const stateFile = createStateFile()
    const first = await stateFile.start()
    await first.close()
    const other = createServer()
    onTestFinished(() => void other.close())
    await new Promise<void>((resolve) => other.listen(Number(new URL(first.url).port), "127.0.0.1", resolve))
    const second = await stateFile.start()
    expect(second.url).not.toBe(first.url)
    expect(await titles(second, "alice-Pass-2026")).not.toEqual([])
  })
})

describe("the file", () => {
  it("is readable by its owner only", async () => {
    const stateFile = createStateFile()
    await stateFile.start()
    expect(statSync(stateFile.file).mode & 0o777).toBe(0o600)
  })

  it.each([
    ["something else", Buffer.from("no such thing")],
    ["nothing", Buffer.alloc(0)],
  ])("with %s is reported and moved away, and the stand-in starts as if without a file", async (_, content) => {
    const stateFile = createStateFile()
    writeFileSync(stateFile.file, content)
    expect(await titles(await stateFile.start(), "alice-Pass-2026")).not.toEqual([])
    const copy = `${stateFile.file}.unreadable`
    const activity = `Reading the stand-in's state from ${stateFile.file}, which becomes ${copy}, so that it starts without that state,`
    expect(stateFile.problems).toEqual([activity])
    expect(readFileSync(copy)).toEqual(Buffer.from(content))
  })

  it("is used by one process at a time: a second one is refused and changes nothing", async () => {
    const stateFile = createStateFile()
    const first = await stateFile.start()
    const before = readFileSync(stateFile.file)
    await expect(stateFile.start()).rejects.toThrow(/cloud is in use by another running stand-in\. Stop that one/)
    expect(readFileSync(stateFile.file)).toEqual(before)
    await first.close()
    expect((await stateFile.start()).url).toBe(first.url)
  })

  it("that cannot be written is reported, and the stand-in continues", async () => {
    const problems: string[] = []
    const file = join(tmpdir(), "no such folder", "cloud")
    const standIn = await startKeptStandIn({ file, seed: true, report: (doing) => problems.push(doing) })
    onTestFinished(() => standIn.close())
    expect(await titles(standIn, "alice-Pass-2026")).not.toEqual([])
    expect(problems).toEqual([expect.stringContaining(file)])
  })
})
