// Asking and answering in two processes over Postgres.

import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const bin = fileURLToPath(new URL("../bin/holdpoint.js", import.meta.url))

/** The same keys in every run, because the database may outlive a run. */
const keys = `k1:${Buffer.alloc(32, "over Postgres").toString("base64url")}`

/** A separate tenant keeps the test apart from others in the same database. */
function start(tenant: string, ...argv: readonly string[]) {
  const env = { ...process.env, HOLDPOINT_KEYS: keys, HOLDPOINT_TENANT: tenant, HOLDPOINT_AS: "ana" }
  const child = spawn(process.execPath, [bin, ...argv], { env, stdio: ["ignore", "pipe", "pipe"] })
  const code = new Promise<number | null>((resolve) => child.once("exit", resolve))
  return { child, code, out: text(child.stdout) }
}

/** Resolves with the match when the pattern appears on standard error. */
function printed(child: ChildProcess, words: RegExp): Promise<RegExpExecArray> {
  let output = ""
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`It ended after: ${output}`)))
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8")
      const match = words.exec(output)
      if (match !== null) resolve(match)
    })
  })
}

describe("over Postgres", () => {
  it("no command starts without keys, and the error says how to make them", async () => {
    const env = { ...process.env, HOLDPOINT_KEYS: "", HOLDPOINT_KEY_FILE: "nowhere.keys" }
    const child = spawn(process.execPath, [bin, "pending"], { env, stdio: ["ignore", "pipe", "pipe"] })
    const words = await text(child.stderr)
    expect(words).toContain("holdpoint keys generate")
    expect(words).toContain("HOLDPOINT_KEYS")
  })

  it("an answer in one process ends the wait in another", async () => {
    const tenant = randomUUID()
    const asking = start(tenant, "ask", "Where to?", "--choice", "env=staging,production")
    const [, id = ""] = await printed(asking.child, /answer (\S+) env=…/)
    const answering = start(tenant, "answer", id.slice(0, 8), "env=production")
    expect(await answering.code).toBe(0)
    expect(await asking.code).toBe(0)
    expect(await asking.out).toBe('{"env":"production"}\n')
  })

  it("a killed asker leaves its question, and the same key finds it", async () => {
    const tenant = randomUUID()
    const argv = ["ask", "Deploy?", "--key", "release-7"]
    const first = start(tenant, ...argv)
    const [, id = ""] = await printed(first.child, /answer (\S+) --accept/)
    first.child.kill("SIGKILL")
    await first.code
    const second = start(tenant, ...argv)
    await printed(second.child, new RegExp(`Found: asked .*pending, id ${id}`))
    expect(await start(tenant, "answer", id, "--accept").code).toBe(0)
    expect(await second.code).toBe(0)
    expect(await second.out).toBe("{}\n")
  })
})
