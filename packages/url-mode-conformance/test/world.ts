// A folder and a terminal for the command, without a process.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { onTestFinished } from "vitest"
import { main } from "../src/command/main.ts"

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface World {
  readonly cwd: string
  run(...argv: readonly string[]): Promise<Ran>
}

export function createWorld(signal: AbortSignal = new AbortController().signal): World {
  const cwd = mkdtempSync(join(tmpdir(), "url-mode-"))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  return {
    cwd,
    async run(...argv) {
      const shown = { out: "", err: "" }
      const screen = (name: keyof typeof shown): PassThrough =>
        new PassThrough().on("data", (chunk: Buffer) => {
          shown[name] += chunk.toString("utf8")
        })
      const code = await main(argv, { stdout: screen("out"), stderr: screen("err"), env: {}, cwd, signal })
      return { code, ...shown }
    },
  }
}
