// How many connections a key rotation rewraps per second, including all reads and writes.

import type { Storage } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createSealer, rewrapAll, withNewKey } from "@holdpoint/hub/sealing"
import type { Area, Bench } from "../bench.ts"
import { newStoreLocation, openStorage, removeStoreLocation } from "../core/store-locations.ts"
import { median } from "../measure.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import { insertConnections } from "./connections.ts"

export const measureRewrap: Area = async (bench) => {
  const results: Result[] = []
  for (const engine of bench.engines) results.push(await measureOn(bench, engine))
  return results
}

async function measureOn(bench: Bench, engine: EngineName): Promise<Result> {
  const { connections, rounds } = bench.sizes
  const location = await newStoreLocation(bench, engine)
  const storage = await openStorage(location)
  try {
    let ring = withNewKey()
    await insertConnections(storage, createSealer(ring), connections)
    const rates: number[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      bench.progress(`${engine}: rewrapping, round ${round} of ${rounds}`)
      ring = withNewKey(ring)
      const rate = await rewrapRate(storage, ring, connections)
      if (round > 0) rates.push(rate)
    }
    return { name: `${engine}/rewrap`, value: median(rates), unit: "/s" }
  } finally {
    await storage.close()
    await removeStoreLocation(location)
  }
}

async function rewrapRate(storage: Storage, ring: KeyRing, expected: number): Promise<number> {
  const start = performance.now()
  const { done, failed } = await rewrapAll(storage, createSealer(ring))
  const seconds = (performance.now() - start) / 1_000
  if (done !== expected || failed.length > 0) throw new Error(`${done} of ${expected} were rewrapped.`)
  return done / seconds
}
