// The migrations of the database: numbered, forward only. A released migration is never edited. docs/storage.md
// describes every column.

import { HoldpointError } from "../core/error.ts"
import type { Database, Dialect, Sql } from "./database.ts"

export type Migration = (dialect: Dialect) => readonly string[]

// Every index costs a page in every commit, so one index serves deadlines and both kinds of retention: 0 is open, 1
// settled with content, 2 settled without.
export const phase = "CASE WHEN settled_at IS NULL THEN 0 WHEN content IS NOT NULL THEN 1 ELSE 2 END"
export const phaseAt = "COALESCE(settled_at, expires_at)"

/**
 * The condition that a question is open. Written so that only the list of a tenant uses the index with this condition:
 * with `settled_at IS NULL`, Postgres would also plan that index for the questions of one person while the database is
 * empty, and later read all questions of the tenant.
 */
export const isWaiting = "COALESCE(settled_at, -2) = -2"

const first: Migration = ({ schema, identity, clustered, bytewise, ordersTenants }) => [
  `CREATE TABLE ${schema}elicitation (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    parent TEXT,
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
    said TEXT,
    content TEXT,
    read_at BIGINT,
    stamp TEXT NOT NULL
  )`,
  `CREATE UNIQUE INDEX elicitation_claim ON ${schema}elicitation (claim) WHERE claim IS NOT NULL`,
  `CREATE INDEX elicitation_open ON ${schema}elicitation (tenant, addressee, created_at, id) WHERE settled_at IS NULL`,
  ...(ordersTenants
    ? [`CREATE INDEX elicitation_waiting ON ${schema}elicitation (tenant, created_at, id) WHERE ${isWaiting}`]
    : []),
  `CREATE INDEX elicitation_past ON ${schema}elicitation (tenant, addressee, created_at, id) WHERE settled_at IS NOT NULL`,
  `CREATE INDEX elicitation_parent ON ${schema}elicitation (tenant, parent, created_at, id) WHERE parent IS NOT NULL`,
  `CREATE INDEX elicitation_when ON ${schema}elicitation ((${phase}), (${phaseAt}))`,
  `CREATE TABLE ${schema}addressee (
    id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    who TEXT NOT NULL,
    is_open BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant, who, id)
  )${clustered}`,
  `CREATE INDEX addressee_id ON ${schema}addressee (id)`,
  `CREATE INDEX addressee_open ON ${schema}addressee (tenant, who) WHERE is_open = 1`,
  `CREATE TABLE ${schema}trail (
    position ${identity},
    id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    parent TEXT,
    revision BIGINT,
    kind TEXT NOT NULL,
    status TEXT,
    at BIGINT NOT NULL,
    detail TEXT NOT NULL
  )`,
  `CREATE INDEX trail_id ON ${schema}trail (id, position)`,
  `CREATE INDEX trail_parent ON ${schema}trail (parent, position) WHERE parent IS NOT NULL`,
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
  `CREATE INDEX record_owner ON ${schema}record (kind, tenant, owner, id) WHERE owner IS NOT NULL`,
  `CREATE INDEX record_due ON ${schema}record (kind, due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX record_expiry ON ${schema}record (expires_at) WHERE expires_at IS NOT NULL`,
]

export const migrations: readonly Migration[] = [first]

/**
 * Makes each of the steps that the database has not had yet, all in one transaction. Several processes may call this at
 * once. Refuses a newer database.
 */
export async function migrate(database: Database, steps = migrations): Promise<void> {
  const { schema, tableQuery } = database.dialect
  await database.runExclusively(async (sql) => {
    const hasMigrationTable = (await sql(tableQuery, ["migration"])).length > 0
    if (!hasMigrationTable) await sql(`CREATE TABLE ${schema}migration (version BIGINT PRIMARY KEY)`, [])
    const version = await versionOf(sql, schema)
    if (version > steps.length) throw tooNew(version, steps.length)
    for (const [index, step] of steps.entries()) {
      if (index < version) continue
      for (const text of step(database.dialect)) await sql(text, [])
      await sql(`INSERT INTO ${schema}migration (version) VALUES ($1)`, [index + 1])
    }
  })
}

/** Rejects with `schema_too_new` when a newer program has migrated the database by more than one step. */
export async function assertUsable(database: Pick<Database, "dialect" | "query">): Promise<void> {
  const version = await versionOf(database.query, database.dialect.schema)
  if (version > migrations.length + 1) throw tooNew(version, migrations.length)
}

async function versionOf(sql: Sql, schema: string): Promise<number> {
  const rows = await sql(`SELECT MAX(version) AS version FROM ${schema}migration`, [])
  return Number(rows[0]?.version ?? 0)
}

function tooNew(version: number, known: number): HoldpointError {
  return new HoldpointError(
    "schema_too_new",
    `This database was written by a newer Holdpoint (schema ${version}; this program knows ${known}). ` +
      "Nothing was changed. Run the newer program, or point this one at another database.",
  )
}
