// The program as a process: its exit code, and its message on a Node that is too old.

import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const bin = fileURLToPath(new URL("../bin/url-mode-conformance.js", import.meta.url))
const run = promisify(execFile)

describe("bin/url-mode-conformance.js", () => {
  it("prints one line with the required version on an older Node", async () => {
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })'
    const argv = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, bin, "--list"]
    await expect(run(process.execPath, argv)).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: "url-mode-conformance needs Node 24 or newer; this is Node v20.20.2.\n",
    })
  })

  it("runs as a process and sets the exit code", async () => {
    await expect(run(process.execPath, [bin])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Which server?"),
    })
  })
})
