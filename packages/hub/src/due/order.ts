// Records of one owner that are carried out in their order: a later one waits until the earlier ones are due no more.

import { isHeld } from "../core/due.ts"
import type { Records } from "../ports/records.ts"
import { change } from "./change.ts"
import type { DueKind, DueRecord } from "./due-kind.ts"

const mostInLane = 200
/** How long after the earlier record's due time a waiting one is looked at again, if nothing happens before. */
const waitMs = 1_000

export interface Order<R> {
  /** When the record's turn can come, if it has to wait. Undefined when it is the first. */
  delay(record: R): Promise<number | undefined>
  /** Makes the next record of the same owner due now. Returns whether there is one. */
  wakeNext(record: R): Promise<boolean>
}

export function createOrder<R extends DueRecord>(
  { record: kind, orderOf }: Pick<DueKind<R, never>, "record" | "orderOf">,
  records: Pick<Records<R>, "list" | "get" | "replace" | "remove">,
  now: () => number,
): Order<R> {
  if (orderOf === undefined) return { delay: async () => undefined, wakeNext: async () => false }
  const waiting = async (record: R): Promise<readonly R[]> => {
    const owner = kind.owner(record)
    if (owner === undefined) return []
    const all = await records.list({ tenant: record.tenant, owner, limit: mostInLane })
    return all.filter((one) => kind.dueAt(one) !== undefined).toSorted((a, b) => orderOf(a) - orderOf(b))
  }
  const postpone = (record: R, dueAt: number): Promise<R | undefined> =>
    change(records, record, (current) =>
      kind.dueAt(current) === undefined || isHeld(current, now()) ? undefined : { ...current, dueAt },
    )
  return {
    async delay(record) {
      const [first] = await waiting(record)
      if (first === undefined || orderOf(first) >= orderOf(record)) return undefined
      const until = Math.max(first.dueAt ?? 0, now()) + waitMs
      return (await postpone(record, until)) === undefined ? now() + waitMs : until
    },
    async wakeNext(record) {
      const next = (await waiting(record)).find(({ id }) => id !== record.id)
      if (next === undefined) return false
      if ((next.dueAt ?? 0) > now()) await postpone(next, now())
      return true
    },
  }
}
