// From a list of writes to one transaction, and from its results back to each write. The engine decides nothing here:
// which inserts and replacements won is read from what the statements return.

import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { addresseesOf } from "../core/principal.ts"
import type { PendingLimits } from "../ports/store.ts"
import type { Entry, NewEntry } from "../ports/trail.ts"
import type { InputRow, Row, Statement } from "./database.ts"
import { talliesOf, toProgressRow, toQuestionRow, toTrailRow } from "./rows.ts"
import type { Statements } from "./statements.ts"

/** Two writes that share a key never share a commit. `done` says whether it took effect. */
interface WriteBase {
  readonly keys: readonly string[]
  readonly entry: NewEntry
  readonly done: (isStored: boolean) => void
  readonly failed: (error: unknown) => void
}

export type Write =
  | (WriteBase & { readonly kind: "insert"; readonly next: Elicitation; readonly limits: PendingLimits })
  | (WriteBase & { readonly kind: "replace"; readonly next: Elicitation })
  | (WriteBase & { readonly kind: "append" })

export interface Transaction {
  readonly statements: readonly Statement[]
  /** Which writes took effect and what the trail gained, from the rows of each statement. */
  readonly judge: (results: readonly (readonly Row[])[]) => Judged
}

export interface Judged {
  readonly won: ReadonlySet<Write>
  readonly entries: readonly Entry[]
}

export function toTransaction(writes: readonly Write[], sql: Statements, newStamp: () => string): Transaction {
  const steps = toInput(writes, newStamp)
  const names = (Object.keys(steps) as (keyof typeof steps)[]).filter((name) => steps[name].length > 0)
  return {
    statements: names.map((name) => ({ text: sql[name], rows: steps[name] })),
    judge(results) {
      const rowsOf = (name: keyof typeof steps): readonly Row[] => results[names.indexOf(name)] ?? []
      const ids = new Set([...rowsOf("insert"), ...rowsOf("replace")].map((row) => row.id))
      const won = new Set(writes.filter((write) => write.kind === "append" || ids.has(write.next.id)))
      const positions = rowsOf("record").map((row) => Number(row.position))
      positions.sort((a, b) => a - b)
      const entries = [...won].map((write, index) => ({ ...write.entry, position: positions[index] ?? 0 }))
      return { won, entries }
    },
  }
}

/** Input rows for each statement, in the order in which the statements must run. */
function toInput(writes: readonly Write[], newStamp: () => string) {
  const input = {
    insert: [] as InputRow[],
    replace: [] as InputRow[],
    address: [] as InputRow[],
    count: [] as InputRow[],
    record: [] as InputRow[],
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
      input.insert.push(toQuestionRow(next, stamp, places))
      const addressees = addresseesOf(next.audience)
      if (addressees.length > 1) input.address.push(...addressees.map((who) => ({ id, tenant, who, stamp })))
    } else {
      input.replace.push(toProgressRow(next, stamp))
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
