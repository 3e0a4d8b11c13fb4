// The SQL of records, as data: the same for every table of them. Commits never overlap, so what a write depends on can be
// looked at by one statement and acted upon by the next.

import type { Dialect } from "./database.ts"

export const recordTables = [
  "connection",
  "flow",
  "sign_in",
  "session",
  "data_key",
  "revocation",
  "call",
  "client_session",
  "artifact",
  "preference",
] as const

export type RecordTable = (typeof recordTables)[number]

export type RecordStatements = ReturnType<typeof toRecordStatements>

export function toRecordStatements({ schema, input, text, integer, items }: Dialect, table: RecordTable) {
  const fromInput = input === "" ? "" : `FROM ${input}`
  const usingInput = input === "" ? "" : `USING ${input}`
  const stored = `${schema}${table}`
  const changing = {
    owner: text("owner"),
    version: integer("version"),
    due_at: integer("due_at"),
    key_id: text("key_id"),
    body: text("body"),
  }
  const all = { id: text("id"), tenant: text("tenant"), ...changing }
  const assignments = Object.entries(changing).map(([column, value]) => `${column} = ${value}`)
  const isUnchanged = `${table}.id = ${text("id")} AND ${table}.version = ${integer("before")}`
  const page = "ORDER BY id LIMIT CAST($1 AS BIGINT)"

  return {
    /** Before the writes themselves: of those that will win, because what is stored is what they were made from. */
    tell: `INSERT INTO ${schema}trail (id, tenant, revision, kind, status, at, detail)
      SELECT ${text("id")}, ${text("tenant")}, ${integer("revision")}, ${text("kind")}, ${text("status")},
        ${integer("at")}, ${text("detail")}
      ${fromInput}
      WHERE (SELECT s.version FROM ${stored} s WHERE s.id = ${text("record")}) IS NOT DISTINCT FROM ${integer("before")}
      RETURNING position`,

    insert: `INSERT INTO ${stored} (${Object.keys(all).join(", ")})
      SELECT ${Object.values(all).join(", ")} ${fromInput} WHERE true ON CONFLICT DO NOTHING RETURNING id`,

    replace: `UPDATE ${stored} SET ${assignments.join(", ")} ${fromInput}
      WHERE ${isUnchanged} RETURNING ${table}.id AS id`,

    remove: `DELETE FROM ${stored} ${usingInput} WHERE ${isUnchanged} RETURNING ${table}.id AS id`,

    get: `SELECT id, body FROM ${stored} WHERE id IN (SELECT item FROM ${items("$1", "i")})`,

    listTenant: `SELECT body FROM ${stored} WHERE id > $2 AND tenant = $3 ${page}`,

    listOwner: `SELECT body FROM ${stored} WHERE id > $2 AND tenant = $3 AND owner = $4 ${page}`,

    listNotSealedWith: `SELECT body FROM ${stored} WHERE id > $2 AND key_id IS NOT NULL AND key_id <> $3 ${page}`,

    listDue: `SELECT body FROM ${stored} WHERE due_at <= $2 ORDER BY due_at, id LIMIT CAST($1 AS BIGINT)`,
  }
}
