// Turns a list of writes into one transaction, and its results back into the result of each write. Which inserts and
// replacements won is read from the rows that the statements return.

import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { addresseesOf } from "../core/principal.ts"
import type { PendingLimits } from "../ports/store.ts"
import type { NewEntry } from "../ports/trail.ts"
import type { InputRow, Row, Statement } from "./database.ts"
import type { RecordWrite } from "./record-writes.ts"
import { toRecordTransaction } from "./record-writes.ts"
import { talliesOf, toProgressRow, toQuestionRow, toTrailRow } from "./rows.ts"
import type { Statements } from "./statements.ts"
import type { Transaction } from "./transaction.ts"
import { joined, toEntries } from "./transaction.ts"

/** A write. Two writes with a common key never share a commit. `done` gets whether it took effect. */
interface WriteBase {
  readonly keys: readonly string[]
  readonly entry: NewEntry
  readonly done: (isStored: boolean) => void
  readonly failed: (error: unknown) => void
}

export interface InsertWrite extends WriteBase {
  readonly kind: "insert"
  readonly next: Elicitation
  readonly limits: PendingLimits
  /** The rows of the records stored with the question. */
  readonly beside: readonly InputRow[]
}

export type ElicitationWrite =
  | InsertWrite
  | (WriteBase & { readonly kind: "replace"; readonly next: Elicitation })
  | (WriteBase & { readonly kind: "append" })

export type Write = ElicitationWrite | RecordWrite

export function toTransaction(writes: readonly Write[], sql: Statements, newStamp: () => string): Transaction<Write> {
  const records = writes.filter((write) => write.kind === "record")
  const others = writes.filter((write) => write.kind !== "record")
  return joined<Write>([toElicitationTransaction(others, sql, newStamp), toRecordTransaction(records, sql.records)])
}

function toElicitationTransaction(
  writes: readonly ElicitationWrite[],
  sql: Statements,
  newStamp: () => string,
): Transaction<ElicitationWrite> {
  const steps = toInput(writes, newStamp)
  const names = (Object.keys(steps) as (keyof typeof steps)[]).filter((name) => steps[name].length > 0)
  return {
    statements: names.map((name) => ({ text: sql[name], rows: steps[name], ...results[name] })),
    judge(found) {
      const rowsOf = (name: keyof typeof steps): readonly Row[] => found[names.indexOf(name)] ?? []
      const ids = new Set(deciding.flatMap((name) => rowsOf(name).map((row) => row.id)))
      const won = writes.filter((write) => write.kind === "append" || ids.has(write.next.id))
      const entries = won.map(({ entry }) => entry)
      return { won: new Set(won), entries: toEntries(entries, rowsOf("record")) }
    },
  }
}

/** Rare writes have their own statements, so that the common ones stay small. */
const deciding = ["insert", "insertShared", "replace", "replaceWhole"] as const

const results: Readonly<Record<string, Pick<Statement, "gives">>> = {
  ...Object.fromEntries(deciding.map((name) => [name, { gives: "id" }])),
  record: { gives: "position" },
}

/** Returns the input rows of each statement, in the order in which the statements must run. */
function toInput(writes: readonly ElicitationWrite[], newStamp: () => string) {
  const input = {
    insert: [] as InputRow[],
    insertShared: [] as InputRow[],
    replace: [] as InputRow[],
    replaceWhole: [] as InputRow[],
    address: [] as InputRow[],
    count: [] as InputRow[],
    record: [] as InputRow[],
    beside: [] as InputRow[],
  }
  const taken = new Map<string, number>()
  for (const write of writes) {
    const stamp = write.kind === "append" ? null : newStamp()
    input.record.push(toTrailRow(write.entry, stamp))
    if (write.kind === "append" || stamp === null) continue
    const { next } = write
    const { id, tenant } = next
    const tallies = talliesOf(next)
    if (write.kind === "insert") {
      const ahead = tallies.map((who) => takeNumber(taken, JSON.stringify([tenant, who])))
      const places = { limits: write.limits, tenantAhead: ahead[0] ?? 0, personAhead: Math.max(0, ...ahead.slice(1)) }
      const addressees = addresseesOf(next.audience)
      const isShared = addressees.length > 1
      input[isShared ? "insertShared" : "insert"].push(toQuestionRow(next, stamp, places))
      input.beside.push(...write.beside.map((row) => ({ ...row, question_id: id, stamp })))
      if (isShared) input.address.push(...addressees.map((who) => ({ id, tenant, who, stamp })))
    } else {
      const row = toProgressRow(next, stamp)
      input[row.question === null && row.frees_claim === 0 ? "replace" : "replaceWhole"].push(row)
    }
    const change = write.kind === "insert" ? 1 : isSettled(next.status) ? -1 : 0
    if (change !== 0) input.count.push(...tallies.map((who) => ({ id, tenant, who, change, stamp })))
  }
  return input
}

function takeNumber(taken: Map<string, number>, key: string): number {
  const ahead = taken.get(key) ?? 0
  taken.set(key, ahead + 1)
  return ahead
}
