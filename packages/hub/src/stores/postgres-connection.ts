// One connection to Postgres, opened on demand and reopened when it broke. The writing connection also listens, so that
// the server need not wake a second backend process for every commit.

import type { ClientConfig } from "pg"
import pg from "pg"
import { HoldpointError } from "../core/error.ts"
import type { Value } from "./database.ts"

export interface Connection {
  get(): Promise<pg.Client>
  /** Returns a prepared statement, which the server parses once per connection. */
  prepared(text: string, values: readonly Value[]): pg.QueryConfig
  /** Closes a connection in an unknown state, so that it is not used again. */
  discard(client: pg.Client): Promise<void>
  close(): Promise<void>
}

export interface ListenOptions {
  /** The SQL that starts listening. */
  readonly start: string
  /** Called when another process has notified, or may have notified while this connection was lost. */
  readonly onWake: () => void
}

/**
 * Settings that make every frequent statement use an index. Plans are cached: without these settings, a plan made while
 * the tables are small would read them completely, also later when they are large.
 */
export const sessionSettings = [
  "SET enable_seqscan = off",
  "SET enable_hashjoin = off",
  "SET enable_mergejoin = off",
  "SET plan_cache_mode = force_generic_plan",
  "SET jit = off",
].join("; ")

const firstRetryMs = 50
const lastRetryMs = 5_000

/** Creates a connection. With `listening` it is kept open even while it is not used. */
export function createConnection(config: ClientConfig, listening?: ListenOptions): Connection {
  const statementNames = new Map<string, string>()
  let current: Promise<pg.Client> | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let retryMs = firstRetryMs
  let isClosed = false

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true } as ClientConfig)
    client.on("error", () => dropClient(client))
    client.on("end", () => dropClient(client))
    client.on("notification", ({ processId }) => {
      if (processId !== processIdOf(client)) listening?.onWake()
    })
    try {
      await client.connect()
      await client.query(listening === undefined ? sessionSettings : `${sessionSettings}; ${listening.start}`)
      if (isClosed) throw closedError()
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    retryMs = firstRetryMs
    // Something may have been committed while there was no connection.
    listening?.onWake()
    return client
  }

  const openClient = (): Promise<pg.Client> => {
    clearTimeout(retryTimer)
    const opening = connect()
    current = opening
    opening.catch(() => {
      if (current === opening) current = undefined
      retryLater()
    })
    return opening
  }

  const dropClient = (client: pg.Client): void => {
    void current?.then(
      (openClient) => {
        if (openClient !== client) return
        current = undefined
        retryLater()
      },
      () => {},
    )
  }

  const retryLater = (): void => {
    if (listening === undefined || isClosed) return
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => {
      if (current !== undefined || isClosed) return
      openClient().catch(() => {})
    }, retryMs)
    retryMs = Math.min(retryMs * 2, lastRetryMs)
  }

  return {
    async get() {
      if (isClosed) throw closedError()
      try {
        return await (current ?? openClient())
      } catch (error) {
        throw toStorageError(error)
      }
    },
    prepared(text, values) {
      const name = statementNames.get(text) ?? `hp${statementNames.size + 1}`
      statementNames.set(text, name)
      return { name, text, values: [...values] }
    },
    async discard(client) {
      dropClient(client)
      await client.end().catch(() => {})
    },
    async close() {
      isClosed = true
      clearTimeout(retryTimer)
      const client = await current?.catch(() => undefined)
      await client?.end().catch(() => {})
    },
  }
}

const closedError = (): HoldpointError =>
  new HoldpointError("closed", "The storage is closed. Open it again to use it.")

/**
 * Returns the error of a statement unchanged, and `store_unavailable` for any other: server codes 08 and 57 are lost or
 * cancelled connections, 53 is an overloaded server or a full disk, 25006 a server that only reads, 40 and 55 a conflict
 * with another session, 58 and XX a broken server. Errors that are not a `DatabaseError` come from the socket.
 */
export function toStorageError(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const isStatement = error instanceof pg.DatabaseError && !/^(08|25006|40|53|55|57|58|XX)/.test(code)
  if (isStatement || error instanceof HoldpointError) return error
  const words = error instanceof Error ? error.message || code : String(error)
  return new HoldpointError("store_unavailable", `Postgres cannot be reached: ${words}`, { cause: error })
}

/** The process id of the backend, which the types of `pg` do not declare. */
const processIdOf = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID
