// The completions of the command line as data, derived from the same table of commands and flags that the parser uses.

import type { Flag } from "../arguments.ts"
import type { Command } from "../command.ts"
import { flagsOf } from "../help.ts"

/** The completions of a value. A `text` has none. */
export type Completions =
  | { readonly kind: "text" | "file" | "folder" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }

export interface CompletedFlag {
  readonly name: string
  readonly help: string
  readonly repeats: boolean
  /** Absent for a switch. `label` names the value in help texts. */
  readonly value?: Completions & { readonly label: string }
}

export interface CompletedCommand {
  /** One word, or two words for a subcommand such as `shell run`. */
  readonly name: string
  readonly summary: string
  /** The completions of the word after the command's name. */
  readonly word: readonly Completions[]
  readonly flags: readonly CompletedFlag[]
}

/** `commands` includes subcommands such as `shell run`. */
export function toTable(commands: readonly Command[]): readonly CompletedCommand[] {
  const names = commands.map(({ name }) => name)
  const help: CompletedCommand = {
    ...{ name: "help", summary: "Explain a command.", flags: [] },
    word: [{ kind: "choice", choices: names.filter((name) => !isSubcommand(name)) }],
  }
  return [...commands.map((command) => toCompleted(command, names)), help]
}

const isSubcommand = (name: string): boolean => name.includes(" ")

export const commandsIn = (table: readonly CompletedCommand[]): readonly string[] =>
  table.map(({ name }) => name).filter((name) => !isSubcommand(name))

export const subcommandsIn = (table: readonly CompletedCommand[]): readonly string[] =>
  table.map(({ name }) => name).filter(isSubcommand)

function toCompleted(command: Command, names: readonly string[]): CompletedCommand {
  const { name, summary, actions = [], usage } = command
  const flags = Object.entries(flagsOf(command)).map(([flag, about]) => toFlag(flag, about))
  const parts = names.filter((other) => other.startsWith(`${name} `)).map((other) => other.slice(name.length + 1))
  const choices = [...actions, ...parts]
  const path = usage.split(" --")[0]?.includes("DIR") ? [{ kind: "folder" as const }] : []
  return {
    name,
    summary,
    word: [...(choices.length > 0 ? [{ kind: "choice" as const, choices }] : []), ...path],
    flags,
  }
}

function toFlag(name: string, { help, value: label, repeats = false, choices }: Flag): CompletedFlag {
  const kind = choices === undefined ? toKind(label ?? "") : { kind: "choice" as const, choices }
  return { name, help, repeats, ...(label === undefined ? {} : { value: { ...kind, label } }) }
}

/** Recognises paths by the label of the value in help texts: FILE, PATH|URL or DIR. */
function toKind(label: string): Completions {
  if (/\bDIR\b/.test(label)) return { kind: "folder" }
  return { kind: /\b(FILE|PATH)\b/.test(label) ? "file" : "text" }
}
