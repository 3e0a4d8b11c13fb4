// Showing: any process with the outlet shows a question, once, when it is due, and retries after a failure.

import assert from "node:assert/strict"
import { inbox } from "@holdpoint/hub"
import { attemptMs, deliveryDelays, leaseMs } from "@holdpoint/hub/internal"
import type { OutletCase, OutletProcess, Tamper } from "./outlet-case.ts"
import { claim, people, verifies } from "./outlet-case.ts"
import { formDraft, minute } from "./samples.ts"

const { alice, bob, carol } = people
const hour = 60 * minute

export const ask = ({ hub }: OutletProcess, overrides: Parameters<typeof formDraft>[0] = {}) =>
  hub.ask(formDraft({ lifetimeMs: 6 * hour, ...overrides }))

type Post = NonNullable<Tamper["post"]>

const failingPost: Post = async () => {
  throw new Error("the service is down")
}
/** A service that never answers the first attempt. */
function stuckAtFirst(): { readonly post: Post; readonly tries: () => number } {
  let attempts = 0
  const post: Post = (callOriginal) => {
    attempts += 1
    return attempts === 1 ? new Promise<never>(() => {}) : callOriginal()
  }
  return { post, tries: () => attempts }
}
const expectedProblems = [/showing a question in/]

export const showing: readonly OutletCase[] = [
  verifies("delivery.any-process", "shows a question that another process asked", async (stage) => {
    await stage.start()
    await ask(await stage.start({ isElsewhere: true }))
    await stage.sees("alice")
  }),

  verifies(
    ["delivery.with-the-question", "delivery.any-process"],
    "shows a question that was asked before a process with the outlet started",
    async (stage) => {
      const asker = await stage.start({ isElsewhere: true })
      await ask(asker)
      await asker.close()
      await stage.start()
      await stage.sees("alice")
    },
  ),

  verifies("delivery.one-at-a-time", "shows each question once when five processes race for it", async (stage) => {
    const processes: OutletProcess[] = []
    while (processes.length < 5) processes.push(await stage.start())
    await Promise.all(processes.map((process, index) => ask(process, { audience: index === 0 ? bob : alice })))
    await stage.sees("alice", "alice", "alice", "alice", "bob")
    await stage.quiet()
    await stage.sees("alice", "alice", "alice", "alice", "bob")
  }),

  verifies("delivery.one-at-a-time", "shows a question that two processes ask with one key once", async (stage) => {
    const [firstProcess, secondProcess] = [await stage.start(), await stage.start()]
    await Promise.all([ask(firstProcess, { key: "release" }), ask(secondProcess, { key: "release" })])
    await stage.sees("alice")
    await stage.quiet()
    await stage.sees("alice")
  }),

  verifies(
    "delivery.any-process",
    "shows a question of a process without the outlet, once a process with the outlet asks the same",
    async (stage) => {
      await ask(await stage.startWithout([inbox()]), { key: "release" })
      const joining = await stage.start()
      await stage.quiet()
      await stage.sees()
      await ask(joining, { key: "release" })
      await stage.sees("alice")
    },
  ),

  verifies(
    "delivery.every-address",
    "shows a question to every known person of a role, and to each of several people",
    async (stage) => {
      const process = await stage.start()
      await ask(process, { audience: { kind: "role", tenant: alice.tenant, role: "operator" } })
      await stage.sees("bob", "carol")
      await ask(process, { audience: { kind: "any", principals: [alice, carol] } })
      await stage.sees("alice", "bob", "carol", "carol")
    },
  ),

  verifies("delivery.due-later", "shows a question when its delivery is due, and not before", async (stage) => {
    const { hub } = await stage.start()
    const { name } = await stage.outlet()
    await hub.ask(formDraft({ lifetimeMs: 6 * hour }), { delays: { [name]: 10 * minute } })
    await stage.clock.advance(10 * minute - 1)
    await stage.quiet()
    await stage.sees()
    await stage.clock.advance(1)
    await stage.sees("alice")
  }),

  verifies(
    "delivery.due-later",
    "shows a question when its delivery is due, in a process that was started later",
    async (stage) => {
      const asker = await stage.start({ isElsewhere: true })
      const { name } = await stage.outlet()
      await asker.hub.ask(formDraft({ lifetimeMs: 6 * hour }), { delays: { [name]: 10 * minute } })
      await asker.close()
      await stage.start()
      await stage.quiet()
      await stage.sees()
      await stage.clock.advance(10 * minute)
      await stage.sees("alice")
    },
  ),

  verifies(
    "delivery.retried",
    "retries when the service is down, after a longer delay each time",
    async (stage) => {
      const attemptTimes: number[] = []
      let isDown = true
      const post: Post = (callOriginal, prompt) => {
        attemptTimes.push(stage.clock.now())
        return isDown ? failingPost(callOriginal, prompt) : callOriginal()
      }
      const { id } = await ask(await stage.start({ tamper: { post } }))
      for (let attempt = 1; attempt <= 4; attempt++) {
        await stage.waitUntil(`attempt ${attempt}`, () => attemptTimes.length === attempt)
        await stage.waitUntil("it is noted", async () => (await stage.countEntries(id, "not_shown")) === attempt)
        await stage.clock.advance(backoffMs(attempt) - 1)
        assert.equal(attemptTimes.length, attempt)
        if (attempt === 4) isDown = false
        await stage.clock.advance(1)
      }
      await stage.sees("alice")
      const waits = attemptTimes.slice(1).map((time, index) => time - attemptTimes[index]!)
      assert.deepEqual(waits, [5_000, 10_000, 20_000, 40_000])
    },
    expectedProblems,
  ),

  verifies(
    ["delivery.retried", "delivery.any-process"],
    "retries in another process when the process that failed is gone",
    async (stage) => {
      const failing = await stage.start({ tamper: { post: failingPost } })
      const { id } = await ask(failing)
      await stage.waitUntil("it has failed", async () => (await stage.countEntries(id, "not_shown")) === 1)
      await stage.start()
      failing.kill()
      await stage.sees()
      await stage.clock.advance(backoffMs(1))
      await stage.sees("alice")
    },
    expectedProblems,
  ),

  verifies(
    ["delivery.retried", "delivery.any-process"],
    "notifies other processes of a failure, and one of them retries when the delivery is due",
    async (stage) => {
      const gate = Promise.withResolvers<void>()
      const failed: string[] = []
      const failsOnce =
        (name: string): Post =>
        async (callOriginal, prompt) => {
          failed.push(name)
          if (failed.length > 1) return callOriginal()
          await gate.promise
          return failingPost(callOriginal, prompt)
        }
      const processes = {
        one: await stage.start({ tamper: { post: failsOnce("one") } }),
        other: await stage.start({ tamper: { post: failsOnce("other") } }),
      }
      const { id } = await ask(processes.one)
      await stage.waitUntil("it is being shown", () => failed.length === 1)
      // Lets the other process see the lease of the process that posts.
      await stage.quiet()
      gate.resolve()
      await stage.waitUntil("it has failed", async () => (await stage.countEntries(id, "not_shown")) === 1)
      processes[failed[0] === "one" ? "one" : "other"].kill()
      await stage.clock.advance(backoffMs(1))
      await stage.sees("alice")
    },
    expectedProblems,
  ),

  verifies(
    "delivery.retried",
    "gives up after the last attempt, and leaves the question open",
    async (stage) => {
      let attempts = 0
      const post: Post = (...args) => {
        attempts += 1
        return failingPost(...args)
      }
      const process = await stage.start({ tamper: { post } })
      const { id } = await ask(process)
      for (let attempt = 1; attempt <= mostAttempts; attempt++) {
        await stage.waitUntil(`attempt ${attempt}`, async () => (await stage.countEntries(id, "not_shown")) === attempt)
        await stage.clock.advance(backoffMs(attempt))
      }
      await stage.clock.advance(hour)
      await stage.quiet()
      assert.equal(attempts, mostAttempts)
      assert.equal((await process.hub.get(id))?.status, "pending")
      const last = (await process.hub.trail({ id, limit: 100 })).at(-1)
      assert.deepEqual([last?.kind, last?.detail.code], ["not_shown", "delivery_abandoned"])
    },
    expectedProblems,
  ),

  verifies(
    "delivery.retried",
    "stops waiting for a service that never answers, and retries",
    async (stage) => {
      const { post, tries } = stuckAtFirst()
      const { id } = await ask(await stage.start({ tamper: { post } }))
      await stage.waitUntil("it has begun", () => tries() === 1)
      await stage.clock.advance(attemptMs)
      await stage.waitUntil("it has failed", async () => (await stage.countEntries(id, "not_shown")) === 1)
      // The service may still be at it: the next attempt begins when the lease has ended.
      await stage.clock.advance(leaseMs - attemptMs)
      await stage.sees("alice")
    },
    expectedProblems,
  ),

  claim("does not let a slow delivery block others", async (stage) => {
    const { post, tries } = stuckAtFirst()
    const process = await stage.start({ tamper: { post } })
    await ask(process)
    await stage.waitUntil("it has begun", () => tries() === 1)
    await ask(process, { audience: bob })
    await stage.sees("bob")
    process.kill()
  }),
]

/** The pause after this attempt. */
const backoffMs = (attempt: number): number => deliveryDelays.delaysMs[attempt - 1] ?? 0
const mostAttempts = deliveryDelays.delaysMs.length + 1
