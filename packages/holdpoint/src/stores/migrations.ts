// The migrations of the database: numbered, forward only. A released migration is never edited. docs/storage.md
// describes every column.

import { HoldpointError } from "../core/error.ts"
import type { Database, Dialect, Sql } from "./database.ts"

type Migration = (dialect: Dialect) => readonly string[]

// Every index costs a page in every commit, so one index serves deadlines and both kinds of retention: 0 is open, 1
// settled with content, 2 settled without.
export const phase = "CASE WHEN settled_at IS NULL THEN 0 WHEN content IS NOT NULL THEN 1 ELSE 2 END"
export const phaseAt = "COALESCE(settled_at, expires_at)"

const first: Migration = ({ schema, identity, clustered }) => [
  `CREATE TABLE ${schema}elicitation (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    claim TEXT,
    addressee TEXT,
    question TEXT NOT NULL,
    status TEXT NOT NULL,
    revision BIGINT NOT NULL,
    holders BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    opened_at BIGINT,
    verified_at BIGINT,
    accepted_at BIGINT,
    settled_at BIGINT,
    answered_by TEXT,
    answered_via TEXT,
    reason TEXT,
    content TEXT,
    read_at BIGINT,
    stamp TEXT NOT NULL
  )`,
  `CREATE UNIQUE INDEX elicitation_claim ON ${schema}elicitation (claim) WHERE claim IS NOT NULL`,
  `CREATE INDEX elicitation_who ON ${schema}elicitation (tenant, addressee, settled_at, created_at, id)`,
  `CREATE INDEX elicitation_when ON ${schema}elicitation ((${phase}), (${phaseAt}))`,
  `CREATE TABLE ${schema}addressee (
    id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    who TEXT NOT NULL,
    PRIMARY KEY (tenant, who, id)
  )${clustered}`,
  `CREATE TABLE ${schema}tally (
    tenant TEXT NOT NULL,
    who TEXT NOT NULL,
    pending BIGINT NOT NULL,
    PRIMARY KEY (tenant, who)
  )${clustered}`,
  `CREATE TABLE ${schema}trail (
    position ${identity},
    id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    revision BIGINT,
    kind TEXT NOT NULL,
    status TEXT,
    at BIGINT NOT NULL,
    detail TEXT NOT NULL
  )`,
  `CREATE INDEX trail_id ON ${schema}trail (id, position)`,
]

/** A table of records and its indexes: by owner, by due time. */
type RecordTable = readonly [table: string, ...indexes: readonly ("owner" | "due")[]]

/** Creates record tables as before the fifth migration. Never change this function: released migrations use it. */
const withRecordTables =
  (tables: readonly RecordTable[]): Migration =>
  ({ schema, bytewise }) =>
    tables.flatMap(([table, ...indexes]) => [
      `CREATE TABLE ${schema}${table} (
      id TEXT ${bytewise} PRIMARY KEY,
      tenant TEXT NOT NULL,
      owner TEXT NOT NULL,
      version BIGINT NOT NULL,
      due_at BIGINT,
      key_id TEXT,
      body TEXT NOT NULL
    )`,
      ...indexes.map((index) =>
        index === "owner"
          ? `CREATE INDEX ${table}_owner ON ${schema}${table} (tenant, owner, id)`
          : `CREATE INDEX ${table}_due ON ${schema}${table} (due_at) WHERE due_at IS NOT NULL`,
      ),
    ])

const second = withRecordTables([
  ["connection", "owner"],
  ["flow", "owner", "due"],
  ["sign_in", "due"],
  ["session", "owner", "due"],
  ["data_key", "owner"],
  ["revocation", "due"],
])

const third = withRecordTables([
  ["call", "due"],
  ["client_session", "due"],
  ["artifact", "owner", "due"],
])

const fourth = withRecordTables([["preference", "owner"]])

/** How the fifth migration converts each old table, whose `due_at` was either a due time or an expiry. */
const oldTables: Readonly<Record<string, readonly [owner: string, dueAt: string, expiresAt: string]>> = {
  connection: ["owner", "NULL", "NULL"],
  flow: ["owner", "due_at", "NULL"],
  sign_in: ["NULL", "NULL", "due_at"],
  session: ["owner", "due_at", "NULL"],
  data_key: ["owner", "NULL", "NULL"],
  revocation: ["NULL", "due_at", "NULL"],
  call: ["NULL", "NULL", "due_at"],
  client_session: ["NULL", "NULL", "due_at"],
  artifact: ["NULLIF(owner, '')", "NULL", "due_at"],
  preference: ["owner", "NULL", "NULL"],
}

const fifth: Migration = ({ schema, bytewise }) => [
  `CREATE TABLE ${schema}record (
    kind TEXT ${bytewise} NOT NULL,
    id TEXT ${bytewise} NOT NULL,
    tenant TEXT NOT NULL,
    owner TEXT,
    version BIGINT NOT NULL,
    due_at BIGINT,
    expires_at BIGINT,
    key_id TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  )`,
  ...Object.entries(oldTables).flatMap(([table, [owner, dueAt, expiresAt]]) => [
    `INSERT INTO ${schema}record (kind, id, tenant, owner, version, due_at, expires_at, key_id, body)
      SELECT '${table}', id, tenant, ${owner}, version, CAST(${dueAt} AS BIGINT), CAST(${expiresAt} AS BIGINT), key_id, body
      FROM ${schema}${table}`,
    `DROP TABLE ${schema}${table}`,
  ]),
  `CREATE INDEX record_owner ON ${schema}record (kind, tenant, owner, id) WHERE owner IS NOT NULL`,
  `CREATE INDEX record_due ON ${schema}record (kind, due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX record_expiry ON ${schema}record (expires_at) WHERE expires_at IS NOT NULL`,
]

const sixth: Migration = ({ schema, member }) => [
  `ALTER TABLE ${schema}elicitation ADD COLUMN parent TEXT`,
  `UPDATE ${schema}elicitation SET parent = ${member("question", "parent")} WHERE question LIKE '%"parent":%'`,
  `CREATE INDEX elicitation_parent ON ${schema}elicitation (tenant, parent, created_at, id) WHERE parent IS NOT NULL`,
  `ALTER TABLE ${schema}trail ADD COLUMN parent TEXT`,
  `UPDATE ${schema}trail SET parent = (SELECT e.parent FROM ${schema}elicitation e WHERE e.id = trail.id)
    WHERE id IN (SELECT e.id FROM ${schema}elicitation e WHERE e.parent IS NOT NULL)`,
  `CREATE INDEX trail_parent ON ${schema}trail (parent, position) WHERE parent IS NOT NULL`,
]

/** Adds indexes of open questions, so that a query for them never reads settled ones. */
const seventh: Migration = ({ schema }) => [
  `DROP INDEX ${schema}elicitation_who`,
  `CREATE INDEX elicitation_open ON ${schema}elicitation (tenant, addressee, created_at, id) WHERE settled_at IS NULL`,
  `CREATE INDEX elicitation_waiting ON ${schema}elicitation (tenant, created_at, id) WHERE settled_at IS NULL`,
  `CREATE INDEX elicitation_past ON ${schema}elicitation (tenant, addressee, created_at, id) WHERE settled_at IS NOT NULL`,
  `CREATE INDEX addressee_id ON ${schema}addressee (id)`,
]

/** Adds the column that stores whether a confirmation was answered with Yes or No. */
const eighth: Migration = ({ schema }) => [`ALTER TABLE ${schema}elicitation ADD COLUMN said TEXT`]

/**
 * The condition that a question is open. Written so that only the list of a tenant uses the index with this condition:
 * with `settled_at IS NULL`, Postgres would also plan that index for the questions of one person while the database is
 * empty, and later read all questions of the tenant.
 */
export const isWaiting = "COALESCE(settled_at, -2) = -2"

/** Counts open questions in the indexes that find them, instead of in counter rows that change with each question. */
const ninth: Migration = ({ schema, ordersTenants }) => [
  `DROP TABLE ${schema}tally`,
  `DROP INDEX ${schema}elicitation_waiting`,
  ...(ordersTenants
    ? [`CREATE INDEX elicitation_waiting ON ${schema}elicitation (tenant, created_at, id) WHERE ${isWaiting}`]
    : []),
  `ALTER TABLE ${schema}addressee ADD COLUMN is_open BIGINT NOT NULL DEFAULT 1`,
  `UPDATE ${schema}addressee SET is_open = 0
    WHERE id IN (SELECT e.id FROM ${schema}elicitation e WHERE e.settled_at IS NOT NULL)`,
  `CREATE INDEX addressee_open ON ${schema}addressee (tenant, who) WHERE is_open = 1`,
]

export const migrations: readonly Migration[] = [first, second, third, fourth, fifth, sixth, seventh, eighth, ninth]

/**
 * Migrates the database to the version of this program. Several processes may call this at once. Refuses a newer
 * database.
 */
export async function migrate(database: Database): Promise<void> {
  const { schema, tableQuery } = database.dialect
  await database.runExclusively(async (sql) => {
    const hasMigrationTable = (await sql(tableQuery, ["migration"])).length > 0
    if (!hasMigrationTable) await sql(`CREATE TABLE ${schema}migration (version BIGINT PRIMARY KEY)`, [])
    const version = await versionOf(sql, schema)
    if (version > migrations.length) throw tooNew(version)
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue
      for (const text of migration(database.dialect)) await sql(text, [])
      await sql(`INSERT INTO ${schema}migration (version) VALUES ($1)`, [index + 1])
    }
  })
}

/** Rejects with `schema_too_new` when a newer program has migrated the database by more than one step. */
export async function assertUsable(database: Pick<Database, "dialect" | "query">): Promise<void> {
  const version = await versionOf(database.query, database.dialect.schema)
  if (version > migrations.length + 1) throw tooNew(version)
}

async function versionOf(sql: Sql, schema: string): Promise<number> {
  const rows = await sql(`SELECT MAX(version) AS version FROM ${schema}migration`, [])
  return Number(rows[0]?.version ?? 0)
}

function tooNew(version: number): HoldpointError {
  return new HoldpointError(
    "schema_too_new",
    `This database was written by a newer Holdpoint (schema ${version}; this program knows ${migrations.length}). ` +
      "Nothing was changed. Run the newer program, or point this one at another database.",
  )
}
