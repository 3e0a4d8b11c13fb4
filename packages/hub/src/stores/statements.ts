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
  const {
    schema,
    reportsEffects,
    ordersTenants,
    inputSource,
    textMember,
    integerMember,
    items,
    amongCondition,
    inCondition,
  } = dialect
  const fromInput = inputSource === "" ? "" : `FROM ${inputSource}`
  const fromInputAnd = (table: string): string =>
    `FROM ${inputSource === "" ? "" : `${inputSource} CROSS JOIN `}${table}`
  const returning = (column: string): string => (reportsEffects ? "" : `RETURNING ${column}`)
  const fromStoredQuestion = reportsEffects
    ? "WHERE true"
    : `${fromInputAnd(`${schema}elicitation e`)} WHERE e.id = ${textMember("id")} AND e.stamp = ${textMember("stamp")}`
  const whereStored = reportsEffects
    ? ""
    : `WHERE ${textMember("stamp")} IS NULL
        OR (SELECT e.stamp FROM ${schema}elicitation e WHERE e.id = ${textMember("id")}) = ${textMember("stamp")}`
  const progress = {
    status: textMember("status"),
    revision: integerMember("revision"),
    holders: integerMember("holders"),
    expires_at: integerMember("expires_at"),
    opened_at: integerMember("opened_at"),
    verified_at: integerMember("verified_at"),
    accepted_at: integerMember("accepted_at"),
    settled_at: integerMember("settled_at"),
    answered_by: textMember("answered_by"),
    answered_via: textMember("answered_via"),
    reason: textMember("reason"),
    said: textMember("said"),
    content: textMember("content"),
    stamp: textMember("stamp"),
  }
  // The columns of a new elicitation. The other columns of `progress` are null.
  const { status, revision, holders, expires_at, stamp } = progress
  const inserted = {
    id: textMember("id"),
    tenant: textMember("tenant"),
    parent: textMember("parent"),
    claim: textMember("claim"),
    addressee: textMember("addressee"),
    question: textMember("question"),
    created_at: integerMember("created_at"),
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
  const mostOpen = `${trailEnd} + ${integerMember("beyond_trail")}`
  // The number of earlier rows of the statement to add to a count. An engine that runs a statement once per row has
  // already stored those rows, though not their addressees, so that the count includes them.
  const aheadOf = (member: string): string => (reportsEffects ? "0" : integerMember(member))
  const insertIf = (hasRoom: string): string => `INSERT INTO ${schema}elicitation (${Object.keys(inserted).join(", ")})
      SELECT ${Object.values(inserted).join(", ")} ${fromInput} WHERE ${hasRoom}
      ON CONFLICT DO NOTHING ${returning("id")}`
  const insertCounting = (personHasRoom: string): string =>
    insertIf(`(${mostOpen} < ${integerMember("tenant_most")}
        OR ${openIn(textMember("tenant"))} + ${aheadOf("tenant_ahead")} < ${integerMember("tenant_most")})
      AND (${mostOpen} < ${integerMember("person_most")} OR ${personHasRoom})`)
  const replaceBy = (values: Readonly<Record<string, string>>): string => `UPDATE ${schema}elicitation
      SET ${assignments(values)} ${fromInput}
      WHERE elicitation.id = ${textMember("id")} AND elicitation.revision = ${integerMember("before")}
      ${returning("elicitation.id AS id")}`

  const records = toRecordStatements(dialect)

  /** An expression for a member of the only input row, read once, so that the condition can use an index. */
  const singleMember = (member: string): string =>
    inputSource === "" ? integerMember(member) : `(SELECT ${integerMember(member)} ${fromInput})`
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
    insert: insertIf(`${mostOpen} < ${integerMember("least_most")}`),

    insertCounted: insertCounting(
      `${openFor(textMember("tenant"), textMember("person"))} + ${aheadOf("person_ahead")} < ${integerMember("person_most")}`,
    ),

    /** Inserts a question to several people, each of whom has a limit. */
    insertShared: insertCounting(`NOT EXISTS (SELECT 1 FROM ${items(textMember("people"), "p")}
        WHERE ${openFor(textMember("tenant"), "p.item")} + ${integerMember("person_ahead")} >= ${integerMember("person_most")})`),

    address: `INSERT INTO ${schema}addressee (id, tenant, who)
      SELECT ${textMember("id")}, ${textMember("tenant")}, ${textMember("who")} ${fromStoredQuestion} ON CONFLICT DO NOTHING`,

    replace: replaceBy(progress),

    /** Replaces a question whose JSON column changes too, or whose key becomes free. */
    replaceWhole: replaceBy({
      ...progress,
      question: `COALESCE(${textMember("question")}, question)`,
      claim: `CASE WHEN ${integerMember("frees_claim")} = 1 THEN NULL ELSE claim END`,
    }),

    /** Stops counting a settled question towards the limits of its people, if it has rows of addressees. */
    release: `UPDATE ${schema}addressee SET is_open = 0 ${reportsEffects ? "" : fromInputAnd(`${schema}elicitation e`)}
      WHERE addressee.id = ${textMember("id")} ${reportsEffects ? "" : `AND e.id = ${textMember("id")} AND e.stamp = ${textMember("stamp")}`}`,

    record: `${intoTrail(dialect)} ${fromInput} ${whereStored} ${returning("position")}`,

    noteRead: `UPDATE ${schema}elicitation SET read_at = COALESCE(read_at, ${integerMember("at")})
      ${fromInput} WHERE elicitation.id = ${textMember("id")}`,

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
      SELECT kind, id FROM ${schema}record WHERE expires_at <= (SELECT ${integerMember("expires_by")} ${fromInput})
      ORDER BY expires_at LIMIT ${forgetPage}) RETURNING id`,

    beside: records.insertBeside,
    records,
  }
}

/** A condition for rows after the last one of the previous page, if there is one. */
const afterCondition = (comparison: ">" | "<"): string => `(CAST($2 AS BIGINT) IS NULL
      OR e.created_at ${comparison} CAST($2 AS BIGINT)
      OR (e.created_at = CAST($2 AS BIGINT) AND e.id ${comparison} CAST($3 AS TEXT)))`
