// Prints help from the same tables that parse the commands.

import type { Flags } from "./arguments.ts"
import type { Command } from "./command.ts"
import type { Output } from "./output.ts"
import { bold, dim } from "./output.ts"
import { settingFlags } from "./settings.ts"

export const globalFlags: Flags = {
  json: { help: "print JSON, for programs" },
  help: { help: "show this help" },
}

export function flagsOf(command: Command): Flags {
  return { ...command.flags, ...(command.usesDatabase ? settingFlags : {}), ...globalFlags }
}

export function printOverview(commands: readonly Command[], out: Output): void {
  out.say(bold("holdpoint"), ": a program stops, asks the right person, and carries on with the answer")
  out.say("")
  const width = Math.max(...commands.map(({ name }) => name.length))
  for (const { name, summary } of commands) out.say("  ", bold(name.padEnd(width)), "  ", summary)
  out.say("")
  for (const line of overviewNotes) out.say(line)
}

const overviewNotes: readonly string[] = [
  "Try it:      holdpoint demo",
  'In a script: holdpoint ask "Deploy to production?" && ./deploy.sh',
  "More:        holdpoint help COMMAND",
  "",
  "Exit codes: 0 done (or yes), 1 failed (or no), 2 usage error.",
]

export function printCommand(command: Command, out: Output): void {
  out.say(bold(`holdpoint ${command.name}`), command.usage === "" ? "" : ` ${command.usage}`)
  out.say(command.summary)
  const groups: readonly (readonly [string, Flags])[] = [
    ["", command.flags],
    ["Common flags", { ...(command.usesDatabase ? settingFlags : {}), ...globalFlags }],
  ]
  const flagHeads = groups.flatMap(([, flags]) => Object.entries(flags).map(([name, flag]) => headOf(name, flag.value)))
  const width = Math.max(...flagHeads.map((head) => head.length))
  for (const [title, flags] of groups) {
    if (Object.keys(flags).length === 0) continue
    out.say("")
    if (title !== "") out.say(dim(title))
    for (const [name, flag] of Object.entries(flags)) {
      out.say("  ", headOf(name, flag.value).padEnd(width), "  ", dim(flag.help))
    }
  }
  if (command.notes.length > 0) out.say("")
  for (const line of command.notes) out.say(line)
}

function headOf(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}
