// Bytes for each pending question with its waiter.

import type { Bench } from "../bench.ts"
import type { Result } from "../result.ts"
import type { Crowd } from "./crowd.ts"
import { toGrowth } from "./crowd.ts"

export async function measureMemory(bench: Bench, { engine, ...crowd }: Crowd): Promise<readonly Result[]> {
  const bytes = new Map<number, { heapBytes: number; rssBytes: number }>()
  for (const { pending, child } of crowd.all) {
    bench.progress(`${engine}: filling ${pending} pending`)
    bytes.set(pending, await child.call("fill", { count: pending }))
  }
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
