// The SQL, as data. Every write takes one JSON array, so that one statement serves one write or five hundred; writes
// that must not happen when a compare-and-set lost are joined to the stamp that only the winner has left.

import type { Dialect } from "./database.ts"

export type Statements = ReturnType<typeof toStatements>

export function toStatements({ schema, rows, nestedRows }: Dialect) {
  const text = (name: string): string => `r.value ->> '${name}'`
  const int = (name: string): string => `CAST(r.value ->> '${name}' AS BIGINT)`
  const winner = `JOIN ${schema}elicitation e ON e.id = ${text("id")} AND e.stamp = ${text("stamp")}`
  const progress = {
    status: text("status"),
    revision: int("revision"),
    holders: int("holders"),
    expires_at: int("expires_at"),
    opened_at: int("opened_at"),
    verified_at: int("verified_at"),
    accepted_at: int("accepted_at"),
    settled_at: int("settled_at"),
    answered_by: text("answered_by"),
    answered_via: text("answered_via"),
    reason: text("reason"),
    content: text("content"),
    stamp: text("stamp"),
  }
  const question = {
    id: text("id"),
    tenant: text("tenant"),
    claim: text("claim"),
    addressee: text("addressee"),
    question: text("question"),
    created_at: int("created_at"),
  }
  const inserted = { ...question, ...progress }
  const columns = Object.keys(inserted)
    .map((name) => `e.${name}`)
    .join(", ")
  const page = `ORDER BY e.created_at, e.id LIMIT CAST($4 AS BIGINT)`
  const keyset = `(CAST($2 AS BIGINT) IS NULL OR e.created_at > CAST($2 AS BIGINT)
      OR (e.created_at = CAST($2 AS BIGINT) AND e.id > CAST($3 AS TEXT)))`
  const states = {
    open: "AND e.settled_at IS NULL",
    settled: "AND e.settled_at IS NOT NULL",
    all: "",
  }

  return {
    insert: `INSERT INTO ${schema}elicitation (${Object.keys(inserted).join(", ")})
      SELECT ${Object.values(inserted).join(", ")} FROM ${rows("$1", "r")}
      WHERE NOT EXISTS (
        SELECT 1 FROM ${nestedRows("r.value", "slots", "s")}
        LEFT JOIN ${schema}tally t ON t.tenant = ${text("tenant")} AND t.who = s.value ->> 'who'
        WHERE COALESCE(t.pending, 0) + CAST(s.value ->> 'ahead' AS BIGINT) >= CAST(s.value ->> 'most' AS BIGINT))
      ON CONFLICT DO NOTHING RETURNING id`,

    address: `INSERT INTO ${schema}addressee (id, tenant, who)
      SELECT ${text("id")}, ${text("tenant")}, s.value ->> 'who'
      FROM ${rows("$1", "r")} ${winner} CROSS JOIN ${nestedRows("r.value", "addressees", "s")}
      WHERE true ON CONFLICT DO NOTHING`,

    replace: `UPDATE ${schema}elicitation SET ${assignments(progress)},
      claim = CASE WHEN ${int("frees_claim")} = 1 THEN NULL ELSE claim END
      FROM ${rows("$1", "r")}
      WHERE elicitation.id = ${text("id")} AND elicitation.revision = ${int("before")} RETURNING elicitation.id AS id`,

    count: `INSERT INTO ${schema}tally (tenant, who, pending)
      SELECT ${text("tenant")}, s.value ->> 'who', CAST(SUM(${int("change")}) AS BIGINT)
      FROM ${rows("$1", "r")} ${winner} CROSS JOIN ${nestedRows("r.value", "slots", "s")}
      WHERE true GROUP BY 1, 2
      ON CONFLICT (tenant, who) DO UPDATE SET pending = tally.pending + excluded.pending`,

    record: `INSERT INTO ${schema}trail (id, tenant, revision, kind, status, at, detail)
      SELECT ${text("id")}, ${text("tenant")}, ${int("revision")}, ${text("kind")}, ${text("status")}, ${int("at")}, ${text("detail")}
      FROM ${rows("$1", "r")}
      LEFT JOIN ${schema}elicitation e ON e.id = ${text("id")} AND e.stamp = ${text("stamp")}
      WHERE ${text("stamp")} IS NULL OR e.id IS NOT NULL
      ORDER BY ${int("index")} RETURNING position`,

    noteRead: `UPDATE ${schema}elicitation SET read_at = COALESCE(read_at, ${int("at")})
      FROM ${rows("$1", "r")} WHERE elicitation.id = ${text("id")}`,

    get: `SELECT ${columns} FROM ${rows("$1", "r")} JOIN ${schema}elicitation e ON e.id = ${text("id")}`,

    claimed: `SELECT ${columns} FROM ${schema}elicitation e WHERE e.claim = $1`,

    tally: `SELECT who, pending FROM ${schema}tally WHERE tenant = $1 AND who IN (SELECT ${text("who")} FROM ${rows("$2", "r")})`,

    listTenant: (state: keyof typeof states): string =>
      `SELECT ${columns} FROM ${schema}elicitation e WHERE e.tenant = $1 AND ${keyset} ${states[state]} ${page}`,

    listAddressee: (state: keyof typeof states): string => `SELECT ${columns} FROM (
        SELECT id FROM ${schema}elicitation e
        WHERE e.tenant = $1 AND e.addressee IN (SELECT ${text("who")} FROM ${rows("$5", "r")}) AND ${keyset} ${states[state]}
        UNION SELECT a.id FROM ${schema}addressee a JOIN ${schema}elicitation e ON e.id = a.id
        WHERE a.tenant = $1 AND a.who IN (SELECT ${text("who")} FROM ${rows("$5", "r")}) AND ${keyset} ${states[state]}
      ) found JOIN ${schema}elicitation e ON e.id = found.id ${page}`,

    due: `SELECT ${columns} FROM ${schema}elicitation e WHERE e.settled_at IS NULL AND e.expires_at <= $1
      ORDER BY e.expires_at LIMIT CAST($2 AS BIGINT)`,

    nextDue: `SELECT MIN(expires_at) AS next FROM ${schema}elicitation WHERE settled_at IS NULL AND expires_at > $1`,

    trail: (by: "id" | "tenant" | "all"): string => `SELECT position, id, tenant, revision, kind, status, at, detail
      FROM ${schema}trail WHERE ${by === "all" ? "CAST($1 AS TEXT) IS NULL" : `${by} = $1`} AND position > CAST($2 AS BIGINT)
      AND (CAST($3 AS BIGINT) IS NULL OR revision > CAST($3 AS BIGINT)) ORDER BY position LIMIT CAST($4 AS BIGINT)`,

    trailEnd: `SELECT MAX(position) AS position FROM ${schema}trail`,

    forgetContent: `UPDATE ${schema}elicitation SET content = NULL
      WHERE content IS NOT NULL AND settled_at IS NOT NULL AND (settled_at < $1 OR read_at < $2) RETURNING id`,
    forgetAddressees: `DELETE FROM ${schema}addressee WHERE id IN (
      SELECT id FROM ${schema}elicitation WHERE settled_at IS NOT NULL AND settled_at < $1)`,
    forgetRecords: `DELETE FROM ${schema}elicitation WHERE settled_at IS NOT NULL AND settled_at < $1 RETURNING id`,
    forgetTallies: `DELETE FROM ${schema}tally WHERE pending <= 0`,
  }
}

const assignments = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([column, value]) => `${column} = ${value}`)
    .join(", ")
