// A question moves up the ladder: to each outlet at its time, immediately when the outlets before cannot show it. An
// answer withdraws it everywhere.

import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect } from "vitest"
import { alice, bob, minute } from "../../../../packages/testing/src/contract/samples.ts"
import { answered, carol, createLadderWorld, hour, type LadderWorld, usual } from "./ladder-world.ts"

const worlds: LadderWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})
function open(options?: Parameters<typeof createLadderWorld>[0]): LadderWorld {
  const world = createLadderWorld(options)
  worlds.push(world)
  return world
}

describe("the ladder", () => {
  verifies(
    ["ladder.in-order", "ladder.answered"],
    "notifies through each outlet at its time, and withdraws everywhere",
    async () => {
      const { start, ask, pass, log } = open()
      const hub = await start()
      const id = await ask(hub)
      expect(log).toEqual(["slack alice 0"])
      await pass(9)
      expect(log).toHaveLength(1)
      await pass(1)
      expect(log).toEqual(["slack alice 0", "email alice 10"])
      await hub.answer(id, answered(alice))
      await pass(1)
      expect(log.slice(2).sort()).toEqual(["-email alice 10", "-slack alice 10"])
    },
  )

  verifies("ladder.answered", "sends nothing more once the question is answered or cancelled", async () => {
    const { start, ask, pass, log } = open()
    const hub = await start()
    const id = await ask(hub)
    await hub.answer(id, answered(alice))
    const taken = await ask(hub)
    await hub.cancel(taken)
    await pass(30)
    expect(log).toEqual(["slack alice 0", "-slack alice 0", "slack alice 0", "-slack alice 0"])
  })

  verifies(
    ["ladder.in-order", "agenda.reminds-once"],
    "reminds only through outlets that sent a first message before",
    async () => {
      const { start, ask, pass, log } = open()
      await ask(await start(), { remindEveryMs: 5 * minute })
      await pass(10)
      expect(log.toSorted()).toEqual(["email alice 10", "slack alice 0", "slack alice again 10", "slack alice again 5"])
      await pass(5)
      expect(log.slice(4).toSorted()).toEqual(["email alice again 15", "slack alice again 15"])
    },
  )

  verifies("ladder.in-order", "counts delays from the escalation for the people of the other role", async () => {
    const { start, ask, pass, log, own } = open()
    await ask(await start(), { escalate: { afterMs: 30 * minute, role: "manager" } })
    await pass(39)
    expect(log.slice(2)).toEqual(["slack bob 30"])
    await own.set(bob, { outlet: "email" }, 12 * minute)
    await pass(2)
    expect(log.slice(2)).toEqual(["slack bob 30"])
    await pass(1)
    expect(log.slice(2)).toEqual(["slack bob 30", "email bob 42"])
  })

  verifies("ladder.quiet-hours", "holds back what an escalation sends in quiet hours", async () => {
    const { start, ask, pass, log, own } = open({ begin: Date.UTC(2026, 10, 18, 20, 30), rungs: usual })
    await own.setQuiet(bob, { from: "22:00", to: "07:00", zone: "Europe/Berlin", urgent: true })
    await ask(await start(), { lifetimeMs: 24 * hour, escalate: { afterMs: hour, role: "manager" } })
    await pass(9.5 * 60 - 1)
    expect(log.slice(2)).toEqual([])
    await pass(1)
    expect(log.slice(2).toSorted()).toEqual(["email bob 570", "slack bob 570"])
  })

  verifies("agenda.reminds-once", "does not remind just after the first message", async () => {
    const { start, ask, pass, log } = open({ rungs: [{ outlet: "email", afterMs: 4 * minute }] })
    await ask(await start({ client: "shown", lasting: ["email"] }), { remindEveryMs: 5 * minute })
    await pass(9)
    expect(log).toEqual(["email alice 4"])
    await pass(1)
    expect(log).toEqual(["email alice 4", "email alice again 10"])
  })

  verifies(
    "agenda.reminds-once",
    "reminds a person who was notified early because no other outlet could reach them",
    async () => {
      const { start, ask, pass, log } = open()
      await ask(await start(), { audience: carol, remindEveryMs: 5 * minute })
      await pass(5)
      expect(log).toEqual(["email carol 0", "email carol again 5"])
    },
  )

  verifies("ladder.in-order", "makes later outlets wait while a client shows the question", async () => {
    const { start, ask, pass, log } = open({ rungs: [{ outlet: "email", afterMs: 10 * minute }] })
    const hub = await start({ client: "shown", lasting: ["email"] })
    const id = await ask(hub)
    await pass(9)
    expect(log).toEqual([])
    await pass(1)
    expect(log).toEqual(["email alice 10"])
    await hub.answer(id, answered(alice))
    await pass(1)
    expect(log.sort()).toEqual(["-client 10", "-email alice 10", "email alice 10"])
  })

  for (const client of ["listed", "unable"] as const) {
    verifies("ladder.moves-up", `does not wait for a client that is ${client}`, async () => {
      const { start, ask, pass, log } = open({ rungs: [{ outlet: "email", afterMs: 10 * minute }] })
      await ask(await start({ client, lasting: ["email"] }))
      await pass(1)
      expect(log).toEqual(["email alice 0"])
    })
  }

  verifies(
    "ladder.moves-up",
    "moves up immediately for a person without an address, and waits for the others",
    async () => {
      const { start, ask, pass, log } = open()
      await ask(await start(), { audience: { kind: "any", principals: [alice, carol] } })
      await pass(9)
      expect(log.toSorted()).toEqual(["email carol 0", "slack alice 0"])
      await pass(1)
      expect(log.at(-1)).toBe("email alice 10")
    },
  )

  verifies(
    "ladder.moves-up",
    "moves up immediately when an outlet fails or is unable, and retries the failed one",
    async () => {
      const { start, ask, pass, log, instead } = open()
      const hub = await start()
      instead.set("slack", async () => ({ state: "unable", why: "left the workspace" }))
      await ask(hub)
      expect(log).toEqual(["email alice 0"])
      instead.set("slack", async () => {
        throw new Error("down")
      })
      await ask(hub)
      expect(log).toEqual(["email alice 0", "email alice 0"])
      await pass(1)
      expect(log.at(-1)).toBe("slack alice 0")
    },
  )

  verifies.each("ladder.moves-up")([
    ["is unable", async () => ({ state: "unable", why: "left the workspace" }) as const],
    ["fails", () => Promise.reject(new Error("down"))],
  ])("does not move up while a client shows the question, even if a later outlet %s", async (_how, deliver) => {
    const { start, ask, pass, log, instead } = open()
    const hub = await start({ client: "shown" })
    instead.set("slack", deliver)
    await ask(hub)
    await pass(9)
    expect(log.filter((sent) => sent.startsWith("email"))).toEqual([])
    await pass(1)
    expect(log.at(-1)).toBe("email alice 10")
  })

  verifies("ladder.own-choice", "follows the person's own choice, for all kinds of question or for one", async () => {
    const { start, ask, pass, log, own } = open()
    const hub = await start({ client: "shown" })
    await own.set(alice, { outlet: "slack" }, "never")
    await own.set(alice, { outlet: "email" }, 2 * minute)
    await own.set(alice, { outlet: "email", kind: "credential_required" }, "never")
    await ask(hub)
    await ask(hub, { context: { trigger: "credential_required" } })
    await ask(hub, { audience: bob })
    await ask(hub, { audience: bob, context: { trigger: "shell" } })
    await pass(30)
    expect(log).toEqual(["slack bob 0", "slack bob 0", "email alice 2", "email bob 10"])
  })

  verifies("ladder.own-choice", "applies a changed choice to messages that were not sent yet", async () => {
    const { start, ask, pass, log, own } = open()
    const hub = await start()
    const first = await ask(hub)
    await pass(2)
    await own.set(alice, { outlet: "email" }, 20 * minute)
    await pass(10)
    expect(log).toEqual(["slack alice 0"])
    await own.set(alice, { outlet: "email" }, 5 * minute)
    await hub.reschedule(alice)
    await pass(1)
    expect(log).toEqual(["slack alice 0", "email alice 12"])
    await own.set(alice, { outlet: "email" }, "never")
    await hub.reschedule(alice)
    expect((await hub.get(first))?.status).toBe("pending")
  })

  verifies("ladder.off-answers-nothing", "keeps a question open when its only outlet is turned off", async () => {
    const { start, ask, pass, log, own } = open({ begin: Date.UTC(2026, 10, 18, 22) })
    await own.setQuiet(alice, { from: "22:00", to: "07:00", zone: "Europe/Berlin", urgent: true })
    const hub = await start({ bare: true, lasting: ["email"] })
    const id = await ask(hub, { lifetimeMs: 24 * hour })
    await own.set(alice, { outlet: "email" }, "never")
    await hub.reschedule(alice)
    await pass(30)
    expect(log).toEqual([])
    expect((await hub.get(id))?.status).toBe("pending")
  })

  verifies("ladder.survives", "continues after a restart between two outlets, and sends nothing twice", async () => {
    const { start, ask, pass, log } = open()
    const first = await start()
    const id = await ask(first)
    await pass(5)
    first.leave(id)
    await first.close()
    await pass(2)
    const next = await start()
    await pass(3)
    expect(log).toEqual(["slack alice 0", "email alice 10"])
    await next.answer(id, answered(alice))
    await pass(1)
    expect(log.slice(2).sort()).toEqual(["-email alice 10", "-slack alice 10"])
  })

  verifies("ladder.survives", "works with two processes that have one outlet each", async () => {
    const { start, ask, pass, log } = open()
    const asking = await start({ lasting: ["slack"], elsewhere: ["email"] })
    await start({ lasting: ["email"] })
    const id = await ask(asking)
    await pass(10)
    expect(log).toEqual(["slack alice 0", "email alice 10"])
    await asking.answer(id, answered(alice))
    await pass(1)
    expect(log.slice(2).sort()).toEqual(["-email alice 10", "-slack alice 10"])
  })

  verifies("ladder.survives", "sends each message once with two processes that have both outlets", async () => {
    const { start, ask, pass, log } = open()
    const hubs = [await start(), await start()]
    for (const hub of hubs) await ask(hub)
    await pass(12)
    expect(log).toEqual(["slack alice 0", "slack alice 0", "email alice 10", "email alice 10"])
  })
})

describe("quiet hours on the ladder", () => {
  const night = { from: "22:00", to: "07:00", zone: "Europe/Berlin", urgent: true }

  verifies(
    "ladder.quiet-hours",
    "hold back every message until they end, even in a night when clocks change",
    async () => {
      for (const [begin, hours] of [
        [Date.UTC(2026, 9, 24, 21, 30), 8.5],
        [Date.UTC(2027, 2, 27, 21, 30), 7.5],
      ] as const) {
        const { start, ask, pass, log, own } = open({ begin })
        await own.setQuiet(alice, night)
        await ask(await start(), { lifetimeMs: 24 * hour })
        await pass(hours * 60 - 1)
        expect(log).toEqual([])
        await pass(1)
        expect(log.toSorted()).toEqual([`email alice ${hours * 60}`, `slack alice ${hours * 60}`])
      }
    },
  )

  verifies(
    "ladder.quiet-hours",
    "let through a question that would end within them, unless the person wants silence",
    async () => {
      const { start, ask, pass, log, own } = open({ begin: Date.UTC(2026, 10, 18, 22) })
      const hub = await start()
      await own.setQuiet(alice, night)
      await own.setQuiet(bob, { ...night, urgent: false })
      const urgent = await ask(hub, { lifetimeMs: hour })
      const silent = await ask(hub, { lifetimeMs: hour, audience: bob })
      await pass(11)
      expect(log).toEqual(["slack alice 0", "email alice 10"])
      expect((await hub.get(urgent))?.status).toBe("pending")
      expect((await hub.get(silent))?.status).toBe("pending")
    },
  )

  verifies(["ladder.quiet-hours", "agenda.reminds-once"], "let only one reminder through when they end", async () => {
    const { start, ask, pass, log, own } = open({ begin: Date.UTC(2026, 10, 18, 20, 30), rungs: [] })
    await own.setQuiet(alice, night)
    await ask(await start({ lasting: ["slack"] }), { lifetimeMs: 24 * hour, remindEveryMs: hour })
    await pass(9.5 * 60)
    expect(log).toEqual(["slack alice 0", "slack alice again 570"])
  })

  verifies("ladder.quiet-hours", "also hold back a message that moves up", async () => {
    const { start, ask, pass, log, own } = open({ begin: Date.UTC(2026, 10, 18, 21) })
    await own.setQuiet(carol, night)
    await ask(await start(), { audience: carol, lifetimeMs: 24 * hour })
    await pass(9 * 60 - 1)
    expect(log).toEqual([])
    await pass(1)
    expect(log).toEqual(["email carol 540"])
  })

  verifies(["ladder.quiet-hours", "ladder.own-choice"], "that are set while a message waits apply to it", async () => {
    const { start, ask, pass, log, own } = open({ begin: Date.UTC(2026, 10, 18, 20, 55) })
    await ask(await start(), { lifetimeMs: 24 * hour })
    await own.setQuiet(alice, night)
    await pass(30)
    expect(log).toEqual(["slack alice 0"])
  })
})
