// The random operations of the model test.

import fc from "fast-check"
import { treatments } from "./receivers.ts"
import { createWorld, type World } from "./world.ts"

const process = fc.constantFrom(0, 1)
const parcel = fc.record({
  receiver: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  isOrdered: fc.boolean(),
  delayMs: fc.constantFrom(0, 0, 500, 70_000),
  script: fc.array(fc.constantFrom(...treatments), { maxLength: 5 }),
})

const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("send" as const),
      parcels: fc.array(parcel, { minLength: 1, maxLength: 6 }),
      isAnnounced: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("advance" as const),
      ms: fc.constantFrom(10, 1_000, 5_000, 20_000, 46_000, 61_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("crash" as const), process }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("close" as const), process }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("start" as const), process }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("skew" as const),
      process,
      aheadMs: fc.constantFrom(-6_000, 6_000, 7_000, 0, 300_000, -300_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("fail" as const),
      process,
      failure: fc.constantFrom("lost" as const, "cut" as const),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("hurry" as const), process, parcel: fc.nat(20) }) },
)

export type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never

export const operations = fc.array(operation, { minLength: 5, maxLength: 40, size: "max" })

/** Plays the operations in a new world, and returns what went wrong. */
export async function playSequence(
  storages: Parameters<typeof createWorld>[0],
  run: number,
  sequence: readonly Operation[],
  coverage: Map<string, number>,
): Promise<readonly string[]> {
  const world = createWorld(storages, run)
  world.start(0)
  world.start(1)
  for (const one of sequence) await apply(world, one)
  const violations = await world.end()
  for (const { treatment, state } of world.receivers.visits) {
    const key = `${treatment} ${state}`
    coverage.set(key, (coverage.get(key) ?? 0) + 1)
  }
  return violations
}

async function apply(world: World, one: Operation): Promise<void> {
  switch (one.type) {
    case "send":
      return world.send(one.parcels, one.isAnnounced)
    case "advance":
      return world.time.advance(one.ms)
    case "crash":
      return world.crash(one.process)
    case "close":
      return world.close(one.process)
    case "start":
      return world.start(one.process)
    case "skew":
      return world.skew(one.process, one.aheadMs)
    case "fail":
      return world.failWrites(one.process, one.failure, one.count)
    case "hurry":
      return world.hurry(one.process, one.parcel)
  }
}
