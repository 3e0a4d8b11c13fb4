// Ports that cannot be listened on: what the system says, for people.

import { wrongUse } from "../wrong-use.ts"

/** How many are tried before giving up. */
export const mostPorts = 20

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

export const isTaken = (error: unknown): boolean => codeOf(error) === "EADDRINUSE"

/** What the command calls them. */
export interface PortFlags {
  readonly host: string
  readonly port: string
}

export function inWords(error: unknown, host: string, port: number, flags = usualFlags): unknown {
  const ownAddress = `Give ${flags.host} one of its own: 127.0.0.1 for this machine alone, 0.0.0.0 for all.`
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return wrongUse(
        `Port ${port} of ${host} is taken.`,
        `End what listens there, or choose another with ${flags.port}.`,
      )
    case "EACCES":
      return wrongUse(`Port ${port} of ${host} is not allowed to you.`, `Choose one above 1023 with ${flags.port}.`)
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return wrongUse(`${host} is no address of this machine.`, ownAddress)
    default:
      return error
  }
}

const usualFlags: PortFlags = { host: "--host", port: "--port" }
