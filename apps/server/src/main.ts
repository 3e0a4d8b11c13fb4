// The `holdpoint` command: a table of commands, and the way from the words of a command line to one of them.

import { readFileSync } from "node:fs"
import { readArguments } from "./arguments.ts"
import type { Command, ExitCode } from "./command.ts"
import { answer } from "./commands/answer.ts"
import { ask } from "./commands/ask.ts"
import { cancel } from "./commands/cancel.ts"
import { complete } from "./commands/complete.ts"
import { conformance } from "./commands/conformance.ts"
import { connect } from "./commands/connect.ts"
import { connections } from "./commands/connections.ts"
import { disconnect } from "./commands/disconnect.ts"
import { keys } from "./commands/keys.ts"
import { pending } from "./commands/pending.ts"
import { serve } from "./commands/serve.ts"
import { show } from "./commands/show.ts"
import { tryIt } from "./commands/try.ts"
import type { Settings } from "./config.ts"
import { readSettings } from "./config.ts"
import { tellFailure } from "./failure.ts"
import { flagsOf, tellCommand, tellOverview } from "./help.ts"
import type { Io } from "./io.ts"
import { createProcessIo } from "./io.ts"
import type { Output } from "./output.ts"
import { createOutput } from "./output.ts"
import { didYouMean, wrongUse } from "./wrong-use.ts"

const commands: readonly Command[] = [
  tryIt,
  ask,
  answer,
  pending,
  show,
  cancel,
  complete,
  serve,
  connect,
  connections,
  disconnect,
  keys,
  conformance,
]

/** As a process. What a signal interrupts may still hold the terminal, so it is left by force. */
export async function run(): Promise<void> {
  const io = createProcessIo()
  process.exitCode = await main(process.argv.slice(2), io)
  if (io.signal.aborted) process.exit()
}

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const out = createOutput(io)
  // Known to the error's reader, so that a password in it is never shown.
  let database: string | undefined
  try {
    return await dispatch(argv, io, out, (settings) => {
      database = settings.database
    })
  } catch (error) {
    out.clearProgress()
    if (io.signal.aborted && error === io.signal.reason) {
      out.note("Stopped.")
      return 1
    }
    return tellFailure(error, out, io, database ?? io.env.HOLDPOINT_DATABASE ?? io.env.DATABASE_URL)
  }
}

async function dispatch(
  argv: readonly string[],
  io: Io,
  out: Output,
  onSettings: (settings: Settings) => void,
): Promise<ExitCode> {
  const [name = "help", ...rest] = argv
  if (name === "--version") return tell(() => out.say(version()))
  const isHelp = ["help", "--help", "-h"].includes(name)
  const topic = isHelp ? rest[0] : asksForHelp(rest) ? name : undefined
  if (isHelp && topic === undefined) return tell(() => tellOverview(commands, out))
  const command = find(topic ?? name)
  if (topic !== undefined) return tell(() => tellCommand(command, out))

  const given = readArguments(rest, flagsOf(command), command.name)
  const { least, most } = command.words
  if (given.words.length < least) throw wrongUse(`Something is missing after “${command.name}”.`, usageOf(command))
  if (given.words.length > most) {
    throw wrongUse(`“${given.words[most]}” is one word too many; quote what belongs together.`, usageOf(command))
  }
  let read: Promise<Settings> | undefined
  const settings = () => (read ??= readSettings(io, given))
  return command.run({
    io,
    out,
    given,
    async settings() {
      const known = await settings()
      onSettings(known)
      return known
    },
  })
}

function find(name: string): Command {
  const command = commands.find((known) => known.name === name)
  if (command !== undefined) return command
  if (name.startsWith("-")) throw wrongUse(`The command comes before ${name}.`, "`holdpoint help` lists the commands.")
  const names = ["help", ...commands.map((known) => known.name)]
  throw wrongUse(`There is no command “${name}”.`, didYouMean(name, names, "`holdpoint help` lists the commands."))
}

function asksForHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf("--")
  return (end === -1 ? rest : rest.slice(0, end)).some((word) => word === "--help" || word === "-h")
}

const usageOf = ({ name, usage }: Command): string => `Write: holdpoint ${name} ${usage}`

function tell(say: () => void): ExitCode {
  say()
  return 0
}

function version(): string {
  const found: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return typeof found === "object" && found !== null && "version" in found ? String(found.version) : "unknown"
}
