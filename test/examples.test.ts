// Every example explains itself, and runs to its end without a terminal.

import { spawn } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { filesUnder, root } from "../packages/holdpoint/test/guards/sources.ts"

const mostMs = 60_000
const files = filesUnder("examples")
const folders = [...new Set(files.flatMap((path) => /^examples\/\d+-[^/]+/.exec(path)?.[0] ?? []))]

describe("examples", () => {
  it("are there", () => {
    expect(folders.length).toBeGreaterThan(0)
  })

  describe.each(folders)("%s", (folder) => {
    it.each(["README.md", "main.ts"])("has %s", (name) => {
      expect(files).toContain(`${folder}/${name}`)
    })

    it("runs to its end without a terminal", async () => {
      const { code, output } = await run(join(root, folder, "main.ts"))
      expect(code, output).toBe(0)
    })
  })
})

function run(program: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], { cwd: root, stdio: ["ignore", "pipe", "pipe"], timeout: mostMs })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    }
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, output }))
  })
}
