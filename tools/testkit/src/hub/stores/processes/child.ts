// A real child process that communicates in lines on its standard input and output.

import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { hear } from "../../../canaries/note.ts"
import { programAt } from "../../../programs.ts"

export interface Child {
  readonly process: ChildProcess
  /** Resolves to the next line that it prints. Rejects, with its standard error, if it ends without one. */
  line(): Promise<string>
  /** All printed lines that were not read yet. */
  rest(): readonly string[]
  say(line: string): void
  /** Resolves when the process has ended and all of its output has arrived. */
  readonly gone: Promise<number | null>
}

/** Starts a program of the tests, at this path from the root of the repository. */
export function startChild(script: string, ...values: readonly string[]): Child {
  const child = spawn(
    process.execPath,
    [...programAt(join(import.meta.dirname, "../../../../../..", script)), ...values],
    {
      stdio: ["pipe", "pipe", "pipe"],
    },
  )
  const lines: string[] = []
  const wanted: ((line: string | undefined) => void)[] = []
  let complaint = ""
  let isOver = false
  child.stderr.on("data", (text) => {
    complaint += text
    hear("printed", script, String(text))
  })
  child.stdin.on("error", () => {})
  const reader = createInterface({ input: child.stdout })
  reader.on("line", (line) => {
    hear("printed", script, line)
    const next = wanted.shift()
    if (next === undefined) lines.push(line)
    else next(line)
  })
  reader.on("close", () => {
    isOver = true
    for (const next of wanted.splice(0)) next(undefined)
  })
  const read = Promise.all([once(child, "exit"), once(reader, "close")])
  return {
    process: child,
    async line() {
      const line =
        lines.shift() ?? (isOver ? undefined : await new Promise<string | undefined>((next) => wanted.push(next)))
      if (line === undefined) throw new Error(`${script} ended: ${complaint}`)
      return line
    },
    rest: () => lines.splice(0),
    say: (line) => void child.stdin.write(`${line}\n`),
    gone: read.then(([[code]]) => code as number | null),
  }
}
