// For a person who starts the server on stdio by hand: says that a client starts it, and prints the line for the client.

import { resolve } from "node:path"
import type { Call } from "../command.ts"

/** On standard error, because standard output belongs to the client. */
export function tellClientLine({ out, io, given }: Call, url: string): void {
  const words = toCommand(given.given, url, io.cwd)
  const [command, ...args] = words
  out.note("This speaks MCP on standard input and output: your MCP client starts it. Ctrl-C ends it here.")
  out.note("")
  out.note(`In Claude Code:  claude mcp add nextcloud -- ${words.map(quoted).join(" ")}`)
  out.note(`Elsewhere:       ${JSON.stringify({ mcpServers: { nextcloud: { command, args } } })}`)
  out.note(`Your account:    ${toCommand(given.given, url, io.cwd, ["account"]).map(quoted).join(" ")}`)
}

type Given = Call["given"]["given"]

/** With absolute paths: clients start the command in a folder of their own, and without this shell's environment. */
export function toCommand(given: Given, url: string, cwd: string, part: readonly string[] = []): readonly string[] {
  const rest = given
    .filter(({ name }) => name !== "host")
    .flatMap(({ name, value }) => {
      const isFile = name === "config" || name === "key-file" || (name === "database" && !value.includes("://"))
      return isSwitch(name) ? [`--${name}`] : [`--${name}`, isFile ? resolve(cwd, value) : value]
    })
  return ["npx", "holdpoint", "nextcloud", ...part, "--host", url, ...rest]
}

const isSwitch = (name: string): boolean => name === "read-only" || name === "json"

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
