// The cost of a large database: rates, sweeps and lists with very many settled questions, compared with few.

import type { Bench } from "../bench.ts"
import { personOf, roundTrip } from "../core/question.ts"
import type { OpenHub, StoreLocation } from "../core/store-locations.ts"
import { newStoreLocation, openHub, removeStoreLocation } from "../core/store-locations.ts"
import type { Variants } from "../measure.ts"
import { interleave, median, medianRatio, ratePerSecond } from "../measure.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import { fill } from "./fill.ts"

const warmUpMs = 150
/**
 * How many times longer a slice is than in other areas. Read times are written a second after the answers were read. In
 * slices of less than a second, the read times of one slice slow the next one, and with two variants the ratio depends
 * on which of them runs first.
 */
const longerSlices = 3
const openQuestions = 1_000
const listed = 50

interface FilledHub extends OpenHub {
  readonly settled: number
  readonly location: StoreLocation
}

export async function measureGrowth(bench: Bench): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const engine of bench.engines) if (engine !== "memory") results.push(...(await measureEngine(bench, engine)))
  return results
}

async function measureEngine(bench: Bench, engine: "sqlite" | "postgres"): Promise<readonly Result[]> {
  const [few, many] = bench.sizes.settled
  const filled: FilledHub[] = []
  try {
    for (const settled of [few, many]) filled.push(await openFilled(bench, engine, settled))
    const times = []
    for (const one of filled) times.push(...(await measureTimes(bench, engine, one)))
    return [...times, ...(await measureRates(bench, engine, filled as [FilledHub, FilledHub]))]
  } finally {
    for (const { close, location } of filled) {
      await close()
      await removeStoreLocation(location)
    }
  }
}

async function openFilled(bench: Bench, engine: "sqlite" | "postgres", settled: number): Promise<FilledHub> {
  bench.progress(`${engine}: filling ${settled} settled questions`)
  const location = await newStoreLocation(bench, engine)
  await fill(location as Exclude<StoreLocation, { engine: "memory" }>, {
    settled,
    open: Math.min(settled, openQuestions),
  })
  return { ...(await openHub(location)), settled, location }
}

/** Measures rare operations: a sweep that finds nothing to delete, and a page of a tenant's open questions. */
async function measureTimes(bench: Bench, engine: EngineName, { hub, settled }: FilledHub): Promise<readonly Result[]> {
  bench.progress(`${engine}: sweeps and lists beside ${settled} settled questions`)
  const { tenant } = personOf(0)
  const works = {
    sweep: () => hub.sweep(),
    "open-list": () => hub.list({ tenant, state: "open", limit: listed }),
  }
  const results: Result[] = []
  for (const [name, work] of Object.entries(works)) {
    const times: number[] = []
    for (let sample = 0; sample < bench.sizes.rounds; sample++) {
      const start = performance.now()
      await work()
      times.push(performance.now() - start)
    }
    results.push({ name: `${engine}/settled/${settled}/${name}`, value: median(times), unit: "ms" })
  }
  return results
}

async function measureRates(
  bench: Bench,
  engine: EngineName,
  filled: readonly [FilledHub, FilledHub],
): Promise<readonly Result[]> {
  const { concurrencies } = bench.sizes
  const rounds = Math.ceil(bench.sizes.rounds / 2)
  const sliceMs = bench.sizes.sliceMs * longerSlices
  const results: Result[] = []
  for (const concurrency of concurrencies) {
    const variants = (ms: number): Variants =>
      Object.fromEntries(
        filled.map(({ hub, settled }) => [
          String(settled),
          () => ratePerSecond((worker) => roundTrip(hub, personOf(worker)), { concurrency, ms }),
        ]),
      )
    await interleave(variants(warmUpMs), 1, () => {})
    const rates = await interleave(variants(sliceMs), rounds, (round) =>
      bench.progress(`${engine}: c${concurrency} beside settled questions, round ${round} of ${rounds}`),
    )
    results.push(...toResults(engine, concurrency, { rates, filled }))
  }
  return results
}

function toResults(
  engine: EngineName,
  concurrency: number,
  {
    rates,
    filled,
  }: { readonly rates: Readonly<Record<string, readonly number[]>>; readonly filled: readonly FilledHub[] },
): readonly Result[] {
  const nameOf = (settled: number): string => `${engine}/settled/${settled}/c${concurrency}`
  const ratesOf = (settled: number): readonly number[] => rates[String(settled)] ?? []
  const few = filled[0]?.settled ?? 0
  return filled.map(({ settled }) => ({
    name: nameOf(settled),
    value: median(ratesOf(settled)),
    unit: "/s",
    ...(settled === few ? {} : { baseline: nameOf(few), ratio: medianRatio(ratesOf(settled), ratesOf(few)) }),
  }))
}
