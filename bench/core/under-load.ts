// The rate of round trips, one at a time, while other questions are pending.

import type { Bench } from "../bench.ts"
import { interleave, median, medianRatio } from "../measure.ts"
import type { Result } from "../result.ts"
import type { Crowd } from "./crowd.ts"
import { toGrowth } from "./crowd.ts"

export async function measureUnderLoad(bench: Bench, crowd: Crowd): Promise<readonly Result[]> {
  const { engine, some, many } = crowd
  const { rounds, sliceMs } = bench.sizes
  // Short turns, because memory keeps settled questions and they would slow later turns.
  const ms = sliceMs / 3
  const variants = {
    some: () => some.child.call("rate", { ms }),
    many: () => many.child.call("rate", { ms }),
  }
  // Warms up: a process that has only waited runs code that is not compiled yet.
  await interleave(variants, 1, () => {})
  const rates = await interleave(variants, rounds, (round) =>
    bench.progress(`${engine}: round trips while others are pending, round ${round} of ${rounds}`),
  )
  const nameOf = ({ pending }: { pending: number }): string => `pending/${pending}/c1`
  return [
    { name: `${engine}/${nameOf(some)}`, value: median(rates.some), unit: "/s" },
    {
      name: `${engine}/${nameOf(many)}`,
      value: median(rates.many),
      unit: "/s",
      baseline: `${engine}/${nameOf(some)}`,
      ratio: medianRatio(rates.many, rates.some),
    },
    toGrowth(crowd, "round-trip", nameOf(some), medianRatio(rates.some, rates.many)),
  ]
}
