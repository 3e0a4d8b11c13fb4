// Processes that are killed at any point: other processes, or the next one to start, carry out their deliveries.

import assert from "node:assert/strict"
import { leaseMs } from "@holdpoint/hub/internal"
import type { OutletCase, OutletProcess, OutletStage, Tamper } from "./outlet-case.ts"
import { people, verifies } from "./outlet-case.ts"
import { ask } from "./outlet-showing.ts"

const { alice } = people
const yes = { by: alice, action: "accept", content: { note: "yes" } } as const

/** Starts a process that is killed during a call: before the call has an effect, or after it. */
async function startKilledProcess(
  stage: OutletStage,
  method: keyof Tamper,
  moment: "before" | "after",
): Promise<{ readonly process: OutletProcess; readonly isDead: () => boolean }> {
  let isDead = false
  let process: OutletProcess | undefined
  const killDuringCall = async (callOriginal: () => Promise<unknown>): Promise<never> => {
    if (moment === "after") await callOriginal()
    process?.kill()
    isDead = true
    return new Promise<never>(() => {})
  }
  process = await stage.start({ tamper: { [method]: killDuringCall } })
  return { process, isDead: () => isDead }
}

export const killedProcesses: readonly OutletCase[] = [
  verifies(
    "delivery.survives-a-kill",
    "posts after a restart the delivery of a process killed before posting",
    async (stage) => {
      const { process, isDead } = await startKilledProcess(stage, "post", "before")
      await ask(process)
      await stage.waitUntil("it is dead", isDead)
      await stage.start()
      await stage.quiet()
      await stage.sees()
      await stage.clock.advance(leaseMs)
      await stage.sees("alice")
    },
  ),

  verifies(
    "delivery.survives-a-kill",
    "posts in another running process the delivery of a process killed before posting",
    async (stage) => {
      const { process, isDead } = await startKilledProcess(stage, "post", "before")
      await ask(process)
      await stage.waitUntil("it is dead", isDead)
      const otherProcess = await stage.start()
      await ask(otherProcess)
      await stage.sees("alice")
      await stage.clock.advance(leaseMs)
      await stage.sees("alice", "alice")
    },
  ),

  verifies(
    "delivery.survives-a-kill",
    "shows a question once when a process was killed after posting, before it stored the receipt",
    async (stage) => {
      const { process, isDead } = await startKilledProcess(stage, "post", "after")
      const { id } = await ask(process)
      await stage.waitUntil("it is dead", isDead)
      await stage.sees("alice")
      const nextProcess = await stage.start()
      await stage.clock.advance(leaseMs)
      await stage.waitUntil("its receipt is found", async () => (await stage.countEntries(id, "shown")) === 1)
      await stage.sees("alice")
      await nextProcess.hub.answer(id, yes)
      await stage.sees()
    },
  ),

  verifies(
    ["delivery.survives-a-kill", "delivery.withdrawn"],
    "withdraws the message of a process killed before it stored the receipt, once answered",
    async (stage) => {
      const { process, isDead } = await startKilledProcess(stage, "post", "after")
      const { id } = await ask(process)
      await stage.waitUntil("it is dead", isDead)
      const { hub } = await stage.startWithout([])
      await hub.answer(id, yes)
      await stage.sees("alice")
      await stage.start()
      await stage.clock.advance(leaseMs)
      await stage.sees()
      await stage.waitUntil("nothing is kept of it", async () => (await stage.countDeliveries(id)) === 0)
    },
  ),

  verifies(
    ["delivery.survives-a-kill", "delivery.withdrawn"],
    "withdraws the message of a process killed before or after withdrawing it",
    async (stage) => {
      for (const moment of ["before", "after"] as const) {
        const { process, isDead } = await startKilledProcess(stage, "withdraw", moment)
        const { id } = await ask(process)
        await stage.sees("alice")
        const { hub } = await stage.startWithout([])
        await hub.answer(id, yes)
        await stage.waitUntil("it is dead", isDead)
        const nextProcess = await stage.start()
        await stage.clock.advance(leaseMs)
        await stage.sees()
        await stage.waitUntil("nothing is kept of it", async () => (await stage.countDeliveries(id)) === 0)
        await nextProcess.close()
      }
    },
  ),

  verifies("delivery.withdrawn", "withdraws after a restart a question that was answered meanwhile", async (stage) => {
    const first = await stage.start()
    const { id } = await ask(first)
    await stage.sees("alice")
    await stage.waitUntil("it is noted", async () => (await stage.countEntries(id, "shown")) === 1)
    first.kill()
    const { hub } = await stage.startWithout([])
    await hub.answer(id, yes)
    await stage.sees("alice")
    await stage.start()
    await stage.sees()
  }),

  verifies("delivery.survives-a-kill", "shows nothing twice after a restart", async (stage) => {
    const first = await stage.start()
    const { id } = await ask(first)
    await stage.waitUntil("it is noted", async () => (await stage.countEntries(id, "shown")) === 1)
    first.kill()
    await stage.start()
    await stage.clock.advance(2 * leaseMs)
    await stage.quiet()
    assert.deepEqual(await stage.seen(), ["alice"])
  }),

  verifies(
    "delivery.one-at-a-time",
    "withdraws its own message when it was too slow and another process has posted",
    async (stage) => {
      const gate = Promise.withResolvers<void>()
      let isStuck = false
      const post: Tamper["post"] = async (callOriginal) => {
        isStuck = true
        await gate.promise
        return callOriginal()
      }
      // The machine of this process sleeps while it posts, so that the time limit of the attempt does not fire.
      const slowProcess = await stage.start({ tamper: { post }, isAsleep: () => isStuck })
      const { id } = await ask(slowProcess)
      await stage.waitUntil("it is stuck", () => isStuck)
      await stage.start()
      await stage.clock.advance(leaseMs)
      await stage.waitUntil("the other has posted", async () => (await stage.countEntries(id, "shown")) === 1)
      gate.resolve()
      await stage.sees("alice")
      await stage.quiet()
      await stage.sees("alice")
    },
  ),
]
