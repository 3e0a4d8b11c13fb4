// The SQL of Postgres. A statement runs once for all input rows, which are passed as one JSON array; the statements of
// a single write also have a form whose parameters are the members of one row, which the server runs in half the time.

import type { Dialect } from "./database.ts"
import { toStatements } from "./statements.ts"
import { writeNames } from "./writes.ts"

export const dialectOf = (schema: string): Dialect => ({
  schema: `${schema}.`,
  identity: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  clustered: "",
  bytewise: 'COLLATE "C"',
  tableQuery: `SELECT 1 FROM pg_tables WHERE schemaname = '${schema}' AND tablename = $1`,
  reportsEffects: false,
  ordersTenants: true,
  inputSource: "jsonb_array_elements(CAST($1 AS jsonb)) AS r(value)",
  textMember: (member) => `(r.value ->> '${member}')`,
  integerMember: (member) => `CAST(r.value ->> '${member}' AS BIGINT)`,
  // Uses an array, because a join planned while the table is small would keep reading all of its rows.
  amongCondition: (column, json) => `${column} = ANY(ARRAY(SELECT jsonb_array_elements_text(CAST(${json} AS jsonb))))`,
  inCondition: (column, query) => `${column} = ANY(ARRAY(${query}))`,
  items: (json, alias) => `(SELECT jsonb_array_elements_text(CAST(${json} AS jsonb)) AS item) AS ${alias}`,
})

export const singleRowDialectOf = (schema: string): Dialect => ({
  ...dialectOf(schema),
  reportsEffects: true,
  inputSource: "",
  textMember: (member) => `$${member}`,
  integerMember: (member) => `CAST($${member} AS BIGINT)`,
})

/** Returns the form for one row of each statement that a write consists of. */
export function singleRowTextsOf(schema: string): ReadonlyMap<string, string> {
  const [batched, singleRow] = [toStatements(dialectOf(schema)), toStatements(singleRowDialectOf(schema))]
  return new Map(writeNames.map((name) => [batched[name], singleRow[name]]))
}
