// Elicitations in SQL: every write goes through the batch, every read is one statement.

import type { Elicitation } from "../core/elicitation.ts"
import { addresseeKeysOf } from "../core/principal.ts"
import { claimOf } from "../core/question.ts"
import type { Inserted, ListQuery, PendingLimits, Store } from "../ports/store.ts"
import type { NewEntry } from "../ports/trail.ts"
import type { Batch } from "./batch.ts"
import type { Database, Value } from "./database.ts"
import { createGets } from "./gets.ts"
import { fromRow, talliesOf } from "./rows.ts"
import type { Statements } from "./statements.ts"
import type { Write } from "./writes.ts"

export function createSqlStore(database: Database, sql: Statements, batch: Batch<Write>): Store {
  const get = createGets(async (ids) => {
    const rows = await database.query(sql.get, [JSON.stringify(ids)])
    return new Map(rows.map((row) => [String(row.id), fromRow(row)]))
  })

  const insertOnce = (next: Elicitation, entry: NewEntry, limits: PendingLimits) =>
    new Promise<boolean>((done, failed) => {
      const claim = claimOf(next)
      const keys = claim === undefined ? [next.id] : [next.id, claim]
      batch.add({ kind: "insert", keys, next, entry, limits, done, failed })
    })

  /** Why an insert was not stored; undefined when the reason is gone again. */
  const obstacle = async (next: Elicitation, limits: PendingLimits): Promise<Inserted | undefined> => {
    const claim = claimOf(next)
    const [claimed] = claim === undefined ? [] : await database.query(sql.claimed, [claim])
    const existing = claimed === undefined ? await get(next.id) : fromRow(claimed)
    if (existing !== undefined) return { stored: false, existing }
    const rows = await database.query(sql.tally, [next.tenant, JSON.stringify(talliesOf(next))])
    const most = Math.max(0, ...rows.filter(({ who }) => who !== "").map(({ pending }) => Number(pending)))
    const inTenant = Number(rows.find(({ who }) => who === "")?.pending ?? 0)
    if (inTenant >= limits.perTenant) return { stored: false, full: "tenant" }
    return most >= limits.perPerson ? { stored: false, full: "person" } : undefined
  }

  return {
    async insert(first, entry, limits) {
      for (;;) {
        if (await insertOnce(first, entry, limits)) return { stored: true }
        const why = await obstacle(first, limits)
        if (why !== undefined) return why
      }
    },
    replace: (next, entry) =>
      new Promise((done, failed) => batch.add({ kind: "replace", keys: [next.id], next, entry, done, failed })),
    get,
    async list(query) {
      const { text, values } = listStatement(query, sql)
      return (await database.query(text, values)).map(fromRow)
    },
    async due(now, limit) {
      const overdue = (await database.query(sql.due, [now, limit])).map(fromRow)
      const isCut = overdue.length === limit
      const [row] = isCut ? [] : await database.query(sql.nextDue, [now])
      const next = isCut ? overdue.at(-1)?.expiresAt : (row?.next ?? undefined)
      return { overdue, next: next === undefined ? undefined : Number(next) }
    },
  }
}

function listStatement(query: ListQuery, sql: Statements): { text: string; values: readonly Value[] } {
  const { tenant, principal, state, order = "oldest", limit, after } = query
  const values: Value[] = [tenant, after?.createdAt ?? null, after?.id ?? null, limit]
  if (principal === undefined) return { text: sql.listTenant(state, order), values }
  // A principal of another tenant has no questions here, whatever keys it would be filed under.
  const keys = principal.tenant === tenant ? addresseeKeysOf(principal) : []
  return { text: sql.listAddressee(state, order), values: [...values, JSON.stringify(keys)] }
}
