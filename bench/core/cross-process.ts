// Two processes on one database: one answers, the other waits. Measures from the answering call to the resumed waiter, on
// a clock that both processes read.

import { join } from "node:path"
import type { Bench } from "../bench.ts"
import type { Child } from "../child.ts"
import { startChild } from "../child.ts"
import { pause, percentile, sharedNow } from "../measure.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import type { CrossProcessCommands } from "./cross-process-child.ts"
import { answerOne, askOne, personOf } from "./question.ts"
import type { OpenHub } from "./store-locations.ts"
import { newStoreLocation, openHub, removeStoreLocation } from "./store-locations.ts"

/** A waiter that was not woken by then counts as missed, with this time. */
const timeoutMs = 5_000
const warmUps = 5
/** Answers come at random moments, out of step with the waiting process. */
const mostPauseMs = 8

export async function measureCrossProcess(bench: Bench, engine: EngineName): Promise<readonly Result[]> {
  const location = await newStoreLocation(bench, engine)
  const opened = await openHub(location)
  const child = startChild<CrossProcessCommands>(join(import.meta.dirname, "cross-process-child.ts"))
  try {
    bench.progress(`${engine}: waking another process`)
    await child.call("open", { location })
    for (let sample = 0; sample < warmUps; sample++) await wakeOther(opened, child)
    const times: (number | null)[] = []
    for (let sample = 0; sample < bench.sizes.crossSamples; sample++) times.push(await wakeOther(opened, child))
    return toResults(engine, times)
  } finally {
    await child.stop()
    await opened.close()
    await removeStoreLocation(location)
  }
}

async function wakeOther({ hub }: OpenHub, child: Child<CrossProcessCommands>): Promise<number | null> {
  const person = personOf(0)
  const id = await askOne(hub, person)
  await child.call("expect", { id, timeoutMs })
  await pause(Math.random() * mostPauseMs)
  const start = sharedNow()
  await answerOne(hub, id, person)
  const end = await child.call("resumed", { id })
  return end === null ? null : end - start
}

function toResults(engine: EngineName, times: readonly (number | null)[]): readonly Result[] {
  const name = `${engine}/cross-process`
  const counted = times.map((time) => time ?? timeoutMs)
  return [
    { name: `${name}/p50`, value: percentile(counted, 50), unit: "ms" },
    { name: `${name}/p99`, value: percentile(counted, 99), unit: "ms" },
    { name: `${name}/max`, value: percentile(counted, 100), unit: "ms" },
    { name: `${name}/missed`, value: times.filter((time) => time === null).length, unit: `of ${times.length}` },
  ]
}
