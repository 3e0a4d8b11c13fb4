// Which writes share a commit, in turns of the event loop.

import { expect, it } from "vitest"
import { createBatch } from "../../src/stores/batch.ts"

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const write = (key: string) => ({ keys: [key] })

function openBatch() {
  const commits: string[][] = []
  const batch = createBatch<{ readonly keys: readonly string[] }>(async (writes) => {
    commits.push(writes.flatMap(({ keys }) => keys))
  })
  return { batch, commits }
}

it("a single write is committed after one turn", async () => {
  const { batch, commits } = openBatch()
  batch.add(write("a"))
  await nextTurn()
  await Promise.resolve()
  expect(commits).toEqual([["a"]])
})

it("writes of successive turns share a commit as long as each turn brings more", async () => {
  const { batch, commits } = openBatch()
  for (const some of [["a", "b"], ["c"], ["d"]]) {
    for (const key of some) batch.add(write(key))
    await nextTurn()
  }
  await batch.drain()
  batch.add(write("e"))
  await batch.drain()
  expect(commits).toEqual([["a", "b", "c", "d"], ["e"]])
})

it("a stream of writes without a pause does not delay a commit for more than a few turns", async () => {
  const { batch, commits } = openBatch()
  batch.add(write("first"))
  for (let at = 0; at < 10; at++) {
    batch.add(write(String(at)))
    await nextTurn()
  }
  expect(commits[0]).toContain("first")
  await batch.drain()
  expect(commits.flat()).toHaveLength(11)
})

it("two writes with a common key never share a commit", async () => {
  const { batch, commits } = openBatch()
  for (const key of ["a", "b", "a"]) batch.add(write(key))
  await batch.drain()
  expect(commits).toEqual([["a", "b"], ["a"]])
})
