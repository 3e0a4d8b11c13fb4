// Measures the vault: sealing, and the cost of connections. This file lists the measurements.

import type { Area } from "../bench.ts"
import type { Result } from "../result.ts"
import { measureFetch } from "./fetch.ts"
import { measurePage } from "./page.ts"
import { measureRewrap } from "./rewrap.ts"

const measurements: readonly Area[] = [measureFetch, measureRewrap, measurePage]

export const measureVault: Area = async (bench) => {
  const results: Result[] = []
  for (const measure of measurements) results.push(...(await measure(bench)))
  return results
}
