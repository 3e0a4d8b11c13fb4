// Processes with few, some and many pending questions, side by side, so that they can be measured in turns.

import { join } from "node:path"
import type { Bench } from "../bench.ts"
import { startChild } from "../child.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import type { Crowd, Standing } from "./crowd.ts"
import { measureIdle } from "./idle.ts"
import { measureMemory } from "./memory.ts"
import type { Place } from "./places.ts"
import { newPlace, removePlace } from "./places.ts"
import type { StandingCommands } from "./standing-child.ts"
import { measureUnderLoad } from "./under-load.ts"
import { measureWake } from "./wake.ts"

type Measurement = (bench: Bench, crowd: Crowd) => Promise<readonly Result[]>

/** In this order: memory by filling, idling before anything was answered, then what leaves settled questions behind. */
const measurements: readonly Measurement[] = [measureMemory, measureIdle, measureWake, measureUnderLoad]

export async function measureStanding(bench: Bench, engine: EngineName): Promise<readonly Result[]> {
  const places: Place[] = []
  const all: Standing[] = []
  try {
    for (const pending of bench.sizes.pending) {
      const place = await newPlace(bench, engine)
      places.push(place)
      const child = startChild<StandingCommands>(join(import.meta.dirname, "standing-child.ts"))
      all.push({ pending, child })
      await child.call("open", { place })
    }
    const crowd = { engine, all, some: all[1] as Standing, many: all[2] as Standing }
    const results: Result[] = []
    for (const measure of measurements) results.push(...(await measure(bench, crowd)))
    return results
  } finally {
    await Promise.all(all.map(({ child }) => child.stop()))
    for (const place of places) await removePlace(place)
  }
}
