// The SQL of records, as data, the same for every kind. Commits never overlap, so one statement can check a condition
// and the next one can rely on it.

import type { Dialect } from "./database.ts"

export type RecordStatements = ReturnType<typeof toRecordStatements>

export function toRecordStatements({ schema, inputSource, textMember, integerMember, amongCondition }: Dialect) {
  const fromInput = inputSource === "" ? "" : `FROM ${inputSource}`
  const usingInput = inputSource === "" ? "" : `USING ${inputSource}`
  const table = `${schema}record`
  const wrapping = { version: integerMember("version"), key_id: textMember("key_id"), body: textMember("body") }
  const changing = {
    ...wrapping,
    owner: textMember("owner"),
    due_at: integerMember("due_at"),
    expires_at: integerMember("expires_at"),
  }
  const insertedColumns = { kind: textMember("kind"), id: textMember("id"), tenant: textMember("tenant"), ...changing }
  const isUnchanged = `record.kind = ${textMember("kind")} AND record.id = ${textMember("id")} AND record.version = ${integerMember("before")}`
  /** Returns the same key as `keyOfRow`, because returning one text is cheaper than returning kind and id. */
  const returning = "RETURNING record.kind || ' ' || record.id AS key"
  const ofKind = `SELECT body FROM ${table} WHERE kind = $1`
  const page = "ORDER BY id LIMIT CAST($2 AS BIGINT)"

  return {
    /**
     * Adds the trail entries of the writes that will take effect, because they are based on the stored version. Runs
     * before the writes.
     */
    appendEntries: `${intoTrail({ schema, textMember, integerMember })} ${fromInput}
      WHERE (SELECT s.version FROM ${table} s WHERE s.kind = ${textMember("record_kind")} AND s.id = ${textMember("record_id")})
        IS NOT DISTINCT FROM ${integerMember("before")}
      RETURNING position`,

    insert: `INSERT INTO ${table} (${Object.keys(insertedColumns).join(", ")})
      SELECT ${Object.values(insertedColumns).join(", ")} ${fromInput} WHERE true ON CONFLICT DO NOTHING ${returning}`,

    /** Inserts the records that belong to a new question, if the question was stored. */
    insertBeside: `INSERT INTO ${table} (${Object.keys(insertedColumns).join(", ")}) SELECT ${Object.values(insertedColumns).join(", ")}
      FROM ${inputSource === "" ? "" : `${inputSource} CROSS JOIN `}${schema}elicitation e
      WHERE e.id = ${textMember("question_id")} AND e.stamp = ${textMember("stamp")} ON CONFLICT DO NOTHING`,

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
export function intoTrail({
  schema,
  textMember,
  integerMember,
}: Pick<Dialect, "schema" | "textMember" | "integerMember">): string {
  const columns = {
    ...{
      id: textMember("id"),
      tenant: textMember("tenant"),
      parent: textMember("parent"),
      revision: integerMember("revision"),
    },
    ...{
      kind: textMember("kind"),
      status: textMember("status"),
      at: integerMember("at"),
      detail: textMember("detail"),
    },
  }
  return `INSERT INTO ${schema}trail (${Object.keys(columns).join(", ")}) SELECT ${Object.values(columns).join(", ")}`
}

export const assignments = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([column, value]) => `${column} = ${value}`)
    .join(", ")
