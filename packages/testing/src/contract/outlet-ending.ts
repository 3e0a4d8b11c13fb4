// Withdrawing: prompts are removed wherever and however the question was settled. A hub that closes leaves them.

import assert from "node:assert/strict"
import { inbox } from "@holdpoint/hub"
import { deliveryDelays } from "@holdpoint/hub/internal"
import type { OutletCase, Tamper } from "./outlet-case.ts"
import { claim, people, verifies } from "./outlet-case.ts"
import { ask } from "./outlet-showing.ts"
import { formDraft, minute } from "./samples.ts"

const { alice, bob } = people
const yes = { by: alice, action: "accept", content: { note: "yes" } } as const
const operators = { kind: "role", tenant: alice.tenant, role: "operator" } as const

export const ending: readonly OutletCase[] = [
  verifies(
    "delivery.withdrawn",
    "withdraws a question that was answered in any process, and removes its deliveries",
    async (stage) => {
      const process = await stage.start()
      const asker = await stage.start({ isElsewhere: true })
      for (const { hub } of [process, asker]) {
        const { id } = await ask(asker)
        await stage.sees("alice")
        await hub.answer(id, yes)
        await stage.sees()
        await stage.waitUntil("nothing is kept of it", async () => (await stage.countDeliveries(id)) === 0)
      }
    },
  ),

  verifies("delivery.withdrawn", "withdraws a message that another process posted", async (stage) => {
    const first = await stage.start()
    const { id } = await ask(first)
    await stage.waitUntil("it is noted", async () => (await stage.countEntries(id, "shown")) === 1)
    const second = await stage.start()
    first.kill()
    await second.hub.answer(id, yes)
    await stage.sees()
  }),

  verifies(
    ["delivery.withdrawn", "delivery.every-address"],
    "withdraws a question from all people when one of them has answered",
    async (stage) => {
      const { hub } = await stage.start()
      const { id } = await hub.ask(formDraft({ audience: operators }))
      await stage.sees("bob", "carol")
      await hub.answer(id, { ...yes, by: bob })
      await stage.sees()
    },
  ),

  verifies("delivery.withdrawn", "withdraws a question when it expires", async (stage) => {
    const { hub } = await stage.start()
    const { id } = await hub.ask(formDraft({ lifetimeMs: 5 * minute }))
    await stage.sees("alice")
    await stage.clock.advance(5 * minute)
    await stage.sees()
    assert.equal((await hub.get(id))?.status, "expired")
  }),

  verifies("delivery.withdrawn", "withdraws a question that is settled while it is being shown", async (stage) => {
    const gate = Promise.withResolvers<void>()
    let isBegun = false
    const post: Tamper["post"] = async (callOriginal) => {
      isBegun = true
      await gate.promise
      return callOriginal()
    }
    const showing = await stage.start({ tamper: { post } })
    const { id } = await ask(showing)
    await stage.waitUntil("it has begun", () => isBegun)
    const otherProcess = await stage.start()
    await otherProcess.hub.answer(id, yes)
    await stage.quiet()
    gate.resolve()
    await stage.waitUntil("nothing is kept of it", async () => (await stage.countDeliveries(id)) === 0)
    await stage.sees()
  }),

  verifies(
    "delivery.due-later",
    "never shows a question that was cancelled before its delivery was due",
    async (stage) => {
      const { hub } = await stage.start()
      const { name } = await stage.outlet()
      const { id } = await hub.ask(formDraft({ lifetimeMs: 60 * minute }), { delays: { [name]: 10 * minute } })
      await hub.cancel(id)
      await stage.waitUntil("nothing is kept of it", async () => (await stage.countDeliveries(id)) === 0)
      await stage.clock.advance(20 * minute)
      await stage.quiet()
      assert.equal(await stage.countEntries(id, "shown"), 0)
    },
  ),

  verifies(
    ["delivery.withdrawn", "delivery.retried"],
    "retries a withdrawal that failed",
    async (stage) => {
      let attempts = 0
      const withdraw: Tamper["withdraw"] = async (callOriginal) => {
        attempts += 1
        if (attempts < 3) throw new Error("the service is down")
        await callOriginal()
      }
      const { hub } = await stage.start({ tamper: { withdraw } })
      const { id } = await hub.ask(formDraft())
      await stage.waitUntil("it is noted", async () => (await stage.countEntries(id, "shown")) === 1)
      await hub.answer(id, yes)
      for (const attempt of [1, 2]) {
        await stage.waitUntil(`attempt ${attempt}`, () => stage.problems.length === attempt)
        await stage.sees("alice")
        await stage.quiet()
        assert.equal(attempts, attempt)
        await stage.clock.advance(backoffMs(attempt))
      }
      await stage.sees()
    },
    [/withdrawing a question from/],
  ),

  verifies(
    "delivery.outlives-the-hub",
    "leaves its messages when the hub closes, while prompts of the process are withdrawn",
    async (stage) => {
      const withdrawn: string[] = []
      const memoryOutlet = {
        name: "here",
        deliver: async () => ({ state: "shown" }) as const,
        withdraw: async () => void withdrawn.push("here"),
      }
      const process = await stage.start({ otherOutlets: [memoryOutlet] })
      const { id } = await ask(process)
      await stage.waitUntil("both show it", async () => (await stage.countEntries(id, "shown")) === 2)
      await process.close()
      await stage.sees("alice")
      assert.deepEqual(withdrawn, ["here"])
      const { hub } = await stage.start()
      await hub.answer(id, yes)
      await stage.sees()
    },
  ),

  claim("keeps no delivery for an outlet that only lists", async (stage) => {
    const process = await stage.startWithout([inbox()])
    const { id } = await ask(process)
    await stage.quiet()
    assert.equal(await stage.countDeliveries(id), 0)
    assert.equal((await process.hub.get(id))?.status, "pending")
  }),
]

/** The pause after this attempt. */
const backoffMs = (attempt: number): number => deliveryDelays.delaysMs[attempt - 1] ?? 0
