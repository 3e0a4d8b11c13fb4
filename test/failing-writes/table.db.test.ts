// Fails each write of a story once, at every place, in every way: the table of places × ends. The long run fails them
// all and prints the table; the usual run fails some, and other ones each time.

import { reuseSchemas } from "@holdpoint/testkit/hub/stores/engines"
import { isLong } from "@holdpoint/testkit/long"
import { afterAll, describe, expect, it } from "vitest"
import { type Failure, failures, openFailingPostgres, openFailingSqlite } from "../across/hub/stores/failing.ts"
import { a2aTask } from "./a2a-task.ts"
import { mcpCall, scriptCall } from "./mcp-call.ts"
import { run } from "./run.ts"
import { type Outcome, playWith, type Scene, tableOf } from "./scene.ts"

const scenes = [run, a2aTask, mcpCall("modern"), mcpCall("legacy"), scriptCall]
const schemas = reuseSchemas()
const outcomes: Outcome[] = []
afterAll(async () => {
  await schemas.close()
  if (isLong) process.stdout.write(`${tableOf(outcomes)}\n`)
})

const engines = [
  { engine: "SQLite", open: openFailingSqlite },
  { engine: "Postgres", open: () => openFailingPostgres(schemas) },
] as const

type PlayOne = (number: number, failure: Failure) => Promise<Outcome | undefined>

/** Plays with every failure at every commit. Returns how many commits the scene has. */
async function playAll(playOne: PlayOne): Promise<void> {
  for (const failure of failures) for (let number = 1; (await playOne(number, failure)) !== undefined; number++);
}

/** Plays with one failure at a few commits, far apart and different in each run. */
async function playSome(playOne: PlayOne, seed: number): Promise<void> {
  const [first = 1, step = 1] = [1 + (seed % 7), 7]
  const failure = failures[seed % failures.length] ?? "lost"
  for (let number = first; (await playOne(number, failure)) !== undefined; number += step);
}

describe.each(engines)("on $engine", (engine) => {
  it.each(scenes)("each failed write of a $name leaves what is true", async (scene: Scene) => {
    const seed = Math.floor(Math.random() * 1_000)
    const played: Outcome[] = []
    const playOne: PlayOne = async (number, failure) => {
      const outcome = await playWith(scene, engine, { number, failure })
      if (outcome !== undefined) played.push(outcome)
      return outcome
    }
    await (isLong ? playAll(playOne) : playSome(playOne, seed))
    outcomes.push(...played)
    expect(played.filter(({ fault }) => fault !== undefined)).toEqual([])
    expect(played.length).toBeGreaterThan(0)
  })
})
