// Tool calls per second over HTTP, sixteen at once: our handler compared with the SDK's own, each in a process of its own.

import type { Area, Bench } from "../bench.ts"
import { startChild } from "../child.ts"
import { newStoreLocation, removeStoreLocation } from "../core/store-locations.ts"
import { interleave, median, medianRatio, ratePerSecond } from "../measure.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import { callLegacy, callModern, initialize, resultOf } from "./client.ts"
import type { ServerCommands } from "./server-child.ts"

const concurrency = 16
const call = { name: "events", arguments: { day: "Monday" } }

export const measureCalls: Area = async (bench) => {
  const results: Result[] = []
  for (const engine of bench.engines) results.push(...(await measureOn(bench, engine)))
  return results
}

async function measureOn(bench: Bench, engine: EngineName): Promise<readonly Result[]> {
  const location = await newStoreLocation(bench, engine)
  const child = startChild<ServerCommands>(new URL("./server-child.ts", import.meta.url).pathname)
  try {
    const { bare, ours } = await child.call("open", { location })
    const { sliceMs, rounds } = bench.sizes
    const sessions = { bare: await initialize(bare), ours: await initialize(ours) }
    const rate = (work: () => Promise<Response>) => () =>
      ratePerSecond(() => work().then(check), { concurrency, ms: sliceMs })
    const variants = {
      modernBare: rate(() => callModern(bare, call)),
      modern: rate(() => callModern(ours, call)),
      legacyBare: rate(() => callLegacy(bare, sessions.bare, call)),
      legacy: rate(() => callLegacy(ours, sessions.ours, call)),
    }
    await interleave(variants, 1, () => {})
    const values = await interleave(variants, rounds, (round) =>
      bench.progress(`${engine}: calls, round ${round} of ${rounds}`),
    )
    return [
      ...compared(`${engine}/mcp/modern`, values.modern, values.modernBare),
      ...compared(`${engine}/mcp/legacy`, values.legacy, values.legacyBare),
    ]
  } finally {
    await child.stop()
    await removeStoreLocation(location)
  }
}

export function compared(name: string, ours: readonly number[], bare: readonly number[]): readonly Result[] {
  const baseline = `${name}/bare`
  return [
    { name: baseline, value: median(bare), unit: "/s" },
    { name: `${name}/connected`, value: median(ours), unit: "/s", baseline, ratio: medianRatio(ours, bare) },
  ]
}

export async function check(response: Response): Promise<void> {
  const { isError } = await resultOf(response)
  if (isError === true) throw new Error("The tool failed.")
}
