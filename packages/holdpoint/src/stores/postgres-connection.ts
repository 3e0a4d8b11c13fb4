// One connection to Postgres, made when it is needed and made again when it broke. The one that writes also listens:
// that way the server need not wake a second process of its own for every commit.

import type { ClientConfig } from "pg"
import pg from "pg"
import { HoldpointError } from "../core/error.ts"
import type { Value } from "./database.ts"

export interface Connection {
  get(): Promise<pg.Client>
  /** A statement that the server parses once for each connection. */
  prepared(text: string, values: readonly Value[]): pg.QueryConfig
  /** A connection in an unknown state is not used again. */
  discard(client: pg.Client): Promise<void>
  close(): Promise<void>
}

export interface Listening {
  readonly channel: string
  /** Another process has notified, or may have while this connection was away. */
  readonly onWake: () => void
}

/**
 * Every statement that runs often finds its rows by an index. Plans are kept, and one that was made while the tables were small
 * would otherwise read them whole for ever after.
 */
export const greeting = [
  "SET enable_seqscan = off",
  "SET enable_hashjoin = off",
  "SET enable_mergejoin = off",
  "SET plan_cache_mode = force_generic_plan",
  "SET jit = off",
].join("; ")

const firstRetryMs = 50
const lastRetryMs = 5_000

/** With `listening` the connection is kept open, whether or not anybody uses it. */
export function createConnection(config: ClientConfig, listening?: Listening): Connection {
  const names = new Map<string, string>()
  let current: Promise<pg.Client> | undefined
  let retry: NodeJS.Timeout | undefined
  let retryMs = firstRetryMs
  let isClosed = false

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true } as ClientConfig)
    client.on("error", () => lost(client))
    client.on("end", () => lost(client))
    client.on("notification", ({ processId }) => {
      if (processId !== processIdOf(client)) listening?.onWake()
    })
    try {
      await client.connect()
      await client.query(listening === undefined ? greeting : `${greeting}; LISTEN ${listening.channel}`)
      if (isClosed) throw closed()
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    retryMs = firstRetryMs
    // Whoever made the connection anew, something may have been committed while there was none.
    listening?.onWake()
    return client
  }

  const open = (): Promise<pg.Client> => {
    clearTimeout(retry)
    const opening = connect()
    current = opening
    opening.catch(() => {
      if (current === opening) current = undefined
      retryLater()
    })
    return opening
  }

  const lost = (client: pg.Client): void => {
    void current?.then(
      (known) => {
        if (known !== client) return
        current = undefined
        retryLater()
      },
      () => {},
    )
  }

  const retryLater = (): void => {
    if (listening === undefined || isClosed) return
    clearTimeout(retry)
    retry = setTimeout(() => {
      if (current !== undefined || isClosed) return
      open().catch(() => {})
    }, retryMs)
    retryMs = Math.min(retryMs * 2, lastRetryMs)
  }

  return {
    async get() {
      if (isClosed) throw closed()
      try {
        return await (current ?? open())
      } catch (error) {
        throw explained(error)
      }
    },
    prepared(text, values) {
      const name = names.get(text) ?? `hp${names.size + 1}`
      names.set(text, name)
      return { name, text, values: [...values] }
    },
    async discard(client) {
      lost(client)
      await client.end().catch(() => {})
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      const client = await current?.catch(() => undefined)
      await client?.end().catch(() => {})
    },
  }
}

const closed = (): HoldpointError => new HoldpointError("closed", "The storage is closed. Open it again to use it.")

/** Of what the server says, 08 and 57P are lost connections and 53 is a full server. What else fails is the socket. */
export function explained(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const isStatement = error instanceof pg.DatabaseError && !/^(08|53|57P)/.test(code)
  if (isStatement || error instanceof HoldpointError) return error
  const words = error instanceof Error ? error.message || code : String(error)
  return new HoldpointError("store_unavailable", `Postgres cannot be reached: ${words}`, { cause: error })
}

/** Known to `pg`, but not to its types. */
const processIdOf = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID
