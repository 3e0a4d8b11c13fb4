// Ports that cannot be listened on: what the system says, for people.

import { wrongUse } from "../wrong-use.ts"

/** How many are tried before giving up. */
const mostPorts = 20

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

const isTaken = (error: unknown): boolean => codeOf(error) === "EADDRINUSE"

export interface WantedPort {
  readonly host: string
  readonly port: number
  /** Somebody expects it to be this one. */
  readonly isNamed: boolean
  readonly flags?: PortFlags
}

/** A port that was named is that one or none; the usual one moves on to the next that is free, and it is said. */
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

/** What the command calls them. */
export interface PortFlags {
  readonly host: string
  readonly port: string
}

function inWords(error: unknown, { host, port, flags }: Omit<Required<WantedPort>, "isNamed">): unknown {
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
