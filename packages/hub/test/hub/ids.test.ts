// Ids of the real runtime: valid, unique, not to be guessed, and near each other in an index when made together.

import { expect, test } from "vitest"
import { createIds } from "../../src/hub/runtime.ts"

const ids = (count: number, newId = createIds()): readonly string[] => Array.from({ length: count }, newId)

test("every id is a UUID v4, and no two are the same", () => {
  const made = ids(20_000)
  expect(new Set(made).size).toBe(made.length)
  const isV4 = (id: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)
  expect(made.filter((id) => !isV4(id))).toEqual([])
})

test("a few thousand ids that are made together share a prefix", () => {
  const made = ids(10_000)
  const groups = made.map((id) => id.slice(0, 8))
  expect(groups.filter((group, index) => index > 0 && group !== groups[index - 1])).toHaveLength(2)
  expect(new Set(groups).size).toBe(3)
})

test("ids of two processes have different prefixes, and ids do not reveal when they were made", () => {
  const groups = Array.from({ length: 50 }, () => ids(1)[0]?.slice(0, 8))
  expect(new Set(groups).size).toBe(50)
  expect(groups).not.toEqual(groups.toSorted())
})

test("all 90 bits after the prefix vary between ids that share a prefix", () => {
  const bits = ids(2_000).map((id) => BigInt(`0x${id.slice(8).replaceAll("-", "")}`))
  const ones = (bit: number): number => bits.filter((id) => (id >> BigInt(bit)) & 1n).length
  const changing = Array.from({ length: 96 }, (_, bit) => bit).filter((bit) => ones(bit) > 0 && ones(bit) < 2_000)
  expect(changing).toHaveLength(90)
})
