// Processes with few, some and many pending questions, side by side, so that they can be measured in turns.

import { join } from "node:path"
import type { Bench } from "../bench.ts"
import { startChild } from "../child.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import type { Crowd, StandingQuestions } from "./crowd.ts"
import { measureIdle } from "./idle.ts"
import { measureMemory } from "./memory.ts"
import type { StandingCommands } from "./standing-child.ts"
import type { StoreLocation } from "./store-locations.ts"
import { newStoreLocation, removeStoreLocation } from "./store-locations.ts"
import { measureUnderLoad } from "./under-load.ts"
import { measureWake } from "./wake.ts"

type Measurement = (bench: Bench, crowd: Crowd) => Promise<readonly Result[]>

/** These count bytes and processor time of one process, so other processes do not matter. */
const measuredTogether: readonly Measurement[] = [measureMemory, measureIdle]
/** These measure time, and leave settled questions behind. */
const measuredInTurn: readonly Measurement[] = [measureWake, measureUnderLoad]

export async function measureStanding(bench: Bench, engines: readonly EngineName[]): Promise<readonly Result[]> {
  const opened: OpenCrowd[] = []
  try {
    for (const engine of engines) opened.push(await openCrowd(bench, engine))
    const results = new Map(engines.map((engine) => [engine, [] as Result[]]))
    const measure = async (measurement: Measurement, { crowd }: OpenCrowd): Promise<void> => {
      results.get(crowd.engine)?.push(...(await measurement(bench, crowd)))
    }
    for (const measurement of measuredTogether) await Promise.all(opened.map((each) => measure(measurement, each)))
    for (const each of opened) for (const measurement of measuredInTurn) await measure(measurement, each)
    return [...results.values()].flat()
  } finally {
    for (const { close } of opened) await close()
  }
}

interface OpenCrowd {
  readonly crowd: Crowd
  close(): Promise<void>
}

async function openCrowd(bench: Bench, engine: EngineName): Promise<OpenCrowd> {
  const locations: StoreLocation[] = []
  const all: StandingQuestions[] = []
  for (const pending of bench.sizes.pending) {
    const location = await newStoreLocation(bench, engine)
    const child = startChild<StandingCommands>(join(import.meta.dirname, "standing-child.ts"))
    locations.push(location)
    all.push({ pending, child })
    await child.call("open", { location })
  }
  return {
    crowd: { engine, all, some: all[1] as StandingQuestions, many: all[2] as StandingQuestions },
    async close() {
      await Promise.all(all.map(({ child }) => child.stop()))
      for (const location of locations) await removeStoreLocation(location)
    },
  }
}
