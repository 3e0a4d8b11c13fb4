// A file between the server and a script appears complete.

import { rmSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { expect, it, onTestFinished } from "vitest"
import { writeSmallFile } from "../src/exchange/small-file.ts"

/** Posts the size that the file has when it is first seen. */
const poll = `
const { statSync } = require("node:fs")
const { parentPort, workerData } = require("node:worker_threads")
parentPort.postMessage("ready")
for (;;) {
  const stats = statSync(workerData, { throwIfNoEntry: false })
  if (stats !== undefined) { parentPort.postMessage(stats.size); break }
}
`

it("a file has all of its content when it is first seen", async () => {
  const path = join(makeScratchFolder("small-file"), "response")
  const worker = new Worker(poll, { eval: true, workerData: path })
  onTestFinished(async () => {
    await worker.terminate()
    rmSync(path)
  })
  const next = () => new Promise((resolve) => worker.once("message", resolve))
  await next()
  const first = next()
  // So large that writing it takes many times as long as one look.
  const content = "x".repeat(100_000_000)
  writeSmallFile(path, content)
  expect(await first).toBe(content.length)
})
