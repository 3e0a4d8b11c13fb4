// Full round trips (ask, answer, resume) per second, one at a time and many at once, compared with the bare cost.

import type { Bench } from "../bench.ts"
import type { Variants } from "../measure.ts"
import { interleave, median, medianRatio, ratePerSecond } from "../measure.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import { openBare } from "./bare.ts"
import { personOf, roundTrip } from "./question.ts"
import type { OpenHub } from "./store-locations.ts"
import { newStoreLocation, openHub, removeStoreLocation } from "./store-locations.ts"

const warmUpMs = 150

export async function measureRoundTrips(bench: Bench, engine: EngineName): Promise<readonly Result[]> {
  const { variants, close } = await openVariants(bench, engine)
  try {
    bench.progress(`${engine}: warming up`)
    const { rounds } = bench.sizes
    await interleave(variants(warmUpMs), 1, () => {})
    const values = await interleave(variants(bench.sizes.sliceMs), rounds, (round) =>
      bench.progress(`${engine}: round trips, round ${round} of ${rounds}`),
    )
    return toResults(engine, values)
  } finally {
    await close()
  }
}

interface OpenVariants {
  readonly variants: (ms: number) => Variants
  close(): Promise<void>
}

async function openVariants(bench: Bench, engine: EngineName): Promise<OpenVariants> {
  const { concurrencies } = bench.sizes
  const each = (measured: (concurrency: number) => () => Promise<number>): Variants =>
    Object.fromEntries(concurrencies.map((concurrency) => [`c${concurrency}`, measured(concurrency)]))
  const location = await newStoreLocation(bench, engine)
  if (location.engine === "memory") {
    // Memory keeps every settled question, so each turn gets its own hub. Later turns would measure the garbage collector.
    const fresh = (concurrency: number, ms: number) => async (): Promise<number> => {
      const opened = await openHub(location)
      const rate = await hubRate(opened, concurrency, ms)
      await opened.close()
      globalThis.gc?.()
      return rate
    }
    return { variants: (ms) => each((concurrency) => fresh(concurrency, ms)), close: async () => {} }
  }
  const opened = await openHub(location)
  const bareLocation = await newStoreLocation(bench, engine)
  const bare = await openBare(bareLocation as typeof location)
  return {
    variants: (ms) => ({
      bare: () => ratePerSecond(bare.roundTrip, { concurrency: 1, ms }),
      ...each((concurrency) => () => hubRate(opened, concurrency, ms)),
    }),
    async close() {
      await bare.close()
      await opened.close()
      await removeStoreLocation(bareLocation)
      await removeStoreLocation(location)
    },
  }
}

function hubRate({ hub }: OpenHub, concurrency: number, ms: number): Promise<number> {
  return ratePerSecond((worker) => roundTrip(hub, personOf(worker)), { concurrency, ms })
}

/** One at a time is compared with the bare cost; many at once with one at a time. */
function toResults(engine: EngineName, values: Readonly<Record<string, readonly number[]>>): readonly Result[] {
  return Object.entries(values).map(([variant, rates]) => {
    const of = variant === "c1" ? "bare" : "c1"
    const baseline = variant === "bare" ? undefined : values[of]
    return {
      name: `${engine}/round-trips/${variant}`,
      value: median(rates),
      unit: "/s",
      ...(baseline === undefined
        ? {}
        : { baseline: `${engine}/round-trips/${of}`, ratio: medianRatio(rates, baseline) }),
    }
  })
}
