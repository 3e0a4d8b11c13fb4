// The last output of a script is read, however busy the server is when the script ends.

import { spawn } from "node:child_process"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { expect, it } from "vitest"
import { startScript } from "../src/script.ts"

/** Keeps the event loop from doing anything. */
const block = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it("a script that ends while the server is busy keeps its last output", async () => {
  const folder = makeScratchFolder("last-output")
  const program = join(folder, "tool.sh")
  writeFileSync(program, "#!/bin/sh\nprintf 'first '\nsleep 0.5\nprintf last\n")
  chmodSync(program, 0o755)
  const guardian = { add() {}, remove() {}, close() {} }
  const files = { error: join(folder, "error"), resources: join(folder, "resources"), cancel: join(folder, "cancel") }
  const { PATH = "" } = process.env
  const script = await startScript({ program, cwd: folder, env: { PATH }, outputBytes: 1_000, guardian, files })
  // Another process ends together with the script. Node learns of both ends at once, after the loop looked for output
  // the last time, and is busy again before the loop looks for output the next time.
  const other = spawn("/bin/sh", ["-c", "printf x"], { stdio: ["ignore", "pipe", "ignore"] })
  other.stdout.once("data", () => {
    block(800)
    setImmediate(() => block(600))
  })
  block(200)
  expect(String((await script.ended).stdout)).toBe("first last")
})
