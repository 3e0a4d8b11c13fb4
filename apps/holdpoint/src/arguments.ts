// Parses the flags and words of one command line strictly: an unknown flag is an error that suggests the likely one.

import { parseArgs } from "node:util"
import { didYouMean, wrongUse } from "./wrong-use.ts"

/**
 * A flag without `value` is a switch; `value` names the argument in help texts. A flag with a value may occur twice
 * only if it `repeats`.
 */
export interface Flag {
  readonly help: string
  readonly value?: string
  readonly repeats?: boolean
  /** The allowed values, for shell completion. */
  readonly choices?: readonly string[]
}

export type Flags = Readonly<Record<string, Flag>>

export interface Arguments {
  readonly words: readonly string[]
  /** The flags in the order of the command line. */
  readonly flags: readonly { readonly name: string; readonly value: string }[]
  has(name: string): boolean
  one(name: string): string | undefined
  all(name: string): readonly string[]
}

export function readArguments(argv: readonly string[], flags: Flags, command: string): Arguments {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), multiple: true },
    ]),
  )
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const givenFlags = tokens.flatMap((token) =>
    token.kind === "option" ? [{ name: token.name, value: checkedValue(token, flags, command) }] : [],
  )
  for (const [name, { repeats }] of Object.entries(flags)) {
    const values = givenFlags.filter((flag) => flag.name === name)
    if (!repeats && values.length > 1 && flags[name]?.value !== undefined) {
      throw wrongUse(`--${name} is given ${values.length} times.`, "Give it once.")
    }
  }
  const all = (name: string) => givenFlags.filter((flag) => flag.name === name).map(({ value }) => value)
  return {
    words: positionals,
    flags: givenFlags,
    has: (name) => givenFlags.some((flag) => flag.name === name),
    one: (name) => all(name)[0],
    all,
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function checkedValue({ name, rawName, value, inlineValue }: OptionToken, flags: Flags, command: string): string {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (flag === undefined || !rawName.startsWith("--")) {
    const names = Object.keys(flags).map((flag) => `--${flag}`)
    const next = didYouMean(rawName, names, `\`holdpoint ${command} --help\` lists the flags.`)
    throw wrongUse(`“holdpoint ${command}” has no flag ${rawName}.`, next)
  }
  if (flag.value === undefined) {
    if (value !== undefined) throw wrongUse(`${rawName} takes no value.`, `Write just ${rawName}.`)
    return ""
  }
  if (value === undefined || (!inlineValue && /^-./.test(value))) {
    throw wrongUse(`${rawName} needs a value.`, `Write ${rawName} ${flag.value}.`)
  }
  return value
}
