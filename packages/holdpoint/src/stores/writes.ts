// From a list of writes to one transaction, and from its results back to each write. The engine decides nothing here:
// which inserts and replacements won is read from what the statements return.

import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import type { PendingLimits } from "../ports/store.ts"
import type { Entry, NewEntry } from "../ports/trail.ts"
import type { Row, Statement } from "./database.ts"
import { slotKeysOf, slotsOf, toProgressRow, toQuestionRow, toTrailRow } from "./rows.ts"
import type { Statements } from "./statements.ts"

export type Write =
  | {
      readonly kind: "insert"
      readonly keys: readonly string[]
      readonly next: Elicitation
      readonly entry: NewEntry
      readonly limits: PendingLimits
      readonly done: (isStored: boolean) => void
      readonly failed: (error: unknown) => void
    }
  | {
      readonly kind: "replace"
      readonly keys: readonly string[]
      readonly next: Elicitation
      readonly entry: NewEntry
      readonly done: (isReplaced: boolean) => void
      readonly failed: (error: unknown) => void
    }
  | {
      readonly kind: "append"
      readonly keys: readonly string[]
      readonly entry: NewEntry
      readonly done: (isStored: boolean) => void
      readonly failed: (error: unknown) => void
    }

export interface Transaction {
  readonly statements: readonly Statement[]
  /** Which writes took effect and what the trail gained, from the rows of each statement. */
  readonly judge: (results: readonly (readonly Row[])[]) => Judged
}

export interface Judged {
  readonly won: ReadonlySet<Write>
  readonly entries: readonly Entry[]
}

export function toTransaction(
  writes: readonly Write[],
  reads: readonly { readonly id: string; readonly at: number }[],
  sql: Statements,
  newStamp: () => string,
): Transaction {
  const stamps = new Map<Write, string>()
  const inserts: Record<string, unknown>[] = []
  const replacements: Record<string, unknown>[] = []
  const counts: Record<string, unknown>[] = []
  const taken = new Map<string, number>()
  for (const write of writes) {
    if (write.kind === "append") continue
    const stamp = newStamp()
    stamps.set(write, stamp)
    const { next } = write
    const { id, tenant } = next
    if (write.kind === "insert") {
      const slots = slotsOf(next, write.limits, (who) => takeNumber(taken, JSON.stringify([tenant, who])))
      inserts.push({ ...toQuestionRow(next, stamp), slots })
      counts.push({ id, tenant, stamp, change: 1, slots: slots.map(({ who }) => ({ who })) })
    } else {
      replacements.push(toProgressRow(next, stamp))
      if (isSettled(next.status))
        counts.push({ id, tenant, stamp, change: -1, slots: slotKeysOf(next).map((who) => ({ who })) })
    }
  }
  const addressed = inserts.filter((row) => (row.addressees as readonly unknown[]).length > 0)
  const trail = writes.map((write, index) => toTrailRow(write.entry, stamps.get(write) ?? null, index))
  const steps = {
    insert: inserts,
    replace: replacements,
    address: addressed,
    count: counts,
    record: trail,
    noteRead: reads,
  } satisfies Partial<Record<keyof Statements, readonly unknown[]>>
  const names = (Object.keys(steps) as (keyof typeof steps)[]).filter((name) => steps[name].length > 0)
  return {
    statements: names.map((name) => ({ text: sql[name], values: [JSON.stringify(steps[name])] })),
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

function takeNumber(taken: Map<string, number>, key: string): number {
  const ahead = taken.get(key) ?? 0
  taken.set(key, ahead + 1)
  return ahead
}
