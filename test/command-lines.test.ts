// The command lines of the programs that `npm run` starts: each has a help, and begins nothing when it is called wrongly.

import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

const programs = [
  ...readdirSync(new URL("../scripts", import.meta.url))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `scripts/${file}`),
  "apps/nextcloud/test/live/main.ts",
  "bench/main.ts",
  "tools/nextcloud-stand-in/bin/nextcloud-stand-in.js",
  "test/a2a-fixture/main.ts",
  "test/mcp-fixture/main.ts",
  "test/slack-stand-in/main.ts",
]

describe("the program", () => {
  it.concurrent.each(programs)("%s prints a help, and refuses an unknown flag with exit code 2", async (program) => {
    const help = await run(program, "--help")
    expect(help).toMatchObject({ code: 0, err: "" })
    expect(help.out).toMatch(/^ {2}--help {2}/m)
    const refused = await run(program, "--nonsense")
    expect(refused).toMatchObject({ code: 2, out: "" })
    expect(refused.err).toContain("--nonsense")
  })
})

interface Ended {
  readonly code: unknown
  readonly out: string
  readonly err: string
}

const run = (program: string, flag: string): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, ["--no-warnings", program, flag], { cwd: root }, (error, out, err) => {
      resolve({ code: error === null ? 0 : error.code, out, err })
    })
  })
