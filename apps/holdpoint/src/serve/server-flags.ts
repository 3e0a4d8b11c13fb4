// The flags and the default database of a server that MCP clients start: --listen and --http say where it listens, and
// the database is in the home folder.

import { homedir } from "node:os"
import { join } from "node:path"
import type { Arguments } from "../arguments.ts"
import type { Call } from "../command.ts"
import { wrongUse } from "../wrong-use.ts"

/** Throws if --http is not a port number. Called before the settings are read, because their error names --port. */
export function assertPort(port: string | undefined): void {
  if (port === undefined || (/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) return
  throw wrongUse(`“${port}” is not a port number for --http.`, "Write a number up to 65535; 0 picks a free port.")
}

/** Makes the settings read --listen and --http where they look for --host and --port. */
export function withServerFlags(args: Arguments): Arguments {
  const nameOf = (name: string): string => ({ host: "listen", port: "http" })[name] ?? name
  return {
    ...args,
    has: (name) => args.has(nameOf(name)),
    one: (name) => args.one(nameOf(name)),
    all: (name) => args.all(nameOf(name)),
  }
}

/** The folder for databases. It is in the home folder, because clients start the command in any folder. */
export function dataHome(env: Call["io"]["env"]): string {
  return join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "holdpoint")
}
