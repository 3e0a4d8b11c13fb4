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
/** The program as people type it. Without the scope, npx would run an unrelated package. */
const commandLine = `npx @holdpoint/${program}`

const generalFlags: Flags = {
  json: { help: "print JSON, for programs" },
  version: { help: "print the version" },
  help: { help: "show this" },
}

/** Runs the program as a process. The first signal stops it after the current check, the second signal immediately. */
export async function run(): Promise<void> {
  const { stdout, stderr, env } = process
  for (const stream of [stdout, stderr]) {
    // `| head -1` closes the pipe early, which is not an error.
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
  const command = createCommand(commandLine)
  try {
    const args = readArguments(argv, { ...command.flags, ...generalFlags })
    if (args.has("version")) out.say(version())
    else if (args.has("help")) printHelp(out, command)
    else return await command.run({ args, out, io })
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

function printHelp(out: Output, { summary, usage, flags, notes }: CheckCommand): void {
  out.say({ text: commandLine, style: "bold" }, ` ${usage}`)
  out.say(summary)
  out.say("")
  const rows = Object.entries({ ...flags, ...generalFlags }).map(([name, { value, help }]) => ({
    head: value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  }))
  const width = Math.max(...rows.map(({ head }) => head.length))
  for (const { head, help } of rows) out.say("  ", head.padEnd(width), "  ", { text: help, style: "dim" })
  out.say("")
  for (const line of notes) out.say(line)
}

function version(): string {
  const packageJson: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  return typeof packageJson === "object" && packageJson !== null && "version" in packageJson
    ? String(packageJson.version)
    : "unknown"
}
