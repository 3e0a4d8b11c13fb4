// Runs the guide's programs as processes, waits for their output, and types a person's answers.

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { join } from "node:path"

interface ProgramOptions {
  readonly port?: number
  readonly cwd: string
  readonly args?: readonly string[]
}

export function start(program: string, { port, cwd, args = [] }: ProgramOptions) {
  const env = { ...process.env, TERM: "xterm-256color", ...(port === undefined ? {} : { PORT: String(port) }) }
  const child = spawn(process.execPath, [...args, join(import.meta.dirname, program)], { cwd, env })
  let output = ""
  let heard = Promise.withResolvers<void>()
  const hear = (): void => {
    heard.resolve()
    heard = Promise.withResolvers()
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (words: string) => {
      output += words
      hear()
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve)).finally(hear)
  return {
    ended,
    /** Waits until the output matches, and returns the matching text. */
    async says(pattern: RegExp): Promise<string> {
      for (;;) {
        const match = pattern.exec(output)
        if (match !== null) return match[0]
        if (child.exitCode !== null) assert.fail(`${program} ended without saying ${pattern}:\n${output}`)
        await heard.promise
      }
    },
    types: (words: string) => child.stdin.write(words),
    end: () => child.kill(),
  }
}

/** A module to load first, which makes the pipes appear as a terminal. */
export const asTerminal = `data:text/javascript,${encodeURIComponent(
  "for (const it of [process.stdin, process.stdout]) Object.assign(it, { isTTY: true, setRawMode: () => it })",
)}`

/** Posts to the server. Retries while the server does not listen yet. */
export async function post(url: string): Promise<string> {
  for (;;) {
    const response = await fetch(url, { method: "POST" }).catch(() => undefined)
    if (response !== undefined) return response.text()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
