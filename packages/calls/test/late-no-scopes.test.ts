// A No that comes after a Yes, in a call with scopes: it stops what relies on that answer, and nothing else.

import type { Hub } from "@holdpoint/hub"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createJobs } from "@holdpoint/testkit/calls/plain/carrier"
import { alice } from "@holdpoint/testkit/fixtures"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Ask } from "../src/ask.ts"
import type { Asking } from "../src/asking.ts"
import { createAsking } from "../src/asking.ts"
import { isRefusal } from "../src/refusal.ts"

let hub: Hub
let asking: Asking
/** What was done, and what was refused instead. */
let deeds: string[]
let beforeEffects: PromiseWithResolvers<void>

beforeEach(() => {
  const storage = createMemoryStorage()
  hub = createHub({ storage, outlets: [inbox()] })
  asking = createAsking({ hub, storage, sealer: createSealer(withNewKey()) })
  deeds = []
  beforeEffects = Promise.withResolvers()
})
afterEach(async () => {
  await asking.close()
  await hub.close()
})

/** Asks in three scopes, waits for the test, and does one thing in the scope that the test names. */
async function job(scopes: readonly string[], ask: Ask): Promise<void> {
  const [first, second] = [ask.scope("first"), ask.scope("second")]
  const asks = [ask.confirm("all", "Everything?"), first.confirm("sure", "First?"), second.confirm("sure", "Second?")]
  await Promise.all(asks)
  deeds.push("answered")
  await beforeEffects.promise
  const known: Readonly<Record<string, Ask>> = { first, second }
  const [outer = "", inner] = scopes
  const within = known[outer] ?? ask
  try {
    await (inner === undefined ? within : within.scope(inner)).once("paid", () => deeds.push("done"))
  } catch (error) {
    if (!isRefusal(error)) throw error
    deeds.push("refused")
  }
}

/** Runs the job until all questions are answered with Yes, and takes this answer back before the effect. */
async function takeBack(message: string, scopes: readonly string[]): Promise<string | undefined> {
  const jobs = createJobs(asking, alice, job)
  await jobs.start(scopes)
  const list = () => hub.list({ tenant: "acme", state: "open", limit: 9 })
  await until(async () => (await list()).length === 3)
  const open = await list()
  const yes = { by: alice, action: "accept", content: { confirmed: "yes" } } as const
  for (const { id } of open) expect(await hub.answer(id, yes)).toMatchObject({ ok: true })
  await until(() => deeds.includes("answered"))
  const { id = "" } = open.find((one) => one.message === message) ?? {}
  expect(await hub.answer(id, { by: alice, action: "decline" })).toMatchObject({ ok: false })
  beforeEffects.resolve()
  await until(() => deeds.includes("done") || deeds.includes("refused"))
  await jobs.close()
  return deeds.at(-1)
}

describe("A Yes that was taken back", () => {
  it.each([
    ["First?", ["first"], "refused"],
    ["First?", ["first", "inner"], "refused"],
    ["First?", ["second"], "done"],
    ["First?", ["second", "first"], "done"],
    ["First?", [], "done"],
    ["Everything?", ["first"], "refused"],
    ["Everything?", ["second", "first"], "refused"],
    ["Everything?", [], "refused"],
  ])("stops only what relies on it (Yes to “%s”: an effect in the scope %j is %s)", async (message, scopes, end) => {
    expect(await takeBack(message, scopes)).toBe(end)
  })

  it("aborts only the signals of its scope", async () => {
    const watched = async (_input: unknown, ask: Ask): Promise<void> => {
      const [first, second] = [ask.scope("first"), ask.scope("second")]
      await first.confirm("sure", "First?")
      const { signal } = first.scope("inner")
      const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve))
      const other = second.signal
      deeds.push("answered")
      await aborted
      deeds.push(isRefusal(signal.reason) ? signal.reason.key : "no refusal", other.aborted ? "both" : "one", "over")
    }
    const jobs = createJobs(asking, alice, watched)
    await jobs.start({})
    const list = () => hub.list({ tenant: "acme", state: "open", limit: 9 })
    await until(async () => (await list()).length === 1)
    const [{ id = "" } = {}] = await list()
    await hub.answer(id, { by: alice, action: "accept", content: { confirmed: "yes" } })
    await until(() => deeds.includes("answered"))
    await hub.answer(id, { by: alice, action: "decline" })
    await until(() => deeds.includes("over"))
    expect(deeds).toEqual(["answered", "first › sure", "one", "over"])
    await jobs.close()
  })
})
