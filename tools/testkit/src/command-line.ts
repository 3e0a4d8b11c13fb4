// Reads the command line of a program of this repository: its flags, its words, and --help.

import { type ParseArgsOptionsConfig, parseArgs } from "node:util"

/** What a program accepts besides --help. */
export interface Accepted<Flags extends ParseArgsOptionsConfig> {
  readonly flags?: Flags
  /** How many words that are not flags it needs and allows. Default: none. */
  readonly words?: { readonly least?: number; readonly most: number }
}

/**
 * Returns the flags and words. Ends the program with the help when it is asked for, and with exit code 2 when the
 * command line is wrong.
 */
export function readCommandLine<const Flags extends ParseArgsOptionsConfig = Record<never, never>>(
  help: string,
  { flags, words: { least = 0, most } = { most: 0 } }: Accepted<Flags> = {},
) {
  try {
    const options = { ...(flags as Flags), help: { type: "boolean" } } as const
    const { values, positionals: words } = parseArgs({ options, allowPositionals: true })
    if ((values as { readonly help?: boolean }).help) endWithHelp(help)
    if (words.length < least) throw new Error("An argument is missing.")
    if (words.length > most) throw new Error(`“${words[most]}” is one argument too many.`)
    return { flags: values, words }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    // Node adds how to pass an argument that begins with a dash, which no program here accepts.
    return endWrong(problem.replace(/ To specify a positional argument .*/s, ""), help)
  }
}

/**
 * Returns the arguments for Vitest as they are. Ends the program like `readCommandLine`; flags that Vitest does not know
 * are wrong.
 */
export async function readVitestArguments(help: string): Promise<readonly string[]> {
  const args = process.argv.slice(2)
  if (args.includes("--help")) endWithHelp(help)
  const { createCLI } = await import("vitest/node")
  try {
    const cli = createCLI()
    cli.parse(["node", "vitest", "run", ...args], { run: false })
    cli.matchedCommand?.checkUnknownOptions()
    return args
  } catch (error) {
    return endWrong(error instanceof Error ? error.message : String(error), help)
  }
}

export function endWithHelp(help: string): never {
  process.stdout.write(`${help.trimEnd()}\n`)
  process.exit(0)
}

/** Ends the program with the problem and the help. */
export function endWrong(problem: string, help: string): never {
  process.stderr.write(`${problem}\n\n${help.trimEnd()}\n`)
  process.exit(2)
}
