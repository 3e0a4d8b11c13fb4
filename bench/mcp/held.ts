// The memory of a call that is held open while a person thinks: ours compared with the same request held by the SDK's
// own handler, each in a process of its own. Timers are counted in another process, because counting takes memory.

import type { Area, Bench } from "../bench.ts"
import { type Child, startChild } from "../child.ts"
import { newStoreLocation, removeStoreLocation } from "../core/store-locations.ts"
import type { Result } from "../result.ts"
import type { HeldCommands } from "./held-child.ts"

type Order = Parameters<HeldCommands["hold"]>[0]

export const measureHeld: Area = async (bench) => {
  const { heldCalls: count } = bench.sizes
  const results: Result[] = []
  for (const era of ["modern", "legacy"] as const) {
    bench.progress(`${count} held calls, ${era}`)
    results.push(...(await measureEra(bench, era, count)))
  }
  return results
}

async function measureEra(bench: Bench, era: Order["era"], count: number): Promise<readonly Result[]> {
  const { settleMs } = bench.sizes
  const hold = (side: Order["side"]): Promise<number> =>
    inChild(bench, (child, location) => child.call("hold", { location, side, era, count, settleMs }))
  const [bare, ours] = [await hold("bare"), await hold("ours")]
  const timers = await inChild(bench, async (child, location) => {
    const before = await child.call("countTimers", { location, side: "bare", era, count, settleMs })
    return (await child.call("countTimers", { location, side: "ours", era, count, settleMs })) - before
  })
  const name = `sqlite/mcp/held/${count}/${era}`
  const baseline = `${name}/bare`
  return [
    { name: baseline, value: bare, unit: "B" },
    { name: `${name}/ours`, value: ours, unit: "B", baseline, ratio: ours / bare },
    { name: `${name}/more`, value: ours - bare, unit: "B" },
    // The process itself has a few timers, independent of the number of calls.
    { name: `${name}/timers`, value: Math.max(0, timers) / count, unit: "each" },
  ]
}

/** Measures in a child process with a database on disk, because a database in memory would be measured too. */
async function inChild<T>(
  bench: Bench,
  work: (child: Child<HeldCommands>, location: Order["location"]) => Promise<T>,
): Promise<T> {
  const location = await newStoreLocation(bench, "sqlite")
  const child = startChild<HeldCommands>(new URL("./held-child.ts", import.meta.url).pathname)
  try {
    return await work(child, location)
  } finally {
    await child.stop()
    await removeStoreLocation(location)
  }
}
