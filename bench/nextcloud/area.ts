// The Nextcloud server: what its tools cost beside bare ones, how many requests they make, how soon it is there, and how
// much of a model's context its tools take. Each measurement is a file that gives results; it is added here.

import type { Area } from "../bench.ts"
import type { Result } from "../result.ts"
import { measureCalls } from "./calls.ts"
import { measureLists } from "./lists.ts"
import { measureRequests } from "./requests.ts"
import { measureStart } from "./start.ts"

const measurements: readonly Area[] = [measureLists, measureRequests, measureStart, measureCalls]

export const measureNextcloud: Area = async (bench) => {
  const results: Result[] = []
  for (const measure of measurements) results.push(...(await measure(bench)))
  return results
}
