// Measures the Nextcloud server: the cost of its tools compared with bare ones, their requests, the start, and how much of
// a model's context the tools take. This file lists the measurements.

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
