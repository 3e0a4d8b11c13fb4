// The common parts of this folder's programs that listen on a port: flags, printed address, and shutdown on a signal.

import { parseArgs } from "node:util"

export interface ListenFlags<Name extends string> {
  readonly port: number
  readonly help: boolean
  /** The values of the other flags. */
  readonly more: Readonly<Partial<Record<Name, string>>>
}

/** Reads `--port`, `--help` and flags of these names. Ends the program with the help when the command line is wrong. */
export function readListenFlags<Name extends string = never>(
  help: string,
  names: readonly Name[] = [],
): ListenFlags<Name> {
  try {
    const text = { type: "string" } as const
    const others = Object.fromEntries(names.map((name) => [name, text]))
    const { values } = parseArgs({ options: { ...others, port: text, help: { type: "boolean" } } })
    const { port = "0", help: isHelp = false, ...more } = values
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
      throw new Error(`“${port}” is not a port number. Write a number from 0 to 65535; 0 picks a free port.`)
    return { port: Number(port), help: isHelp, more: more as ListenFlags<Name>["more"] }
  } catch (error) {
    return fail(2, `${wordsOf(error)}\n\n${help}`)
  }
}

/** Runs a server, prints its address, and closes it when the process gets a signal. */
export async function runListening<S extends { close(): unknown }>(
  start: () => Promise<S>,
  wordsAt: (served: S) => string,
): Promise<void> {
  const served = await start().catch((error: unknown) => fail(1, wordsOf(error)))
  process.stdout.write(`${wordsAt(served)}\n`)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void served.close())
}

function wordsOf(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    return "Another program listens on this port. Choose another, or leave --port out."
  return error instanceof Error ? error.message : String(error)
}

function fail(code: 1 | 2, words: string): never {
  process.stderr.write(`${words.trimEnd()}\n`)
  process.exit(code)
}
