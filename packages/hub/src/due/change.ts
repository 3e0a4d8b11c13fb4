// Changes a record by compare-and-set: the change is judged again whenever another process was faster.

import type { KeptRecord, Records } from "../ports/records.ts"
import type { NewEntry } from "../ports/trail.ts"

/** The next state of a record; its version is set here. Undefined refuses the change; the same record changes nothing. */
export type Next<R> = R | "remove" | undefined

/**
 * Returns the record as it is stored after the change, or as it was before it was removed. Undefined when the change was
 * refused, or when there is no such record. A record that was read already is only read again after a lost race.
 */
export async function change<R extends KeptRecord>(
  records: Pick<Records<R>, "get" | "replace" | "remove">,
  from: R | string,
  judge: (current: R) => Next<R>,
  toEntry?: ((next: R, current: R) => NewEntry | undefined) | undefined,
): Promise<R | undefined> {
  let current = typeof from === "string" ? await records.get(from) : from
  while (current !== undefined) {
    const next = judge(current)
    if (next === undefined || next === current) return next
    if (next === "remove") {
      if (await records.remove(current, toEntry?.(current, current))) return current
    } else {
      const changed = { ...next, version: current.version + 1 }
      if (await records.replace(changed, toEntry?.(changed, current))) return changed
    }
    current = await records.get(current.id)
  }
  return undefined
}

/** Like `change`, for a record that may not exist yet: `judge` returns the first one, whose version is set here too. */
export async function changeOrInsert<R extends KeptRecord>(
  records: Pick<Records<R>, "get" | "insert" | "replace">,
  id: string,
  judge: (current: R | undefined) => R | undefined,
  toEntry?: ((next: R) => NewEntry | undefined) | undefined,
): Promise<R | undefined> {
  for (;;) {
    const current = await records.get(id)
    const next = judge(current)
    if (next === undefined || next === current) return next
    const changed = { ...next, version: (current?.version ?? 0) + 1 }
    const entry = toEntry?.(changed)
    if (await (current === undefined ? records.insert(changed, entry) : records.replace(changed, entry))) return changed
  }
}
