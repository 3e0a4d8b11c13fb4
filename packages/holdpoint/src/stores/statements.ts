// The SQL, as data. Every write takes input rows, so that one statement serves one write or five hundred. Statements
// that depend on a compare-and-set join on the stamp that only the winner has written.

import type { ListQuery } from "../ports/store.ts"
import type { Dialect } from "./database.ts"
import { isWaiting, phase, phaseAt } from "./migrations.ts"
import { assignments, intoTrail, toRecordStatements } from "./record-statements.ts"

/** The most questions, answers or records deleted in one commit, so that other writes do not wait long. */
export const forgetPage = 1_000

type Listing = Required<Pick<ListQuery, "state" | "order">>

export type Statements = ReturnType<typeof toStatements>

export function toStatements(dialect: Dialect) {
  const { schema, isWatched, ordersTenants, input, text, integer, items, amongCondition, inCondition } = dialect
  const fromInput = input === "" ? "" : `FROM ${input}`
  const fromInputAnd = (table: string): string => `FROM ${input === "" ? "" : `${input} CROSS JOIN `}${table}`
  const returning = (column: string): string => (isWatched ? "" : `RETURNING ${column}`)
  const fromStoredQuestion = isWatched
    ? "WHERE true"
    : `${fromInputAnd(`${schema}elicitation e`)} WHERE e.id = ${text("id")} AND e.stamp = ${text("stamp")}`
  const whereStored = isWatched
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
    said: text("said"),
    content: text("content"),
    stamp: text("stamp"),
  }
  // The columns of a new elicitation. The other columns of `progress` are null.
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
  const afterPage = { oldest: afterCondition(">"), newest: afterCondition("<") }
  const states = { open: "AND e.settled_at IS NULL", settled: "AND e.settled_at IS NOT NULL", all: "" }

  const openIn = (tenant: string): string =>
    `(SELECT COUNT(*) FROM ${schema}elicitation e WHERE e.tenant = ${tenant} AND e.settled_at IS NULL)`
  const openFor = (tenant: string, addressee: string): string => `((SELECT COUNT(*) FROM ${schema}elicitation e
        WHERE e.tenant = ${tenant} AND e.addressee = ${addressee} AND e.settled_at IS NULL)
        + (SELECT COUNT(*) FROM ${schema}addressee a WHERE a.tenant = ${tenant} AND a.who = ${addressee} AND a.is_open = 1))`
  const trailEnd = `(SELECT COALESCE(MAX(t.position), 0) FROM ${schema}trail t)`
  // The most questions that can be open in the tenant, and therefore for any person of the tenant.
  const mostOpen = `${trailEnd} + ${integer("beyond_trail")}`
  // The number of earlier rows of the statement to add to a count. An engine that runs a statement once per row has
  // already stored those rows, though not their addressees, so that the count includes them.
  const aheadOf = (member: string): string => (isWatched ? "0" : integer(member))
  const insertIf = (hasRoom: string): string => `INSERT INTO ${schema}elicitation (${Object.keys(inserted).join(", ")})
      SELECT ${Object.values(inserted).join(", ")} ${fromInput} WHERE ${hasRoom}
      ON CONFLICT DO NOTHING ${returning("id")}`
  const insertCounting = (personHasRoom: string): string =>
    insertIf(`(${mostOpen} < ${integer("tenant_most")}
        OR ${openIn(text("tenant"))} + ${aheadOf("tenant_ahead")} < ${integer("tenant_most")})
      AND (${mostOpen} < ${integer("person_most")} OR ${personHasRoom})`)
  const replaceBy = (values: Readonly<Record<string, string>>): string => `UPDATE ${schema}elicitation
      SET ${assignments(values)} ${fromInput}
      WHERE elicitation.id = ${text("id")} AND elicitation.revision = ${integer("before")}
      ${returning("elicitation.id AS id")}`

  const records = toRecordStatements(dialect)

  /** An expression for a member of the only input row, read once, so that the condition can use an index. */
  const singleMember = (member: string): string =>
    input === "" ? integer(member) : `(SELECT ${integer(member)} ${fromInput})`
  // Ordered by the index, because two statements must select the same rows.
  const deletedIds = `SELECT e.id FROM ${schema}elicitation e
      WHERE (${phase}) IN (1, 2) AND (${phaseAt}) < ${singleMember("settled_before")}
      ORDER BY (${phase}), (${phaseAt}), e.id LIMIT ${forgetPage}`

  /** Selects the ids of a list, open and settled questions separately, because each has its own index. */
  const listedIds = ({ state, order }: Listing, condition: string): string => {
    const idsWhere = (nullness: "NULL" | "NOT NULL"): string => `SELECT e.id, e.created_at FROM ${schema}elicitation e
        WHERE e.tenant = $1 AND e.settled_at IS ${nullness} ${condition} AND ${afterPage[order]}`
    const [open, settled] = [idsWhere("NULL"), idsWhere("NOT NULL")]
    return { open, settled, all: `${open} UNION ALL ${settled}` }[state]
  }
  /** Selects a page of ids first, and only then the other columns. */
  const pageOf = (ids: string, order: Listing["order"]): string => `SELECT ${columns} FROM (
        SELECT e.id FROM (${ids}) e ${pages[order]}
      ) found JOIN ${schema}elicitation e ON e.id = found.id ${pages[order]}`

  return {
    /** Inserts a question that is far from every limit, without counting. */
    insert: insertIf(`${mostOpen} < ${integer("least_most")}`),

    insertCounted: insertCounting(
      `${openFor(text("tenant"), text("person"))} + ${aheadOf("person_ahead")} < ${integer("person_most")}`,
    ),

    /** Inserts a question to several people, each of whom has a limit. */
    insertShared: insertCounting(`NOT EXISTS (SELECT 1 FROM ${items(text("people"), "p")}
        WHERE ${openFor(text("tenant"), "p.item")} + ${integer("person_ahead")} >= ${integer("person_most")})`),

    address: `INSERT INTO ${schema}addressee (id, tenant, who)
      SELECT ${text("id")}, ${text("tenant")}, ${text("who")} ${fromStoredQuestion} ON CONFLICT DO NOTHING`,

    replace: replaceBy(progress),

    /** Replaces a question whose JSON column changes too, or whose key becomes free. */
    replaceWhole: replaceBy({
      ...progress,
      question: `COALESCE(${text("question")}, question)`,
      claim: `CASE WHEN ${integer("frees_claim")} = 1 THEN NULL ELSE claim END`,
    }),

    /** Stops counting a settled question towards the limits of its people, if it has rows of addressees. */
    release: `UPDATE ${schema}addressee SET is_open = 0 ${isWatched ? "" : fromInputAnd(`${schema}elicitation e`)}
      WHERE addressee.id = ${text("id")} ${isWatched ? "" : `AND e.id = ${text("id")} AND e.stamp = ${text("stamp")}`}`,

    record: `${intoTrail(dialect)} ${fromInput} ${whereStored} ${returning("position")}`,

    noteRead: `UPDATE ${schema}elicitation SET read_at = COALESCE(read_at, ${integer("at")})
      ${fromInput} WHERE elicitation.id = ${text("id")}`,

    get: `SELECT ${columns} FROM ${schema}elicitation e WHERE e.id IN (SELECT item FROM ${items("$1", "i")})`,

    claimed: `SELECT ${columns} FROM ${schema}elicitation e WHERE e.claim = $1`,

    /** Selects how many questions are open in a tenant, and the last position of the trail. */
    countOpen: `SELECT ${openIn("$1")} AS open, ${trailEnd} AS position`,

    /** Selects how many questions are open for each of these people. */
    openFor: `SELECT ${openFor("$1", "p.item")} AS open FROM ${items("$2", "p")}`,

    listTenant(listing: Listing): string {
      const { state, order } = listing
      if (state !== "open" || !ordersTenants) return pageOf(listedIds(listing, ""), order)
      return `SELECT ${columns} FROM ${schema}elicitation e
        WHERE e.tenant = $1 AND ${isWaiting} AND ${afterPage[order]} ${pages[order]}`
    },

    /** The condition on the state matches no index on purpose: the index on parents is the most selective. */
    listParent: ({ state, order }: Listing): string => `SELECT ${columns} FROM ${schema}elicitation e
      WHERE e.tenant = $1 AND e.parent = $5 AND ${afterPage[order]}
      ${{ open: "AND COALESCE(e.settled_at, -1) < 0", settled: "AND COALESCE(e.settled_at, -1) >= 0", all: "" }[state]} ${pages[order]}`,

    /** Lists the questions of the addressees $5; with $6, only those of that parent. */
    listAddressee(listing: Listing): string {
      const ofParent = "AND (CAST($6 AS TEXT) IS NULL OR e.parent = CAST($6 AS TEXT))"
      const { state, order } = listing
      // A question that was escalated may be listed for a person under both roles.
      const sharedIds = `SELECT DISTINCT e.id, e.created_at FROM ${schema}addressee a JOIN ${schema}elicitation e ON e.id = a.id
        WHERE a.tenant = $1 AND ${amongCondition("a.who", "$5")} AND ${afterPage[order]} ${states[state]} ${ofParent}
        AND (e.addressee IS NULL OR NOT ${amongCondition("e.addressee", "$5")})`
      return pageOf(
        `${listedIds(listing, `AND ${amongCondition("e.addressee", "$5")} ${ofParent}`)} UNION ALL ${sharedIds}`,
        order,
      )
    },

    due: `SELECT ${columns} FROM ${schema}elicitation e WHERE (${phase}) = 0 AND (${phaseAt}) <= $1
      ORDER BY (${phaseAt}) LIMIT CAST($2 AS BIGINT)`,

    nextDue: `SELECT MIN(${phaseAt}) AS next FROM ${schema}elicitation WHERE (${phase}) = 0 AND (${phaseAt}) > $1`,

    /** Selects trail entries. The parameters from $4 on are the values that the given columns must have. */
    trail: (
      columns: readonly string[],
    ): string => `SELECT position, id, tenant, parent, revision, kind, status, at, detail
      FROM ${schema}trail WHERE position > CAST($1 AS BIGINT)
      AND (CAST($2 AS BIGINT) IS NULL OR revision > CAST($2 AS BIGINT))
      ${columns.map((column, index) => `AND ${column} = $${index + 4}`).join(" ")}
      ORDER BY position LIMIT CAST($3 AS BIGINT)`,

    trailEnd: `SELECT ${trailEnd} AS position`,

    forgetContent: `UPDATE ${schema}elicitation SET content = NULL WHERE ${inCondition(
      "id",
      `SELECT e.id FROM ${schema}elicitation e WHERE (${phase}) = 1
        AND (e.settled_at < ${singleMember("settled_before")} OR e.read_at < ${singleMember("read_before")}) LIMIT ${forgetPage}`,
    )} RETURNING id`,
    forgetAddressees: `DELETE FROM ${schema}addressee WHERE ${inCondition("id", deletedIds)}`,
    forgetQuestions: `DELETE FROM ${schema}elicitation WHERE ${inCondition("id", deletedIds)} RETURNING id`,

    forgetExpired: `DELETE FROM ${schema}record WHERE (kind, id) IN (
      SELECT kind, id FROM ${schema}record WHERE expires_at <= (SELECT ${integer("expires_by")} ${fromInput})
      ORDER BY expires_at LIMIT ${forgetPage}) RETURNING id`,

    beside: records.insertBeside,
    records,
  }
}

/** A condition for rows after the last one of the previous page, if there is one. */
const afterCondition = (comparison: ">" | "<"): string => `(CAST($2 AS BIGINT) IS NULL
      OR e.created_at ${comparison} CAST($2 AS BIGINT)
      OR (e.created_at = CAST($2 AS BIGINT) AND e.id ${comparison} CAST($3 AS TEXT)))`
