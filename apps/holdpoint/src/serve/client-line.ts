// For a person who starts a stdio server in a terminal: explains that an MCP client starts it, and prints the line for
// the client's configuration.

import { resolve } from "node:path"
import type { Call } from "../command.ts"

type GivenFlags = Call["args"]["flags"]

/**
 * The command line with absolute paths, because clients start the command in another folder and without this shell's
 * environment. `words` are the command and its arguments.
 */
export function toClientCommand(words: readonly string[], givenFlags: GivenFlags, cwd: string): readonly string[] {
  const flags = givenFlags.flatMap(({ name, value }) => {
    const isFile = name === "config" || name === "key-file" || (name === "database" && !value.includes("://"))
    return isSwitch(name) ? [`--${name}`] : [`--${name}`, isFile ? resolve(cwd, value) : value]
  })
  return ["npx", "holdpoint", ...words, ...flags]
}

const isSwitch = (name: string): boolean => ["read-only", "no-pages", "json"].includes(name)

/** Prints how to add the server to an MCP client. On standard error, because standard output belongs to the client. */
export function printStdioHint({ out }: Pick<Call, "out">, name: string, words: readonly string[]): void {
  const [command, ...args] = words
  out.note("This server speaks MCP on standard input and output; your MCP client should start it. Ctrl-C ends it here.")
  out.note("")
  out.note(`In Claude Code:  claude mcp add ${name} -- ${toShellLine(words)}`)
  out.note(`Elsewhere:       ${JSON.stringify({ mcpServers: { [name]: { command, args } } })}`)
}

/** Prints how to add a server that listens on HTTP to an MCP client. `keyFile` is set in local mode. */
export function printHttpClients({ out }: Pick<Call, "out">, client: HttpClientLine): void {
  const { name, mcp, keyFile } = client
  const header = keyFile === undefined ? "" : ` --header ${keyHeader(keyFile)}`
  const headers = keyFile === undefined ? undefined : { Authorization: "Bearer KEY" }
  out.say("In Claude Code:  ", `claude mcp add --transport http ${name} ${mcp}${header}`)
  out.say("Elsewhere:       ", JSON.stringify({ mcpServers: { [name]: { type: "http", url: mcp, headers } } }))
  if (keyFile !== undefined) out.say("KEY is in:       ", keyFile)
}

export interface HttpClientLine {
  readonly name: string
  readonly mcp: string
  readonly keyFile: string | undefined
}

/** The header that a program sends, for a command line: the key itself stays out of shell histories and logs. */
export const keyHeader = (keyFile: string): string => `"Authorization: Bearer $(cat ${quote(keyFile)})"`

export const toShellLine = (words: readonly string[]): string => words.map(quote).join(" ")

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
