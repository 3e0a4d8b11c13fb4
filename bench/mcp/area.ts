// Measures MCP: what our handler costs compared with the SDK's own, and what waiting for a person costs. This file lists
// the measurements.

import type { Area } from "../bench.ts"
import type { Result } from "../result.ts"
import { measureCalls } from "./calls.ts"
import { measureHeld } from "./held.ts"
import { measureWaits } from "./waits.ts"

const measurements: readonly Area[] = [measureCalls, measureWaits, measureHeld]

export const measureMcp: Area = async (bench) => {
  const results: Result[] = []
  for (const measure of measurements) results.push(...(await measure(bench)))
  return results
}
