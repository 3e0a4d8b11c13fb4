// Calls that wait for a question of another call: they are woken when it is settled, and what relies on its answer stays
// with the call that asked.

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
import { joinQuestion, visitScope } from "../src/on-behalf.ts"

let hub: Hub
let asking: Asking
let deeds: string[]

beforeEach(() => {
  const storage = createMemoryStorage()
  hub = createHub({ storage, outlets: [inbox()] })
  asking = createAsking({ hub, storage, sealer: createSealer(withNewKey()), strict: true })
  deeds = []
})
afterEach(async () => {
  await asking.close()
  await hub.close()
})

const open = async () => {
  const list = () => hub.list({ tenant: "acme", state: "open", limit: 9 })
  await until(async () => (await list()).length === 1)
  return (await list())[0]?.id ?? ""
}
const yes = { by: alice, action: "accept", content: { confirmed: "yes" } } as const

describe("A question of another call", () => {
  it("resumes every call that joined it, and is stored only once", async () => {
    const asks = createJobs(asking, alice, async (_input, ask) => {
      if (await ask.confirm("sure", "Sure?")) deeds.push("asked")
    })
    await asks.start({})
    const elicitation = await open()
    await asks.close()
    const joins = createJobs(asking, alice, async (name: string, ask) => {
      const outcome = await joinQuestion(ask, "other", { elicitation, mode: "form" })
      deeds.push(`${name} ${outcome.status}`)
    })
    await joins.start("first")
    await joins.start("second")
    await until(async () => (await hub.trail({ id: elicitation, limit: 99 })).filter(isWaiting).length === 3)
    expect(await hub.answer(elicitation, yes)).toMatchObject({ ok: true })
    await until(() => deeds.includes("first completed") && deeds.includes("second completed"))
    expect(await hub.list({ tenant: "acme", state: "all", limit: 9 })).toHaveLength(1)
    await joins.close()
  })

  it("that was settled before a call joins it returns its outcome immediately", async () => {
    const asked = await hub.ask({ message: "Sure?", audience: alice, requester: { id: "other" }, form: sure })
    await hub.answer(asked.id, { by: alice, action: "decline" })
    const joins = createJobs(asking, alice, async (_input, ask) => {
      deeds.push((await joinQuestion(ask, "other", { elicitation: asked.id, mode: "form" })).status)
    })
    await joins.start({})
    await until(() => deeds.length > 0)
    expect(deeds).toEqual(["declined"])
    await joins.close()
  })

  it("has no effects of the joined calls in its trail", async () => {
    const asked = await hub.ask({ message: "Sure?", audience: alice, requester: { id: "other" }, form: sure })
    const joins = createJobs(asking, alice, async (_input, ask) => {
      await joinQuestion(ask, "other", { elicitation: asked.id, mode: "form" })
      await ask.once("next", () => deeds.push("done"))
    })
    await joins.start({})
    await until(async () => (await hub.trail({ id: asked.id, limit: 99 })).some(isWaiting))
    await hub.answer(asked.id, { by: alice, action: "accept", content: { sure: true } })
    await until(() => deeds.includes("done"))
    await joins.close()
    const kinds = (await hub.trail({ id: asked.id, limit: 99 })).map(({ kind }) => kind)
    expect(kinds).toContain("asker")
    expect(kinds).not.toContain("effect")
  })
})

describe("A scope that a later run skips", () => {
  it("does not count as a divergence from the earlier run", async () => {
    let runs = 0
    const skip = async (_input: unknown, ask: Ask): Promise<void> => {
      runs++
      if (runs === 1) await ask.scope("part").once("done", () => deeds.push("part"))
      else expect(await visitScope(ask, "part")).toEqual([])
      await ask.confirm("sure", "Sure?")
      await ask.once("new", () => deeds.push("new"))
    }
    const jobs = createJobs(asking, alice, skip)
    await jobs.start({})
    await hub.answer(await open(), yes)
    await until(() => deeds.includes("new"))
    expect(deeds).toEqual(["part", "new"])
    await jobs.close()
  })
})

describe("An account in a carrier without a vault", () => {
  it("is refused with words that say where the vault belongs", async () => {
    const jobs = createJobs(asking, alice, async (_input, ask) => {
      await ask.connection("drive").catch((error: unknown) => deeds.push(String(error)))
    })
    await jobs.start({})
    await until(() => deeds.length === 1)
    expect(deeds[0]).toContain("give `vault` to createMcp, or to createAsking in your own carrier.")
    await jobs.close()
  })
})

const sure = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] } as const
const isWaiting = ({ kind, detail }: { kind: string; detail: { readonly message?: string } }): boolean =>
  kind === "asker" && detail.message === "waits"
