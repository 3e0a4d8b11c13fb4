// What a call costs that is held open while a person thinks: ours beside the same request, held open by the SDK's own
// handler, each in a process of its own. Timers are counted in another, since counting takes memory.

import type { Area } from "../bench.ts"
import { type Child, startChild } from "../child.ts"
import type { Result } from "../result.ts"
import type { HeldCommands } from "./held-child.ts"

type Order = Parameters<HeldCommands["hold"]>[0]

export const measureHeld: Area = async (bench) => {
  const { heldCalls: count } = bench.sizes
  const results: Result[] = []
  for (const era of ["modern", "legacy"] as const) {
    bench.progress(`${count} held calls, ${era}`)
    results.push(...(await measureEra(era, count)))
  }
  return results
}

async function measureEra(era: Order["era"], count: number): Promise<readonly Result[]> {
  const bare = await inChild((child) => child.call("hold", { side: "bare", era, count }))
  const ours = await inChild((child) => child.call("hold", { side: "ours", era, count }))
  const timers = await inChild(async (child) => {
    const before = await child.call("countTimers", { side: "bare", era, count })
    return (await child.call("countTimers", { side: "ours", era, count })) - before
  })
  const name = `memory/mcp/held/${count}/${era}`
  const baseline = `${name}/bare`
  return [
    { name: baseline, value: bare, unit: "B" },
    { name: `${name}/ours`, value: ours, unit: "B", baseline, ratio: ours / bare },
    { name: `${name}/more`, value: ours - bare, unit: "B" },
    // The process itself has a handful, however many calls there are.
    { name: `${name}/timers`, value: Math.max(0, timers) / count, unit: "each" },
  ]
}

async function inChild<T>(work: (child: Child<HeldCommands>) => Promise<T>): Promise<T> {
  const child = startChild<HeldCommands>(new URL("./held-child.ts", import.meta.url).pathname)
  try {
    return await work(child)
  } finally {
    await child.stop()
  }
}
