// The program `url-mode-conformance`: its help, its flags, and its exit.

import { readFileSync } from "node:fs"
import { readArguments } from "./arguments.ts"
import type { ExitCode, Flags, Output, Surroundings } from "./call.ts"
import type { CheckCommand } from "./command.ts"
import { createCommand } from "./command.ts"
import { isCommandFailure } from "./failure.ts"
import type { Screens } from "./output.ts"
import { createOutput } from "./output.ts"

const program = "url-mode-conformance"
/** Without the scope, npx would run an unrelated package. */
const typed = `npx @holdpoint/${program}`

const general: Flags = {
  json: { help: "print JSON, for programs" },
  version: { help: "print the version" },
  help: { help: "show this" },
}

/** Runs as a process. The first signal stops it between two checks, a second one at once. */
export async function run(): Promise<void> {
  const { stdout, stderr, env } = process
  for (const stream of [stdout, stderr]) {
    // `| head -1` closes the pipe early.
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error
    })
  }
  const stop = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => (stop.signal.aborted ? process.exit(1) : stop.abort(name)))
  }
  process.exitCode = await main(process.argv.slice(2), {
    ...{ stdout, stderr, env, cwd: process.cwd(), signal: stop.signal },
  })
  if (stop.signal.aborted) process.exit()
}

export async function main(argv: readonly string[], io: Surroundings & Screens): Promise<ExitCode> {
  const out = createOutput(io)
  const command = createCommand(typed)
  try {
    const given = readArguments(argv, { ...command.flags, ...general })
    if (given.has("version")) out.say(version())
    else if (given.has("help")) tellHelp(out, command)
    else return await command.run({ given, out, io })
    return 0
  } catch (error) {
    out.clearProgress()
    if (io.signal.aborted && error === io.signal.reason) {
      out.note("Stopped.")
      return 1
    }
    out.note(`${program}: ${error instanceof Error ? error.message : String(error)}`)
    return isCommandFailure(error) ? error.exitCode : 1
  }
}

function tellHelp(out: Output, { summary, usage, flags, notes }: CheckCommand): void {
  out.say({ text: typed, style: "bold" }, ` ${usage}`)
  out.say(summary)
  out.say("")
  const rows = Object.entries({ ...flags, ...general }).map(([name, { value, help }]) => ({
    head: value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  }))
  const width = Math.max(...rows.map(({ head }) => head.length))
  for (const { head, help } of rows) out.say("  ", head.padEnd(width), "  ", { text: help, style: "dim" })
  out.say("")
  for (const line of notes) out.say(line)
}

function version(): string {
  const found: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  return typeof found === "object" && found !== null && "version" in found ? String(found.version) : "unknown"
}
