// The `holdpoint` command: the table of commands, and the dispatch from a command line to one of them.

import { readArguments } from "./arguments.ts"
import type { Command, ExitCode } from "./command.ts"
import type { Settings } from "./config.ts"
import { readSettings } from "./config.ts"
import { flagsOf, printCommand, printOverview } from "./help.ts"
import type { Io } from "./io.ts"
import { createProcessIo } from "./io.ts"
import type { Output } from "./output.ts"
import { createOutput } from "./output.ts"
import { version } from "./version.ts"
import { didYouMean, wrongUse } from "./wrong-use.ts"

/** The commands by name. Each is imported on use, so that no command waits for the imports of another command. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import("./commands/demo.ts")).demo,
  ask: async () => (await import("./commands/ask.ts")).ask,
  answer: async () => (await import("./commands/answer.ts")).answer,
  pending: async () => (await import("./commands/pending.ts")).pending,
  show: async () => (await import("./commands/show.ts")).show,
  cancel: async () => (await import("./commands/cancel.ts")).cancel,
  complete: async () => (await import("./commands/complete.ts")).complete,
  serve: async () => (await import("./commands/serve.ts")).serve,
  programs: async () => (await import("./commands/programs.ts")).programs,
  webhooks: async () => (await import("./commands/webhooks.ts")).webhooks,
  nextcloud: async () => (await import("./commands/nextcloud.ts")).nextcloud,
  shell: async () => (await import("./commands/shell.ts")).shell,
  agents: async () => (await import("./commands/agents.ts")).agents,
  acp: async () => (await import("./commands/acp.ts")).acp,
  connect: async () => (await import("./commands/connect.ts")).connect,
  connections: async () => (await import("./commands/connections.ts")).connections,
  disconnect: async () => (await import("./commands/disconnect.ts")).disconnect,
  bounce: async () => (await import("./commands/bounce.ts")).bounce,
  keys: async () => (await import("./commands/keys.ts")).keys,
  conformance: async () => (await import("./commands/conformance.ts")).conformance,
  completion: async () =>
    (await import("./commands/completion.ts")).createCompletion(() => load({ ...commands, ...subcommands })),
}

/** Subcommands with their own flags and help, by their two words. */
const subcommands: Readonly<Record<string, () => Promise<Command>>> = {
  "shell init": async () => (await import("./commands/shell-parts.ts")).init,
  "shell validate": async () => (await import("./commands/shell-parts.ts")).validate,
  "shell run": async () => (await import("./commands/shell-parts.ts")).run,
}

const load = (table: typeof commands): Promise<readonly Command[]> =>
  Promise.all(Object.values(table).map((one) => one()))

/** Runs as a process. Exits explicitly after a signal, because an interrupted operation may still hold the terminal. */
export async function run(): Promise<void> {
  const io = createProcessIo()
  process.exitCode = await main(process.argv.slice(2), io)
  if (io.signal.aborted) process.exit()
}

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const out = createOutput(io)
  // Passed to the error printer, so that the database's password is never shown.
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
    const { printFailure } = await import("./failure.ts")
    return printFailure(error, out, io, database ?? io.env.HOLDPOINT_DATABASE ?? io.env.DATABASE_URL)
  }
}

async function dispatch(
  argv: readonly string[],
  io: Io,
  out: Output,
  onSettings: (settings: Settings) => void,
): Promise<ExitCode> {
  const [name = "help", ...rest] = joinSubcommand(argv)
  if (name === "--version") return printHelp(() => out.say(version()))
  const isHelp = ["help", "--help", "-h"].includes(name)
  const topic = isHelp ? joinSubcommand(rest)[0] : asksForHelp(rest) ? name : undefined
  if (isHelp && topic === undefined) {
    const all = await load(commands)
    return printHelp(() => printOverview(all, out))
  }
  const command = await findCommand(topic ?? name)
  if (topic !== undefined) return printHelp(() => printCommand(command, out))

  const args = readArguments(rest, flagsOf(command), command.name)
  const { least, most } = command.words
  if (args.words.length < least) throw wrongUse(`“${command.name}” needs another argument.`, usageOf(command))
  if (args.words.length > most) {
    throw wrongUse(`“${args.words[most]}” is one word too many; quote what belongs together.`, usageOf(command))
  }
  let settingsPromise: Promise<Settings> | undefined
  const settings = () => (settingsPromise ??= readSettings(io, args))
  return command.run({
    io,
    out,
    args,
    async settings() {
      const loaded = await settings()
      onSettings(loaded)
      return loaded
    },
  })
}

/** Joins the two words of a subcommand, such as “shell” and “run”, into the first argument. */
function joinSubcommand(argv: readonly string[]): readonly string[] {
  const part = argv.slice(0, 2).join(" ")
  return Object.hasOwn(subcommands, part) ? [part, ...argv.slice(2)] : argv
}

function findCommand(name: string): Promise<Command> {
  const loaders = { ...commands, ...subcommands }
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined
  if (load !== undefined) return load()
  if (name.startsWith("-")) throw wrongUse(`The command comes before ${name}.`, "`holdpoint help` lists the commands.")
  const names = ["help", ...Object.keys(commands)]
  throw wrongUse(`There is no command “${name}”.`, didYouMean(name, names, "`holdpoint help` lists the commands."))
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--")
  return (end === -1 ? args : args.slice(0, end)).some((word) => word === "--help" || word === "-h")
}

const usageOf = ({ name, usage }: Command): string => `Write: holdpoint ${name} ${usage}`

function printHelp(print: () => void): ExitCode {
  print()
  return 0
}
