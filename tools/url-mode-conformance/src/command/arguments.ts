// Parses the command line strictly: an unknown flag is an error, and so is an unexpected argument.

import { parseArgs } from "node:util"
import type { Flags, Given } from "./call.ts"
import { usageError } from "./failure.ts"

export function readArguments(argv: readonly string[], flags: Flags): Given {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), multiple: true },
    ]),
  )
  const values = parse(argv, options)
  const all = (name: string): readonly string[] => (values[name] ?? []).map(String)
  for (const [name, { value, repeats }] of Object.entries(flags)) {
    if (value === undefined || repeats || all(name).length < 2) continue
    throw usageError(`--${name} is given ${all(name).length} times.`, "Give it once.")
  }
  return { all, one: (name) => all(name)[0], has: (name) => values[name] !== undefined }
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>
type Values = Readonly<Record<string, readonly (string | boolean)[] | undefined>>

function parse(argv: readonly string[], options: Options): Values {
  try {
    return parseArgs({ args: [...argv], options }).values as Values
  } catch (error) {
    const [problem = ""] = (error as Error).message.split(/(?<=\.) |\n/)
    throw usageError(`${problem.replace(/\.$/, "")}.`, "--help lists the flags.")
  }
}
