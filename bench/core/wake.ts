// From the answering call to the resumed waiter, in one process, with few and many other questions pending. On a durable
// store this includes the commit.

import type { Bench } from "../bench.ts"
import { median, percentile } from "../measure.ts"
import type { Result } from "../result.ts"
import type { Crowd } from "./crowd.ts"
import { toGrowth } from "./crowd.ts"

export async function measureWake(bench: Bench, crowd: Crowd): Promise<readonly Result[]> {
  const { engine, all, some, many } = crowd
  const { rounds, wakeSamples } = bench.sizes
  const samples = Math.ceil(wakeSamples / rounds)
  const times = new Map(all.map(({ pending }) => [pending, [] as number[]]))
  const growths: number[] = []
  for (let round = 1; round <= rounds; round++) {
    bench.progress(`${engine}: waking, round ${round} of ${rounds}`)
    const medians = new Map<number, number>()
    for (const { pending, child } of all) {
      const woken = await child.call("wake", { samples })
      medians.set(pending, median(woken))
      times.get(pending)?.push(...woken)
    }
    growths.push((medians.get(many.pending) ?? Number.NaN) / (medians.get(some.pending) ?? Number.NaN))
  }
  const results = [...times].flatMap(([pending, woken]) =>
    [50, 99].map((percent) => ({
      name: `${engine}/wake/${pending}/p${percent}`,
      value: percentile(woken, percent),
      unit: "ms",
    })),
  )
  return [...results, toGrowth(crowd, "wake", `wake/${some.pending}/p50`, median(growths))]
}
