// Runs the command in a temporary folder, within the test's process, and records its output.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { onTestFinished } from "vitest"
import { main } from "../src/command/main.ts"

export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface World {
  readonly cwd: string
  run(...argv: readonly string[]): Promise<CommandResult>
}

export function createWorld(signal: AbortSignal = new AbortController().signal): World {
  const cwd = mkdtempSync(join(tmpdir(), "url-mode-"))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  return {
    cwd,
    async run(...argv) {
      const printed = { out: "", err: "" }
      const screen = (name: keyof typeof printed): PassThrough =>
        new PassThrough().on("data", (chunk: Buffer) => {
          printed[name] += chunk.toString("utf8")
        })
      const code = await main(argv, { stdout: screen("out"), stderr: screen("err"), env: {}, cwd, signal })
      return { code, ...printed }
    },
  }
}
