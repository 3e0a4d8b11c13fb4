// The processor time of waiting while nothing happens. All processes idle at the same time, each on its own clock.

import type { Bench } from "../bench.ts"
import type { Result } from "../result.ts"
import type { Crowd } from "./crowd.ts"

export async function measureIdle(bench: Bench, { engine, some, many }: Crowd): Promise<readonly Result[]> {
  const { idleMs } = bench.sizes
  bench.progress(`${engine}: idling for ${idleMs / 1_000} s`)
  const shares = await Promise.all([some, many].map(({ child }) => child.call("idle", { ms: idleMs })))
  return [some, many].map(({ pending }, index) => ({
    name: `${engine}/idle/${pending}`,
    value: shares[index] ?? Number.NaN,
    unit: "% of a core",
  }))
}
