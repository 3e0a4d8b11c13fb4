// A process with a number of pending questions, each with a waiter, which is measured meanwhile.

import { setImmediate } from "node:timers/promises"
import { serve } from "../child.ts"
import { pause, ratePerSecond, sharedNow } from "../measure.ts"
import { answerOne, askOne, personOf, roundTrip } from "./question.ts"
import type { OpenHub, StoreLocation } from "./store-locations.ts"
import { openHub } from "./store-locations.ts"

const chunk = 500
const warmUps = 300
const settleMs = 150

let opened: OpenHub
const waiters: Promise<unknown>[] = []

const commands = {
  async open({ location }: { location: StoreLocation }): Promise<void> {
    opened = await openHub(location)
    for (let index = 0; index < warmUps; index++) await roundTrip(opened.hub, personOf(-1))
  },

  /** Bytes for each pending question: of the heap after garbage collection, and of the process's memory. */
  async fill({ count }: { count: number }): Promise<{ heapBytes: number; rssBytes: number }> {
    const before = await settled()
    for (let first = 0; first < count; first += chunk) {
      const length = Math.min(chunk, count - first)
      await Promise.all(Array.from({ length }, (_, index) => waitForOne(first + index)))
    }
    const after = await settled()
    return { heapBytes: (after.heapUsed - before.heapUsed) / count, rssBytes: (after.rss - before.rss) / count }
  },

  /** Percent of a core while nothing happens. */
  async idle({ ms }: { ms: number }): Promise<number> {
    await settled()
    const start = performance.now()
    const before = process.cpuUsage()
    await pause(ms)
    const { user, system } = process.cpuUsage(before)
    return ((user + system) / 1_000 / (performance.now() - start)) * 100
  },

  /** Milliseconds from the answering call to the resumed waiter, one value for each sample. */
  async wake({ samples }: { samples: number }): Promise<readonly number[]> {
    const times: number[] = []
    for (let sample = 0; sample < samples; sample++) times.push(await wakeOne(personOf(sample)))
    return times
  },

  async rate({ ms }: { ms: number }): Promise<number> {
    return ratePerSecond(() => roundTrip(opened.hub, personOf(-1)), { concurrency: 1, ms })
  },
}

export type StandingCommands = typeof commands

serve(commands, async () => {
  await opened?.close()
})

async function waitForOne(index: number): Promise<void> {
  const waiter = opened.hub.wait(await askOne(opened.hub, personOf(index)))
  // Closing the hub ends all waits, which is not a failure here.
  waiter.catch(() => {})
  waiters.push(waiter)
}

async function wakeOne(person: ReturnType<typeof personOf>): Promise<number> {
  const { hub } = opened
  const id = await askOne(hub, person)
  const resumed = hub.wait(id).then(sharedNow)
  await setImmediate()
  const start = sharedNow()
  const answered = answerOne(hub, id, person)
  const end = await resumed
  await answered
  return end - start
}

/** The memory after pending work and garbage collection. */
async function settled(): Promise<NodeJS.MemoryUsage> {
  await pause(settleMs)
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await setImmediate()
  }
  await pause(settleMs)
  return process.memoryUsage()
}
