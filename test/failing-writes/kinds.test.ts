// One failed write of each kind of record of a run, in memory: the same as the table, small and the same each time.

import { createMemoryStorage, HoldpointError, type Storage } from "@holdpoint/hub"
import type { KeptRecord, RecordKind, Records } from "@holdpoint/hub/storage"
import { expect, it } from "vitest"
import { run } from "./run.ts"
import { receipt } from "./scene.ts"

interface Target {
  readonly kind: string
  /** Which write of the kind fails, from 1. */
  readonly number: number
  readonly hasEffect: boolean
}

function failing(target: Target) {
  const storage = createMemoryStorage()
  let count: number | undefined
  const guard = <R extends KeptRecord>({ name }: RecordKind<R>, records: Records<R>): Records<R> => {
    if (name !== target.kind) return records
    const guarded =
      <A extends readonly unknown[]>(write: (...given: A) => Promise<boolean>) =>
      async (...given: A): Promise<boolean> => {
        const isTarget = count !== undefined && ++count === target.number
        if (isTarget && !target.hasEffect) throw new HoldpointError("store_unavailable", "lost")
        const isWritten = await write(...given)
        if (isTarget) throw new HoldpointError("store_unavailable", "cut")
        return isWritten
      }
    return {
      ...records,
      insert: guarded(records.insert),
      replace: guarded(records.replace),
      remove: guarded(records.remove),
    }
  }
  const records: Storage["records"] = (kind) => guard(kind, storage.records(kind))
  return {
    storage: { ...storage, records },
    begin() {
      count = 0
    },
    hasFailed: () => (count ?? 0) >= target.number,
  }
}

it.each([
  ["the start of the stream", { kind: "run_log", number: 1 }],
  ["the words of the model", { kind: "run_log", number: 2 }],
  ["the question in the stream", { kind: "run_log", number: 3 }],
  ["the step of the model", { kind: "journal_entry", number: 1 }],
  ["the question of the call", { kind: "journal_entry", number: 2 }],
  ["the answer of the person", { kind: "journal_entry", number: 3 }],
  ["the result of the effect", { kind: "journal_entry", number: 5 }],
  ["the end of the call", { kind: "call", number: 5 }],
  ["the status of the run", { kind: "run", number: 2 }],
  ["the end of the run", { kind: "run", number: 4 }],
] as const)("a write of %s that fails once changes nothing that anybody reads", async (_what, place) => {
  for (const hasEffect of [true, false]) {
    const { storage, begin, hasFailed } = failing({ ...place, hasEffect })
    const { effects, told, isOver } = await run.play(storage, begin)
    expect([effects, told, isOver, hasFailed()]).toEqual([...[1, `One moment. Result: ${receipt} 1`], ...[true, true]])
  }
})

/** A storage that is away for some operations, as soon as it has stored a question. */
function awayAfterQuestion(times: number) {
  const storage = createMemoryStorage()
  let left: number | undefined
  const guard = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== "function") return member
        return async (...given: readonly unknown[]) => {
          if (left !== undefined && left > 0) {
            left--
            throw new HoldpointError("store_unavailable", "away")
          }
          const result: unknown = await Reflect.apply(member, target, given)
          if (target === (storage.store as object) && name === "insert") left ??= times
          return result
        }
      },
    })
  const records: Storage["records"] = (kind) => guard(storage.records(kind))
  const { trail } = storage
  return {
    ...storage,
    ...{ records, store: guard(storage.store) },
    trail: { ...trail, append: guard({ append: trail.append.bind(trail) }).append },
  }
}

it.each([1, 2, 3, 4, 6, 8, 12, 16, 24])(
  "a storage that is away for %i operations after a question loses nothing",
  async (times) => {
    const { effects, told, isOver } = await run.play(awayAfterQuestion(times), () => {})
    expect([effects, told, isOver]).toEqual([1, `One moment. Result: ${receipt} 1`, true])
  },
)
