// Every example explains itself, and runs to its end without a terminal.

import { spawn } from "node:child_process"
import { join } from "node:path"
import { readAgents } from "@holdpoint/agents"
import { describe, expect, it, vi } from "vitest"
import { filesUnder, root } from "./guards/sources.ts"

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

describe("the settings of examples/9-chat-on-your-page", () => {
  it("are settings that the server takes", async () => {
    vi.stubEnv("INTRANET_KEY_SHA256", "0".repeat(64))
    for (const name of ["MODEL_KEY", "SIGN_IN_SECRET"]) vi.stubEnv(name, "x")
    const { default: settings } = await import("../examples/9-chat-on-your-page/holdpoint.config.ts")
    expect(readAgents({ ...settings.agents })).toMatchObject({ origins: ["https://intranet.example.com"] })
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
