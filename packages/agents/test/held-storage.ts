// A storage whose reads of runs and their logs can be held one at a time, so that a test decides what another process
// does between two reads.

import type { Storage } from "@holdpoint/hub"
import type { KeptRecord, Records } from "@holdpoint/hub/storage"
import { logKind, runKind } from "../src/records.ts"

/** The read to hold: its number from 0, counted from `arm`, and whether it is held before or after it is carried out. */
export interface HeldRead {
  readonly read: number
  readonly when: "before" | "after"
}

export interface HeldStorage {
  readonly storage: Storage
  /** From now on, counts the reads and holds one of them until `meanwhile` has resolved. */
  arm(held: HeldRead, meanwhile: () => Promise<void>): void
}

export function holdReads(storage: Storage): HeldStorage {
  let count = 0
  let armed: { readonly held: HeldRead; readonly meanwhile: () => Promise<void> } | undefined
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    if (armed === undefined) return work()
    const { held, meanwhile } = armed
    const isHeld = held.read === count
    count += 1
    if (isHeld && held.when === "before") await meanwhile()
    const result = await work()
    if (isHeld && held.when === "after") await meanwhile()
    return result
  }
  const hold = <R extends KeptRecord>(records: Records<R>): Records<R> => ({
    ...records,
    get: (id) => counted(() => records.get(id)),
    list: (query) => counted(() => records.list(query)),
  })
  return {
    storage: {
      ...storage,
      records: (kind) =>
        kind.name === runKind.name || kind.name === logKind.name ? hold(storage.records(kind)) : storage.records(kind),
    },
    arm(held, meanwhile) {
      count = 0
      armed = { held, meanwhile }
    },
  }
}
