// The SQL of records, as data, the same for every kind. Commits never overlap, so one statement can check a condition
// and the next one can rely on it.

import type { Dialect } from "./database.ts"

export type RecordStatements = ReturnType<typeof toRecordStatements>

export function toRecordStatements({ schema, input, text, integer, amongCondition }: Dialect) {
  const fromInput = input === "" ? "" : `FROM ${input}`
  const usingInput = input === "" ? "" : `USING ${input}`
  const table = `${schema}record`
  const wrapping = { version: integer("version"), key_id: text("key_id"), body: text("body") }
  const changing = {
    ...wrapping,
    owner: text("owner"),
    due_at: integer("due_at"),
    expires_at: integer("expires_at"),
  }
  const insertedColumns = { kind: text("kind"), id: text("id"), tenant: text("tenant"), ...changing }
  const isUnchanged = `record.kind = ${text("kind")} AND record.id = ${text("id")} AND record.version = ${integer("before")}`
  /** Returns the same key as `keyOfRow`, because returning one text is cheaper than returning kind and id. */
  const returning = "RETURNING record.kind || ' ' || record.id AS key"
  const ofKind = `SELECT body FROM ${table} WHERE kind = $1`
  const page = "ORDER BY id LIMIT CAST($2 AS BIGINT)"

  return {
    /**
     * Adds the trail entries of the writes that will take effect, because they are based on the stored version. Runs
     * before the writes.
     */
    appendEntries: `${intoTrail({ schema, text, integer })} ${fromInput}
      WHERE (SELECT s.version FROM ${table} s WHERE s.kind = ${text("record_kind")} AND s.id = ${text("record_id")})
        IS NOT DISTINCT FROM ${integer("before")}
      RETURNING position`,

    insert: `INSERT INTO ${table} (${Object.keys(insertedColumns).join(", ")})
      SELECT ${Object.values(insertedColumns).join(", ")} ${fromInput} WHERE true ON CONFLICT DO NOTHING ${returning}`,

    /** Inserts the records that belong to a new question, if the question was stored. */
    insertBeside: `INSERT INTO ${table} (${Object.keys(insertedColumns).join(", ")}) SELECT ${Object.values(insertedColumns).join(", ")}
      FROM ${input === "" ? "" : `${input} CROSS JOIN `}${schema}elicitation e
      WHERE e.id = ${text("question_id")} AND e.stamp = ${text("stamp")} ON CONFLICT DO NOTHING`,

    replace: `UPDATE ${table} SET ${assignments(changing)} ${fromInput} WHERE ${isUnchanged} ${returning}`,

    remove: `DELETE FROM ${table} ${usingInput} WHERE ${isUnchanged} ${returning}`,

    reseal: `UPDATE ${table} SET ${assignments(wrapping)} ${fromInput} WHERE ${isUnchanged} ${returning}`,

    get: `SELECT id, body FROM ${table} WHERE kind = $1 AND ${amongCondition("id", "$2")}`,

    listTenant: `${ofKind} AND id > $3 AND tenant = $4 ${page}`,

    listOwner: `${ofKind} AND id > $3 AND tenant = $4 AND owner = $5 ${page}`,

    listDue: `${ofKind} AND due_at <= $3 AND (due_at, id) > ($4, $5) ORDER BY due_at, id LIMIT CAST($2 AS BIGINT)`,

    listSealed: `SELECT kind, body FROM ${table} WHERE (kind, id) > ($1, $2)
      AND key_id IS NOT NULL AND key_id <> $3 ORDER BY kind, id LIMIT CAST($4 AS BIGINT)`,
  }
}

/** Inserts a trail entry from each input row. */
export function intoTrail({ schema, text, integer }: Pick<Dialect, "schema" | "text" | "integer">): string {
  const columns = {
    ...{ id: text("id"), tenant: text("tenant"), parent: text("parent"), revision: integer("revision") },
    ...{ kind: text("kind"), status: text("status"), at: integer("at"), detail: text("detail") },
  }
  return `INSERT INTO ${schema}trail (${Object.keys(columns).join(", ")}) SELECT ${Object.values(columns).join(", ")}`
}

export const assignments = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([column, value]) => `${column} = ${value}`)
    .join(", ")
