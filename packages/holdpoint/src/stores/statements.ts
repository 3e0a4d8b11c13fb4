// The SQL, as data. Every write takes input rows, so that one statement serves one write or five hundred; what must not
// happen when a compare-and-set lost is joined to the stamp that only the winner has left.

import type { ListQuery } from "../ports/store.ts"
import type { Dialect } from "./database.ts"
import { phase, phaseAt } from "./migrations.ts"
import { assignments, intoTrail, toRecordStatements } from "./record-statements.ts"

/** What is forgotten in one commit, so that nobody has to wait long for it. */
export const forgetPage = 1_000

type Listing = Required<Pick<ListQuery, "state" | "order">>

export type Statements = ReturnType<typeof toStatements>

export function toStatements(dialect: Dialect) {
  const { schema, isWatched, input, text, integer, items } = dialect
  const fromInput = input === "" ? "" : `FROM ${input}`
  const fromInputAnd = (table: string): string => `FROM ${input === "" ? "" : `${input} CROSS JOIN `}${table}`
  const returning = (column: string): string => (isWatched ? "" : `RETURNING ${column}`)
  const fromWinner = isWatched
    ? "WHERE true"
    : `${fromInputAnd(`${schema}elicitation e`)} WHERE e.id = ${text("id")} AND e.stamp = ${text("stamp")}`
  const ifWon = isWatched
    ? ""
    : `WHERE ${text("stamp")} IS NULL
        OR (SELECT e.stamp FROM ${schema}elicitation e WHERE e.id = ${text("id")}) = ${text("stamp")}`
  const progress = {
    status: text("status"),
    revision: integer("revision"),
    holders: integer("holders"),
    expires_at: integer("expires_at"),
    opened_at: integer("opened_at"),
    verified_at: integer("verified_at"),
    accepted_at: integer("accepted_at"),
    settled_at: integer("settled_at"),
    answered_by: text("answered_by"),
    answered_via: text("answered_via"),
    reason: text("reason"),
    content: text("content"),
    stamp: text("stamp"),
  }
  // What a new elicitation has: the rest of its progress is null.
  const { status, revision, holders, expires_at, stamp } = progress
  const inserted = {
    id: text("id"),
    tenant: text("tenant"),
    parent: text("parent"),
    claim: text("claim"),
    addressee: text("addressee"),
    question: text("question"),
    created_at: integer("created_at"),
    ...{ status, revision, holders, expires_at, stamp },
  }
  const columns = ["id", "question", ...Object.keys(progress)].map((name) => `e.${name}`).join(", ")
  const pages = {
    oldest: "ORDER BY e.created_at, e.id LIMIT CAST($4 AS BIGINT)",
    newest: "ORDER BY e.created_at DESC, e.id DESC LIMIT CAST($4 AS BIGINT)",
  }
  const behind = { oldest: pastOf(">"), newest: pastOf("<") }
  const states = { open: "AND e.settled_at IS NULL", settled: "AND e.settled_at IS NOT NULL", all: "" }

  const records = toRecordStatements(dialect)

  const forgotten = `SELECT e.id ${fromInputAnd(`${schema}elicitation e`)}
      WHERE (${phase}) IN (1, 2) AND (${phaseAt}) < ${integer("settled_before")} ORDER BY e.id LIMIT ${forgetPage}`

  return {
    insert: `INSERT INTO ${schema}elicitation (${Object.keys(inserted).join(", ")})
      SELECT ${Object.values(inserted).join(", ")} ${fromInput}
      WHERE ${integer("tenant_ahead")} < ${integer("tenant_most")} AND ${integer("person_ahead")} < ${integer("person_most")}
      AND NOT EXISTS (SELECT 1 FROM ${schema}tally t WHERE t.tenant = ${text("tenant")} AND t.who = ''
        AND t.pending + ${integer("tenant_ahead")} >= ${integer("tenant_most")})
      AND NOT EXISTS (SELECT 1 FROM ${schema}tally t WHERE t.tenant = ${text("tenant")} AND t.who = ${text("addressee")}
        AND t.pending + ${integer("person_ahead")} >= ${integer("person_most")})
      AND NOT EXISTS (SELECT 1 FROM ${items(text("people"), "p")}
        WHERE (SELECT t.pending FROM ${schema}tally t WHERE t.tenant = ${text("tenant")} AND t.who = p.item)
          + ${integer("person_ahead")} >= ${integer("person_most")})
      ON CONFLICT DO NOTHING ${returning("id")}`,

    address: `INSERT INTO ${schema}addressee (id, tenant, who)
      SELECT ${text("id")}, ${text("tenant")}, ${text("who")} ${fromWinner} ON CONFLICT DO NOTHING`,

    replace: `UPDATE ${schema}elicitation SET ${assignments(progress)},
      question = COALESCE(${text("question")}, question),
      claim = CASE WHEN ${integer("frees_claim")} = 1 THEN NULL ELSE claim END
      ${fromInput}
      WHERE elicitation.id = ${text("id")} AND elicitation.revision = ${integer("before")} ${returning("elicitation.id AS id")}`,

    count: `INSERT INTO ${schema}tally (tenant, who, pending)
      SELECT ${text("tenant")}, ${text("who")}, CAST(SUM(${integer("change")}) AS BIGINT)
      ${fromWinner} GROUP BY 1, 2
      ON CONFLICT (tenant, who) DO UPDATE SET pending = tally.pending + excluded.pending`,

    record: `${intoTrail(dialect)} ${fromInput} ${ifWon} ${returning("position")}`,

    noteRead: `UPDATE ${schema}elicitation SET read_at = COALESCE(read_at, ${integer("at")})
      ${fromInput} WHERE elicitation.id = ${text("id")}`,

    get: `SELECT ${columns} FROM ${schema}elicitation e WHERE e.id IN (SELECT item FROM ${items("$1", "i")})`,

    claimed: `SELECT ${columns} FROM ${schema}elicitation e WHERE e.claim = $1`,

    tally: `SELECT who, pending FROM ${schema}tally WHERE tenant = $1 AND who IN (SELECT item FROM ${items("$2", "i")})`,

    listTenant: ({ state, order }: Listing): string => `SELECT ${columns} FROM ${schema}elicitation e
      WHERE e.tenant = $1 AND ${behind[order]} ${states[state]} ${pages[order]}`,

    listParent: ({ state, order }: Listing): string => `SELECT ${columns} FROM ${schema}elicitation e
      WHERE e.tenant = $1 AND e.parent = $5 AND ${behind[order]} ${states[state]} ${pages[order]}`,

    /** Of $5; with $6, of that parent. */
    listAddressee: ({ state, order }: Listing): string => `SELECT ${columns} FROM (
        SELECT e.id FROM ${schema}elicitation e
        WHERE e.tenant = $1 AND e.addressee IN (SELECT item FROM ${items("$5", "i")}) AND ${behind[order]} ${states[state]}
        UNION SELECT a.id FROM ${schema}addressee a JOIN ${schema}elicitation e ON e.id = a.id
        WHERE a.tenant = $1 AND a.who IN (SELECT item FROM ${items("$5", "i")}) AND ${behind[order]} ${states[state]}
      ) found JOIN ${schema}elicitation e ON e.id = found.id
      WHERE CAST($6 AS TEXT) IS NULL OR e.parent = CAST($6 AS TEXT) ${pages[order]}`,

    due: `SELECT ${columns} FROM ${schema}elicitation e WHERE (${phase}) = 0 AND (${phaseAt}) <= $1
      ORDER BY (${phaseAt}) LIMIT CAST($2 AS BIGINT)`,

    nextDue: `SELECT MIN(${phaseAt}) AS next FROM ${schema}elicitation WHERE (${phase}) = 0 AND (${phaseAt}) > $1`,

    /** Of what stands in these columns: their values are $4 and on. */
    trail: (by: readonly string[]): string => `SELECT position, id, tenant, parent, revision, kind, status, at, detail
      FROM ${schema}trail WHERE position > CAST($1 AS BIGINT)
      AND (CAST($2 AS BIGINT) IS NULL OR revision > CAST($2 AS BIGINT))
      ${by.map((column, index) => `AND ${column} = $${index + 4}`).join(" ")}
      ORDER BY position LIMIT CAST($3 AS BIGINT)`,

    trailEnd: `SELECT MAX(position) AS position FROM ${schema}trail`,

    forgetContent: `UPDATE ${schema}elicitation SET content = NULL WHERE id IN (
      SELECT e.id ${fromInputAnd(`${schema}elicitation e`)} WHERE (${phase}) = 1
        AND (e.settled_at < ${integer("settled_before")} OR e.read_at < ${integer("read_before")})
      ORDER BY e.id LIMIT ${forgetPage}) RETURNING id`,
    forgetAddressees: `DELETE FROM ${schema}addressee WHERE id IN (${forgotten})`,
    forgetQuestions: `DELETE FROM ${schema}elicitation WHERE id IN (${forgotten}) RETURNING id`,
    forgetTallies: `DELETE FROM ${schema}tally WHERE pending <= 0 AND EXISTS (SELECT 1 ${fromInput})`,

    forgetExpired: `DELETE FROM ${schema}record WHERE (kind, id) IN (
      SELECT kind, id FROM ${schema}record WHERE expires_at <= (SELECT ${integer("expires_by")} ${fromInput})
      ORDER BY expires_at LIMIT ${forgetPage}) RETURNING id`,

    beside: records.insertBeside,
    records,
  }
}

/** Later in the list than the last of the page before, if there is one. */
const pastOf = (comparison: ">" | "<"): string => `(CAST($2 AS BIGINT) IS NULL
      OR e.created_at ${comparison} CAST($2 AS BIGINT)
      OR (e.created_at = CAST($2 AS BIGINT) AND e.id ${comparison} CAST($3 AS TEXT)))`
