// Postgres through `pg`, for more than one machine. A commit is one round trip: its statements are pipelined inside one
// transaction that takes an advisory lock first, so that commits never overlap and the trail's order is their order.

import type { ClientConfig } from "pg"
import pg from "pg"
import { HoldpointError } from "../core/error.ts"
import type { Storage } from "../ports/storage.ts"
import type { Database, Dialect, Row, Value } from "./database.ts"
import { createPostgresListener } from "./postgres-listener.ts"
import { createSqlStorage } from "./sql.ts"

export interface PostgresOptions {
  /** The Postgres schema that holds the tables; several Holdpoints can share a database. */
  readonly schema?: string
}

export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Storage> {
  const schema = options.schema ?? "holdpoint"
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) {
    throw new HoldpointError(
      "invalid_config",
      `“${schema}” cannot be the schema: use small letters, digits and _, at most 48.`,
    )
  }
  const database = await openDatabase({ connectionString: url, application_name: "holdpoint" }, schema)
  try {
    return await createSqlStorage(database)
  } catch (error) {
    await database.close()
    throw error
  }
}

const dialectOf = (schema: string): Dialect => ({
  schema: `${schema}.`,
  identity: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  clustered: "",
  // A statement runs once for all input rows, which come as one JSON array.
  input: "jsonb_array_elements(CAST($1 AS jsonb)) AS r(value)",
  text: (member) => `(r.value ->> '${member}')`,
  integer: (member) => `CAST(r.value ->> '${member}' AS BIGINT)`,
  items: (json, alias) => `(SELECT jsonb_array_elements_text(CAST(${json} AS jsonb)) AS item) AS ${alias}`,
})

async function openDatabase(config: ClientConfig, schema: string): Promise<Database> {
  const writer = createConnection(config)
  const reader = createConnection(config)
  const channel = `holdpoint_${schema}`
  const lock = `pg_advisory_xact_lock(hashtext('holdpoint:${schema}'))`
  let commits: Promise<unknown> = Promise.resolve()

  const commitOnce: Database["commit"] = async (statements) => {
    const client = await writer.get()
    const work = [
      client.query(`BEGIN; SELECT ${lock}`).then(() => []),
      ...statements.map(({ text, rows }) =>
        client.query(writer.prepared(text, [JSON.stringify(rows)])).then((result) => result.rows as Row[]),
      ),
      client.query(`NOTIFY ${channel}; COMMIT`).then(() => []),
    ]
    const results = await Promise.allSettled(work)
    const failure = results.find((result) => result.status === "rejected")
    if (failure !== undefined) {
      await writer.discard(client)
      throw explained(failure.reason)
    }
    return results.slice(1, -1).map((result) => (result.status === "fulfilled" ? result.value : []))
  }

  const database: Database = {
    dialect: dialectOf(schema),
    async query(text, values) {
      const client = await reader.get()
      try {
        return (await client.query(reader.prepared(text, values))).rows as Row[]
      } catch (error) {
        throw explained(error)
      }
    },
    commit(statements) {
      const committed = commits.then(() => commitOnce(statements))
      commits = committed.catch(() => {})
      return committed
    },
    async exclusively(work) {
      const client = await writer.get()
      try {
        await client.query(`BEGIN; SELECT ${lock}; CREATE SCHEMA IF NOT EXISTS ${schema}`)
        await work(async (text, values) => (await client.query(text, [...values])).rows as Row[])
        await client.query("COMMIT")
      } catch (error) {
        await writer.discard(client)
        throw error instanceof HoldpointError ? error : explained(error)
      }
    },
    onForeignCommit: (callback) => listener.add(callback),
    async close() {
      await commits
      await Promise.all([listener.close(), writer.close(), reader.close()])
    },
  }
  const listener = await createPostgresListener(config, channel, () => writer.processId()).catch(
    async (error: unknown) => {
      await Promise.all([writer.close(), reader.close()])
      throw explained(error)
    },
  )
  return database
}

interface Connection {
  get(): Promise<pg.Client>
  /** A statement that the server parses once for each connection. */
  prepared(text: string, values: readonly Value[]): pg.QueryConfig
  /** A connection in an unknown state is not used again. */
  discard(client: pg.Client): Promise<void>
  processId(): number | undefined
  close(): Promise<void>
}

/**
 * Every statement here finds its rows by an index. Plans are kept, and one that was made while the tables were small
 * would otherwise read them whole for ever after.
 */
const planning =
  "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET plan_cache_mode = force_generic_plan"

/** One connection, made when it is needed and made again when it broke. */
function createConnection(config: ClientConfig): Connection {
  const names = new Map<string, string>()
  let current: Promise<pg.Client> | undefined
  let processId: number | undefined

  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true } as ClientConfig)
    client.on("error", () => forget(client))
    client.on("end", () => forget(client))
    try {
      await client.connect()
      await client.query(planning)
    } catch (error) {
      current = undefined
      throw explained(error)
    }
    processId = (client as unknown as { processID?: number }).processID
    return client
  }
  const forget = (client: pg.Client): void => {
    void current?.then(
      (known) => {
        if (known !== client) return
        current = undefined
        processId = undefined
      },
      () => {},
    )
  }

  return {
    get: () => (current ??= open()),
    prepared(text, values) {
      const name = names.get(text) ?? `hp${names.size + 1}`
      names.set(text, name)
      return { name, text, values: [...values] }
    },
    async discard(client) {
      current = undefined
      processId = undefined
      await client.end().catch(() => {})
    },
    processId: () => processId,
    async close() {
      const client = await current?.catch(() => undefined)
      await client?.end().catch(() => {})
    },
  }
}

/** Class 08 and 57P are lost connections, 53 is a full server; no code at all is a socket that broke. */
export function explained(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const isStatement = /^[0-9A-Z]{5}$/.test(code) && !/^(08|53|57P)/.test(code)
  if (isStatement || error instanceof HoldpointError) return error
  const words = error instanceof Error ? error.message || code : String(error)
  return new HoldpointError("store_unavailable", `Postgres cannot be reached: ${words}`, { cause: error })
}
