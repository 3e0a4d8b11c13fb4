// Bodies that arrive byte by byte take little more memory than their size.

import { expect, it } from "vitest"
import { readText } from "../src/body.ts"
import { createByteBuffer } from "../src/byte-buffer.ts"

it("collects bytes in order, and begins again after they were taken", () => {
  const bytes = createByteBuffer()
  for (const text of ["a", "", "bcd", "e".repeat(10_000)]) bytes.add(Buffer.from(text))
  expect(bytes.size).toBe(10_004)
  expect(Buffer.from(bytes.take()).toString()).toBe(`abcd${"e".repeat(10_000)}`)
  bytes.add(Buffer.from("f"))
  expect(Buffer.from(bytes.take()).toString()).toBe("f")
})

it("a body that comes byte by byte is read within a small multiple of its size", async () => {
  const total = 1_000_000
  let sent = 0
  let most = 0
  const inUse = (): number => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = inUse()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ === total) return controller.close()
      if (sent % 50_000 === 0) most = Math.max(most, inUse())
      controller.enqueue(new Uint8Array(Buffer.from("a")))
    },
  })
  expect(await readText({ headers: new Headers(), body }, total)).toHaveLength(total)
  expect(most - before).toBeLessThan(100_000_000)
})
