// Starts a server on a port, and explains why a port cannot be used.

import { wrongUse } from "../wrong-use.ts"

/** How many ports after the first are tried before giving up. */
const mostPorts = 20

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

const isTaken = (error: unknown): boolean => codeOf(error) === "EADDRINUSE"

export interface WantedPort {
  readonly host: string
  readonly port: number
  /** Whether the user chose this port, so that no other one will do. */
  readonly isNamed: boolean
  readonly flags?: PortFlags
}

/** A port that the user chose is never changed; the default port moves on to the next free one, with a note. */
export async function startOnPort<T>(
  { host, port: first, isNamed, flags = usualFlags }: WantedPort,
  note: (words: string) => void,
  start: (port: number) => Promise<T>,
): Promise<T> {
  for (let port = first; ; port++) {
    try {
      return await start(port)
    } catch (error) {
      if (!isTaken(error) || isNamed || port - first >= mostPorts) throw inWords(error, { host, port, flags })
      note(`Port ${port} is taken; trying ${port + 1}.`)
    }
  }
}

/** The names of the command's flags, for error messages. */
export interface PortFlags {
  readonly host: string
  readonly port: string
}

function inWords(error: unknown, { host, port, flags }: Omit<Required<WantedPort>, "isNamed">): unknown {
  const ownAddress = `Set ${flags.host} to one of its own: 127.0.0.1 for this machine only, 0.0.0.0 for all.`
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return wrongUse(
        `Port ${port} of ${host} is taken.`,
        `Stop the program that uses it, or choose another with ${flags.port}.`,
      )
    case "EACCES":
      return wrongUse(`You may not use port ${port} of ${host}.`, `Choose one above 1023 with ${flags.port}.`)
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return wrongUse(`${host} is not an address of this machine.`, ownAddress)
    default:
      return error
  }
}

const usualFlags: PortFlags = { host: "--host", port: "--port" }
