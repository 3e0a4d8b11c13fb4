// Databases of older versions: the released migrations up to one of them, and rows of that time.

import { DatabaseSync } from "node:sqlite"
import type { Elicitation } from "../../src/index.ts"
import type { Dialect, InputRow, Value } from "../../src/stores/database.ts"
import { migrations } from "../../src/stores/migrations.ts"
import { asked, bob, carol } from "../fixtures.ts"
import * as made from "../records.ts"
import { runSql } from "./engines.ts"

/** The parts of the table definitions as released, not taken from the current program. */
type Shape = Pick<Dialect, "schema" | "identity" | "clustered" | "bytewise" | "ordersTenants" | "member">

const shapes = {
  sqlite: {
    ...{ schema: "", identity: "INTEGER PRIMARY KEY", clustered: " WITHOUT ROWID", bytewise: "COLLATE BINARY" },
    ordersTenants: false,
    member: (column: string, member: string): string => `${column} ->> '${member}'`,
  },
  postgres: {
    ...{ identity: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", clustered: "", bytewise: 'COLLATE "C"' },
    ordersTenants: true,
    member: (column: string, member: string): string => `CAST(${column} AS jsonb) ->> '${member}'`,
  },
}

/** The last migration in which every kind of record had its own table. */
const lastOfTables = 4

/** One record of each kind as stored until the fourth migration, with its owner and due time. */
export const oldRecords = () => {
  const [connection, flow, signIn, session] = [made.connection(), made.flow(), made.signIn(), made.session()]
  const [dataKey, revocation, call, clientSession] = [
    made.dataKey(),
    made.revocation(),
    made.call(),
    made.clientSession(),
  ]
  const [artifact, loose, preference] = [made.artifact(), made.artifact({ group: "" }), made.preference()]
  const person = JSON.stringify(["person", "https://id.example", "alice"])
  const filed = [
    { since: 2, table: "connection", record: connection, owner: person, dueAt: null },
    { since: 2, table: "flow", record: flow, owner: flow.elicitation, dueAt: flow.dueAt },
    { since: 2, table: "sign_in", record: signIn, owner: "", dueAt: signIn.expiresAt },
    { since: 2, table: "session", record: session, owner: person, dueAt: session.expiresAt },
    { since: 2, table: "data_key", record: dataKey, owner: "answers", dueAt: null },
    { since: 2, table: "revocation", record: revocation, owner: person, dueAt: revocation.dueAt },
    { since: 3, table: "call", record: call, owner: call.owner, dueAt: call.expiresAt },
    { since: 3, table: "client_session", record: clientSession, owner: "", dueAt: clientSession.expiresAt },
    { since: 3, table: "artifact", record: artifact, owner: "grant 1", dueAt: artifact.expiresAt ?? null },
    { since: 3, table: "artifact", record: loose, owner: "", dueAt: loose.expiresAt ?? null },
    { since: 4, table: "preference", record: preference, owner: person, dueAt: null },
  ] as const
  return filed
}

export type OldRecords = ReturnType<typeof oldRecords>

const questionOf = ({ status, revision, holders, expiresAt, settledAt, ...question }: Elicitation): InputRow => ({
  ...{ id: question.id, tenant: question.tenant },
  addressee: question.audience.kind === "one" ? '["https://id.example","alice"]' : null,
  ...{ question: JSON.stringify(question), status, revision, holders, created_at: question.createdAt },
  ...{ expires_at: expiresAt, settled_at: settledAt ?? null, stamp: "s" },
})

function rowsOf(
  version: number,
  { question, settled, shared, records }: OldDatabase,
): readonly (readonly [string, InputRow])[] {
  const { id, tenant, revision, status } = question
  return [
    ["elicitation", questionOf(question)],
    ["elicitation", questionOf(settled)],
    ...shared.flatMap((one): [string, InputRow][] => [
      ["elicitation", questionOf(one)],
      ...["bob", "carol"].map((name): [string, InputRow] => {
        const who = JSON.stringify(["https://id.example", name])
        return ["addressee", { id: one.id, tenant: one.tenant, who }]
      }),
    ]),
    ["tally", { tenant, who: "", pending: 1 }],
    ["trail", { id, tenant, revision, kind: "asked", status, at: 0, detail: "{}" }],
    ...records
      .filter(({ since }) => since <= version)
      .map(({ table, record, owner, dueAt }): [string, InputRow] => {
        const { id, tenant, version, sealed } = record as typeof record & { sealed?: { keyId: string } }
        const key_id = sealed?.keyId ?? null
        return [table, { id, tenant, owner, version, due_at: dueAt, key_id, body: JSON.stringify(record) }]
      }),
  ]
}

function scriptOf(shape: Shape, version: number, rows: readonly (readonly [string, InputRow])[]): string {
  const { schema } = shape
  const steps = migrations
    .slice(0, version)
    .map((migration, index) => [
      ...migration(shape as Dialect),
      `INSERT INTO ${schema}migration (version) VALUES (${index + 1})`,
    ])
  const written = rows.map(
    ([table, row]) =>
      `INSERT INTO ${schema}${table} (${Object.keys(row).join(", ")}) VALUES (${Object.values(row).map(literal).join(", ")})`,
  )
  // Later migrations convert the rows of that time.
  const [before, after] = [steps.slice(0, lastOfTables).flat(), steps.slice(lastOfTables).flat()]
  return [`CREATE TABLE ${schema}migration (version BIGINT PRIMARY KEY)`, ...before, ...written, ...after].join(";\n")
}

const literal = (value: Value): string =>
  value === null ? "NULL" : typeof value === "number" ? `${value}` : `'${value.replaceAll("'", "''")}'`

export interface OldDatabase {
  readonly question: Elicitation
  /** A settled question that the same person was asked before. */
  readonly settled: Elicitation
  /** Questions of another tenant to two people: one is open, the other settled. */
  readonly shared: readonly Elicitation[]
  readonly records: OldRecords
}

function oldDatabase(): OldDatabase {
  const question = { ...asked(), parent: "call 1" }
  const createdAt = question.createdAt - 1
  const ended = { status: "declined", revision: 2, holders: 0, settledAt: createdAt } as const
  const audience = { kind: "any", principals: [bob, carol].map((one) => ({ ...one, tenant: "globex" })) } as const
  const toBoth = { ...asked(), id: "to both", tenant: "globex", audience }
  const shared = [toBoth, { ...toBoth, id: "to both before", ...ended }]
  return { question, settled: { ...asked(), id: "an older one", createdAt, ...ended }, shared, records: oldRecords() }
}

export function makeOldSqlite(path: string, version: number): OldDatabase {
  const old = oldDatabase()
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA application_id = ${0x484f4c44}`)
  database.exec(scriptOf(shapes.sqlite, version, rowsOf(version, old)))
  database.close()
  return old
}

export async function makeOldPostgres(schema: string, version: number): Promise<OldDatabase> {
  const old = oldDatabase()
  await runSql(`CREATE SCHEMA ${schema}`)
  const shape = { ...shapes.postgres, schema: `${schema}.` }
  await runSql(scriptOf(shape, version, rowsOf(version, old)))
  return old
}
