// Turns a list of writes into one transaction, and its results back into the result of each write. Which inserts and
// replacements won is read from the rows that the statements return.

import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { addresseeKeysOf, escalationKeysOf } from "../core/principal.ts"
import type { PendingLimits } from "../ports/store.ts"
import type { NewEntry } from "../ports/trail.ts"
import type { InputRow, Row, Statement } from "./database.ts"
import type { RecordWrite } from "./record-writes.ts"
import { toRecordTransaction } from "./record-writes.ts"
import type { OpenCount } from "./rows.ts"
import { limitedPeopleOf, toProgressRow, toQuestionRow, toTrailRow } from "./rows.ts"
import type { Statements } from "./statements.ts"
import type { Transaction } from "./transaction.ts"
import { joinTransactions, toEntries } from "./transaction.ts"

/** A write. Two writes with a common key never share a commit. `resolve` is called with whether the write took effect. */
interface WriteBase {
  readonly keys: readonly string[]
  readonly entry: NewEntry
  readonly resolve: (isStored: boolean) => void
  readonly reject: (error: unknown) => void
}

export interface InsertWrite extends WriteBase {
  readonly kind: "insert"
  readonly next: Elicitation
  readonly limits: PendingLimits
  readonly openCount: OpenCount
  /** The last position of the trail that this process had seen. */
  readonly position: number
  /** Whether to count the open questions, because an insert without counting took no effect. */
  readonly isCounted: boolean
  /** The rows of the records stored with the question. */
  readonly beside: readonly InputRow[]
}

export type ElicitationWrite =
  | InsertWrite
  | (WriteBase & { readonly kind: "replace"; readonly next: Elicitation })
  | (WriteBase & { readonly kind: "append" })

export type Write = ElicitationWrite | RecordWrite

export function toTransaction(
  writes: readonly Write[],
  sql: Statements,
  createStamp: () => string,
): Transaction<Write> {
  const records = writes.filter((write) => write.kind === "record")
  const elicitationWrites = writes.filter((write) => write.kind !== "record")
  if (records.length === 0) return toElicitationTransaction(elicitationWrites, sql, createStamp) as Transaction<Write>
  return joinTransactions<Write>([
    toElicitationTransaction(elicitationWrites, sql, createStamp),
    toRecordTransaction(records, sql.records),
  ])
}

function toElicitationTransaction(
  writes: readonly ElicitationWrite[],
  sql: Statements,
  createStamp: () => string,
): Transaction<ElicitationWrite> {
  const steps = toInput(writes, createStamp)
  const names = (Object.keys(steps) as (keyof typeof steps)[]).filter((name) => steps[name].length > 0)
  return {
    statements: names.map((name) => ({ text: sql[name], rows: steps[name], ...resultKinds[name] })),
    judge(rowsByStatement) {
      const rowsOf = (name: keyof typeof steps): readonly Row[] => rowsByStatement[names.indexOf(name)] ?? []
      const ids = new Set(decidingStatements.flatMap((name) => rowsOf(name).map((row) => row.id)))
      const storedWrites = writes.filter((write) => write.kind === "append" || ids.has(write.next.id))
      const entries = storedWrites.map(({ entry }) => entry)
      return { stored: new Set(storedWrites), entries: toEntries(entries, rowsOf("record")) }
    },
  }
}

/** The statements whose rows show whether a write took effect. Rare writes have their own, to keep the others small. */
const decidingStatements = ["insert", "insertCounted", "insertShared", "replace", "replaceWhole"] as const

/** The names of the statements that a write can consist of. */
export const writeNames = [...decidingStatements, "address", "release", "record", "beside"] as const

const resultKinds: Readonly<Record<string, Pick<Statement, "resultKind">>> = {
  ...Object.fromEntries(decidingStatements.map((name) => [name, { resultKind: "id" }])),
  record: { resultKind: "position" },
}

/** Returns the input rows of each statement, in the order in which the statements must run. */
function toInput(writes: readonly ElicitationWrite[], createStamp: () => string) {
  const input = {
    insert: [] as InputRow[],
    insertCounted: [] as InputRow[],
    insertShared: [] as InputRow[],
    replace: [] as InputRow[],
    replaceWhole: [] as InputRow[],
    address: [] as InputRow[],
    release: [] as InputRow[],
    record: [] as InputRow[],
    beside: [] as InputRow[],
  }
  const aheadCounts = new Map<string, number>()
  const insertCount = writes.filter(({ kind }) => kind === "insert").length
  for (const write of writes) {
    const stamp = write.kind === "append" ? null : createStamp()
    input.record.push(toTrailRow(write.entry, stamp))
    if (write.kind === "append" || stamp === null) continue
    const { next } = write
    const { id, tenant } = next
    const addressees = addresseeKeysOf(next.audience)
    const isShared = addressees.length > 1
    if (write.kind === "insert") {
      const statement = isShared ? "insertShared" : isNearLimit(write, insertCount) ? "insertCounted" : "insert"
      const tenantAhead = countAhead(aheadCounts, `${statement} ${tenant}`)
      // A person is JSON and contains no line break.
      const personsAhead = limitedPeopleOf(next).map((addressee) =>
        countAhead(aheadCounts, `${statement} ${addressee}\n${tenant}`),
      )
      const { limits, openCount } = write
      const personAhead = Math.max(0, ...personsAhead)
      const insertLimits = { limits, openCount, insertCount, tenantAhead, personAhead }
      input[statement].push(toQuestionRow(next, stamp, insertLimits))
      input.beside.push(...write.beside.map((row) => ({ ...row, question_id: id, stamp })))
      if (isShared) input.address.push(...addressees.map((addressee) => ({ id, tenant, who: addressee, stamp })))
    } else {
      const row = toProgressRow(next, stamp)
      input[row.question === null && row.frees_claim === 0 ? "replace" : "replaceWhole"].push(row)
      const escalationKeys = escalationKeysOf(next)
      if (!isSettled(next.status))
        input.address.push(...escalationKeys.map((addressee) => ({ id, tenant, who: addressee, stamp })))
      else if (isShared || escalationKeys.length > 0) input.release.push({ id, stamp })
    }
  }
  return input
}

/** Whether the last count of open questions, with all trail entries since then, could reach a limit. */
function isNearLimit({ limits, openCount, position, isCounted }: InsertWrite, insertCount: number): boolean {
  return (
    isCounted ||
    openCount.open + position - openCount.position + insertCount > Math.min(limits.perTenant, limits.perPerson)
  )
}

function countAhead(aheadCounts: Map<string, number>, key: string): number {
  const ahead = aheadCounts.get(key) ?? 0
  aheadCounts.set(key, ahead + 1)
  return ahead
}
