// Bytes for each pending question with its waiter.

import type { Bench } from "../bench.ts"
import type { Result } from "../result.ts"
import type { Crowd } from "./crowd.ts"
import { toGrowth } from "./crowd.ts"

export async function measureMemory(bench: Bench, { engine, ...crowd }: Crowd): Promise<readonly Result[]> {
  bench.progress(`${engine}: filling ${crowd.all.map(({ pending }) => pending).join(", ")} pending`)
  const filled = crowd.all.map(
    async ({ pending, child }) => [pending, await child.call("fill", { count: pending })] as const,
  )
  const bytes = new Map(await Promise.all(filled))
  const { some, many } = crowd
  const heap = ({ pending }: { pending: number }): number => bytes.get(pending)?.heapBytes ?? Number.NaN
  const rss = bytes.get(many.pending)?.rssBytes ?? Number.NaN
  const growth = (heap(many) * many.pending) / (heap(some) * some.pending)
  return [
    ...[some, many].map((each) => ({ name: `${engine}/heap/${each.pending}`, value: heap(each), unit: "B" })),
    { name: `${engine}/rss/${many.pending}`, value: rss, unit: "B" },
    toGrowth({ engine, ...crowd }, "heap", `heap/${some.pending}`, growth),
  ]
}
