// Measures the hub and its stores without a protocol.

import type { Bench } from "../bench.ts"
import type { Result } from "../result.ts"
import { measureCrossProcess } from "./cross-process.ts"
import { measurePolling } from "./polling.ts"
import { measureRoundTrips } from "./round-trips.ts"
import { measureStanding } from "./standing.ts"

export async function measureCore(bench: Bench): Promise<readonly Result[]> {
  const { engines, sizes } = bench
  const results: Result[] = []
  for (const engine of engines) results.push(...(await measureRoundTrips(bench, engine)))
  const standing = engines.filter((engine) => sizes.pendingEngines.includes(engine))
  results.push(...(await measureStanding(bench, standing)))
  for (const engine of engines) {
    if (engine !== "memory") results.push(...(await measureCrossProcess(bench, engine)))
  }
  const polled = await measurePolling(bench)
  return [...results, ...polled.map((result) => besideHub(result, results, sizes.pending[1]))]
}

/** A poller's wait, compared with a hub waiter's at about the same number of pending questions. */
function besideHub(polled: Result, results: readonly Result[], pending: number): Result {
  const percent = /\/wake\/(p\d+)$/.exec(polled.name)?.[1]
  const hub = results.find(({ name }) => name === `sqlite/wake/${pending}/${percent}`)
  return hub === undefined ? polled : { ...polled, baseline: hub.name, ratio: polled.value / hub.value }
}
