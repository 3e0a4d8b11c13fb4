// Elicitations in SQL: every write goes through the batch, every read is one statement.

import type { Elicitation } from "../core/elicitation.ts"
import { keysOfPrincipal } from "../core/principal.ts"
import { uniqueKeyOf } from "../core/question.ts"
import type { Inserted, ListQuery, PendingLimits, Store } from "../ports/store.ts"
import type { Batch } from "./batch.ts"
import { createBatchedGet } from "./batched-get.ts"
import type { Database, Value } from "./database.ts"
import { createOpenCounts } from "./open-counts.ts"
import type { OpenRecords } from "./record-opener.ts"
import { keyOfRow } from "./record-writes.ts"
import type { OpenCount } from "./rows.ts"
import { fromRow, limitedPeopleOf, toRecordRow } from "./rows.ts"
import type { Statements } from "./statements.ts"
import type { InsertWrite, Write } from "./writes.ts"

export interface StoreParts {
  readonly database: Database
  readonly sql: Statements
  readonly batch: Batch<Write>
  readonly records: OpenRecords
  /** The last position of the trail that this process has seen. */
  readonly position: () => number
}

export function createSqlStore({ database, sql, batch, records, position }: StoreParts): Store {
  const get = createBatchedGet(async (ids) => {
    const rows = await database.query(sql.get, [JSON.stringify(ids)])
    return new Map(rows.map((row) => [String(row.id), fromRow(row)]))
  })

  const count = async (tenant: string): Promise<OpenCount> => {
    const [row] = await database.query(sql.countOpen, [tenant])
    return { open: Number(row?.open), position: Number(row?.position) }
  }
  const openCountOf = createOpenCounts({ count, position })

  const insertOnce = (write: Omit<InsertWrite, "kind" | "keys" | "resolve" | "reject">) =>
    new Promise<boolean>((resolve, reject) => {
      const { next, beside } = write
      const claim = uniqueKeyOf(next)
      const keys = [next.id, ...(claim === undefined ? [] : [claim]), ...beside.map(keyOfRow)]
      batch.add({ ...write, kind: "insert", keys, resolve, reject })
    })

  /** Returns why an insert was refused. Undefined when the reason no longer exists. */
  const findRefusal = async (next: Elicitation, limits: PendingLimits): Promise<Inserted | undefined> => {
    const claim = uniqueKeyOf(next)
    const [claimedRow] = claim === undefined ? [] : await database.query(sql.claimed, [claim])
    const existing = claimedRow === undefined ? await get(next.id) : fromRow(claimedRow)
    if (existing !== undefined) return { stored: false, existing }
    if ((await count(next.tenant)).open >= limits.perTenant) return { stored: false, full: "tenant" }
    const rows = await database.query(sql.openFor, [next.tenant, JSON.stringify(limitedPeopleOf(next))])
    const isFull = rows.some(({ open }) => Number(open) >= limits.perPerson)
    return isFull ? { stored: false, full: "person" } : undefined
  }

  return {
    async insert(next, entry, { limits, beside = [] }) {
      for (const { kind } of beside) records(kind)
      const write = { next, entry, limits, beside: beside.map(({ kind, record }) => toRecordRow(kind, record)) }
      for (let isCounted = false; ; isCounted = true) {
        const openCount = openCountOf(next.tenant, limits.perTenant)
        if (await insertOnce({ ...write, openCount, position: position(), isCounted })) return { stored: true }
        const refusal = await findRefusal(next, limits)
        if (refusal !== undefined) return refusal
      }
    },
    replace: (next, entry) =>
      new Promise((resolve, reject) => batch.add({ kind: "replace", keys: [next.id], next, entry, resolve, reject })),
    get,
    async list(query) {
      const { text, values } = listStatement(query, sql)
      return (await database.query(text, values)).map(fromRow)
    },
    async due(now, limit) {
      const overdue = (await database.query(sql.due, [now, limit])).map(fromRow)
      const isFullPage = overdue.length === limit
      const [row] = isFullPage ? [] : await database.query(sql.nextDue, [now])
      const next = isFullPage ? overdue.at(-1)?.expiresAt : (row?.next ?? undefined)
      return { overdue, next: next === undefined ? undefined : Number(next) }
    },
  }
}

function listStatement(query: ListQuery, sql: Statements): { text: string; values: readonly Value[] } {
  const { tenant, principal, parent, state, order = "oldest", limit, after } = query
  const listing = { state, order }
  const values: Value[] = [tenant, after?.createdAt ?? null, after?.id ?? null, limit]
  if (principal === undefined && parent === undefined) return { text: sql.listTenant(listing), values }
  if (principal === undefined) return { text: sql.listParent(listing), values: [...values, parent ?? null] }
  // A principal of another tenant has no questions in this tenant, even if its keys match.
  const keys = principal.tenant === tenant ? keysOfPrincipal(principal) : []
  return { text: sql.listAddressee(listing), values: [...values, JSON.stringify(keys), parent ?? null] }
}
