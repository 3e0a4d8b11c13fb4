// The file that is called, as a process.

import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const bin = fileURLToPath(new URL("../bin/holdpoint.js", import.meta.url))
const run = promisify(execFile)

it("tells an older Node, in one line, what it needs", async () => {
  const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })'
  const argv = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, bin, "pending"]
  const error: unknown = await run(process.execPath, argv).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 1, stdout: "" })
  expect(error).toMatchObject({
    stderr: expect.stringMatching(
      /^holdpoint needs Node 24 or newer; this is Node v20\.20\.2\. [^\n]*`npm start`[^\n]*\n$/,
    ),
  })
})

it("runs as a process and leaves its exit code", async () => {
  const failure = { code: 2, stderr: "holdpoint: There is no command “aks”.\nDid you mean ask?\n" }
  await expect(run(process.execPath, [bin, "aks"])).rejects.toMatchObject(failure)
})
