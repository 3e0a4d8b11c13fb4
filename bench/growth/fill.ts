// Very many settled questions, as a long life would have left them: one that was really asked and answered is copied by
// SQL, each copy under an id, a person and a time of its own. No column is named that a copy does not change, so that
// databases of other versions can be filled too.

import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import { answerOne, askOne, personOf } from "../core/question.ts"
import type { StoreLocation } from "../core/store-locations.ts"
import { openHub } from "../core/store-locations.ts"

export interface QuestionCounts {
  readonly settled: number
  readonly open: number
}

type DurableStoreLocation = Exclude<StoreLocation, { engine: "memory" }>
type Run = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** A little less than the retention time of questions, so that none of them is deleted meanwhile. */
const ageMs = 29 * 24 * 60 * 60 * 1_000
const people = 10_000

export async function fill(location: DurableStoreLocation, { settled, open }: QuestionCounts): Promise<void> {
  const { hub, close } = await openHub(location)
  const answered = await askOne(hub, personOf(0))
  await answerOne(hub, answered, personOf(0))
  const unanswered = await askOne(hub, personOf(1))
  await close()
  await (location.engine === "sqlite" ? withSqlite : withPostgres)(location as never, async (run, dialect) => {
    const copy = { run, ...dialect }
    await copyQuestion(copy, { id: answered, person: personOf(0).subject, count: settled })
    await copyQuestion(copy, { id: unanswered, person: personOf(1).subject, count: open })
  })
}

interface CopyParts {
  readonly run: Run
  readonly schema: string
  /** A query with the numbers from 1 to `count` as n, and an expression for a random UUID. */
  readonly numbers: (count: number) => string
  readonly uuid: string
  readonly columnsOf: (table: string) => string
}

async function copyQuestion(
  { run, schema, numbers, uuid, columnsOf }: CopyParts,
  { id, person, count }: { readonly id: string; readonly person: string; readonly count: number },
): Promise<void> {
  const columns = async (table: string): Promise<readonly string[]> =>
    (await run(columnsOf(table))).map(({ name }) => String(name))
  const ago = `(${count} - f.n) * CAST(${Math.floor(ageMs / count)} AS BIGINT)`
  const own = (text: string): string => `replace(${text}, '"${person}"', '"person-' || (f.n % ${people}) || '"')`
  const changed: Readonly<Record<string, string>> = {
    id: "f.id",
    question: own(`replace(t.question, '${id}', f.id)`),
    detail: own("t.detail"),
    addressee: own("t.addressee"),
    created_at: `t.created_at - ${ago}`,
    settled_at: `t.settled_at - ${ago}`,
    at: `t.at - ${ago}`,
    content: "NULL",
  }
  await run(`CREATE TEMPORARY TABLE fresh AS SELECT n, ${uuid} AS id FROM (${numbers(count)}) AS all_numbers`)
  for (const table of ["elicitation", "trail"]) {
    const copied = (await columns(table)).filter((column) => column !== "position")
    await run(`INSERT INTO ${schema}${table} (${copied.join(", ")})
      SELECT ${copied.map((column) => changed[column] ?? `t.${column}`).join(", ")}
      FROM fresh f CROSS JOIN (SELECT * FROM ${schema}${table} WHERE id = '${id}') t ORDER BY f.n`)
  }
  await run("DROP TABLE fresh")
}

type Dialect = Omit<CopyParts, "run">

async function withSqlite(
  { file }: { readonly file: string },
  work: (run: Run, dialect: Dialect) => Promise<void>,
): Promise<void> {
  const database = new DatabaseSync(file)
  // What is filled need not survive a power failure. Indexes grow row by row, as they would have: one that is made at
  // the end has no room left in any page.
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA temp_store = MEMORY")
  database.exec("BEGIN")
  const hex = (bytes: number): string => `lower(hex(randomblob(${bytes})))`
  await work(async (text) => database.prepare(text).all(), {
    schema: "",
    numbers: (count) =>
      `WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count}) SELECT n FROM s`,
    uuid: `${hex(4)} || '-' || ${hex(2)} || '-4' || substr(${hex(2)}, 2) || '-a' || substr(${hex(2)}, 2) || '-' || ${hex(6)}`,
    columnsOf: (table) => `SELECT name FROM pragma_table_info('${table}')`,
  })
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
}

async function withPostgres(
  { url, schema }: { readonly url: string; readonly schema: string },
  work: (run: Run, dialect: Dialect) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '256MB'; BEGIN")
  const isDroppable = `schemaname = '${schema}' AND indexname NOT IN (SELECT conname FROM pg_constraint)`
  const { rows: indexes } = await client.query(`SELECT indexname, indexdef FROM pg_indexes WHERE ${isDroppable}`)
  for (const { indexname } of indexes) await client.query(`DROP INDEX ${schema}.${indexname}`)
  await work(async (text) => (await client.query(text)).rows, {
    schema: `${schema}.`,
    numbers: (count) => `SELECT n FROM generate_series(1, ${count}) AS n`,
    uuid: "CAST(gen_random_uuid() AS TEXT)",
    columnsOf: (table) =>
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = '${schema}' AND table_name = '${table}'`,
  })
  for (const { indexdef } of indexes) await client.query(indexdef)
  await client.query("COMMIT")
  for (const table of ["elicitation", "trail"]) await client.query(`VACUUM ANALYZE ${schema}.${table}`)
  await client.query("CHECKPOINT")
  await client.end()
}
