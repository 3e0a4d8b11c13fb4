// Every tool at a real server, through the official client: its result, its number of requests, and its errors for
// missing, forbidden and concurrently changed objects. Created objects are removed at the end.

import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest"
import { filesPath } from "../../src/api/dav.ts"
import { isNextcloudError } from "../../src/api/error.ts"
import type { Tool } from "../../src/tool.ts"
import { offeredBy } from "../../src/tool-selection.ts"
import { table } from "../../src/tools/table.ts"
import { questionOf } from "../fits.ts"
import { textIn } from "../house.ts"
import { sampleRoot } from "../samples/files.ts"
import { pace } from "../samples/history.ts"
import type { Sample } from "../samples/sample.ts"
import { liveSamples } from "./samples.ts"
import { readLiveSettings } from "./settings.ts"
import { lookAround, type Tidier } from "./tidy.ts"
import { isLacking, type LiveWorld, openLive } from "./world.ts"

const settings = readLiveSettings(process.env)
if ("problems" in settings) throw new Error(settings.problems.join(" "))
const tools = table.filter(({ app }) => settings.toolsets.has(app))

let world: LiveWorld
let tidiers: readonly Tidier[] = []
let offered: ReadonlySet<string>
beforeAll(async () => {
  world = await openLive(settings)
  const { alice, bob } = world.samples
  tidiers = [await lookAround(alice), await lookAround(bob)]
  pace.versionsMs = 1_100
  sampleRoot.folder = `/holdpoint ${crypto.randomUUID()}`
  await alice.send({
    method: "MKCOL",
    path: filesPath(await alice.userId(), sampleRoot.folder),
    activity: "making room",
  })
  const byApp = await offeredBy({ toolsets: settings.toolsets, readOnly: false }, alice)
  offered = new Set(byApp.flatMap((one) => one.offered))
}, 60_000)

afterAll(async () => {
  const leftovers: string[] = []
  for (const [index, tidier] of tidiers.entries()) {
    const { removed, left } = await tidier.tidy()
    const counts = Object.entries(removed).map(([what, count]) => `${count} ${what}`)
    console.info(`Removed from account ${index + 1}: ${counts.join(", ") || "nothing"}.`)
    leftovers.push(...left.map((what) => `account ${index + 1}, ${what}`))
  }
  await world.close()
  expect(leftovers, "could not be removed").toEqual([])
}, 120_000)

/** Skips the test, with the reason, when the server lacks the app or the sample cannot be prepared. */
async function prepared(
  { name }: Tool,
  context: TestContext,
  make: (sample: Sample) => Promise<object> | object | undefined,
): Promise<object> {
  if (!offered.has(name)) context.skip("this server does not have what it needs")
  const sample = liveSamples[name]
  try {
    return (sample === undefined ? undefined : await make(sample)) ?? {}
  } catch (error) {
    if (isLacking(error)) context.skip(error.message)
    // The second account may be full. Its files only prepare the sample and are not under test.
    if (isNextcloudError(error) && error.kind === "full") context.skip("an account has no space left for the sample")
    throw error
  }
}

const named = (wanted: (sample: Sample) => boolean): readonly (readonly [string, Tool])[] =>
  tools.filter(({ name }) => wanted(liveSamples[name] as Sample)).map((tool) => [tool.name, tool])

describe("success", () => {
  it.for(named(() => true))("%s", async ([name, tool], context) => {
    const input = await prepared(tool, context, (sample) => sample.arguments(world.samples))
    const question = await questionOf(tool, input, world.samples.alice)
    const { result, requests } = await world.call(name, input)
    expect(result.isError, textIn(result)).toBeFalsy()
    if (tool.requestsNote !== undefined) return
    expect(requests, requests.join("\n")).toHaveLength(question.requests + tool.requests)
  })
})

describe("not found", () => {
  it.for(named(({ missing }) => missing !== undefined))("%s", async ([name, tool], context) => {
    const input = await prepared(tool, context, ({ missing }) => missing)
    expect(textIn((await world.call(name, input)).result)).toMatch(
      /not found|does not exist|there is no|no contact with/,
    )
  })
})

describe("no permission", () => {
  it.for(named(({ foreign }) => foreign !== undefined))("%s", async ([name, tool], context) => {
    const input = await prepared(tool, context, ({ foreign }) =>
      typeof foreign === "function" ? foreign(world.samples) : foreign,
    )
    expect(textIn((await world.call(name, input)).result)).toMatch(/may not|read-only|not allowed/)
  })
})

describe("conflict", () => {
  it.for(named(({ conflict }) => conflict !== undefined))("%s", async ([name, tool], context) => {
    const input = await prepared(tool, context, (sample) => sample.conflict?.(world.samples))
    expect(textIn((await world.call(name, input)).result)).toContain("Current state: ")
  })
})
