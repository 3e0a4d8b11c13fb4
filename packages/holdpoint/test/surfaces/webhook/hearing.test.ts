// Which program hears of which question, and how much of it.

import { describe, expect, it } from "vitest"
import { requesterIdOf } from "../../../src/core/program.ts"
import { verifies } from "../../verifies.ts"
import { alice, anyone, bob, openWorld } from "./world.ts"

/** Two programs; the one with the endpoint hears what it is allowed to, and then a question of its own as a mark. */
async function openHearing(may = anyone, hears: "own" | "audience" = "own") {
  const world = await openWorld()
  await world.startProcess()
  const [listening, asking] = [await world.addProgram("bridge", may), await world.addProgram("deployer")]
  const { endpoint } = await world.setEndpoint(listening, { hears })
  const heard = async () => {
    const mark = await world.ask(listening, { audience: alice })
    await world.until(() => world.receiver.received.some(({ data }) => data.id === mark.id))
    return world.receiver.received.filter(({ data }) => data.id !== mark.id)
  }
  return { ...world, listening, asking, endpoint, heard }
}

describe("a program's webhook", () => {
  verifies("webhook.own", "hears of its own questions alone", async () => {
    const { ask, asking, answer, heard } = await openHearing()
    const { id } = await ask(asking)
    await answer(id)
    expect(await heard()).toEqual([])
  })

  verifies(
    "webhook.rendering",
    "hears of others' questions to the people that its key allows, and of no answer",
    async () => {
      const { ask, asking, answer, heard, until, receiver } = await openHearing(
        { to: { people: [alice], roles: [] }, modes: ["form"] },
        "audience",
      )
      const { id } = await ask(asking)
      await ask(asking, { audience: bob })
      await ask(asking, { audience: { kind: "role", tenant: "acme", role: "admin" } })
      await answer(id)
      await until(() => receiver.received.length === 2)
      const events = await heard()
      expect(events.map(({ type, data }) => [type, data.id, data.status])).toEqual([
        ["question.asked", id, "pending"],
        ["question.settled", id, "completed"],
      ])
      expect(events[0]?.data).toMatchObject({ requester: { name: "deployer" }, form: { type: "object" } })
      const told = Object.keys(events[1]?.data ?? {})
      for (const secret of ["content", "said", "answeredBy", "answeredVia", "reason", "key"])
        expect(told).not.toContain(secret)
    },
  )

  it("hears nothing of another tenant", async () => {
    const { hub, asking, heard } = await openHearing(anyone, "audience")
    await hub.ask({
      ...{ message: "When?", form: { type: "object", properties: { a: { type: "string" } } } },
      ...{ audience: { ...alice, tenant: "other" }, requester: { id: requesterIdOf(asking) } },
    } as never)
    expect(await heard()).toEqual([])
  })

  it("gets the events that it wants, and none of before it was made", async () => {
    const { startProcess, addProgram, setEndpoint, ask, answer, until, receiver } = await openWorld()
    await startProcess()
    const program = await addProgram("deployer")
    const before = await ask(program)
    await setEndpoint(program, { events: ["question.settled"] })
    const after = await ask(program)
    await answer(after.id)
    await until(() => receiver.received.length === 1)
    expect(receiver.received[0]).toMatchObject({ type: "question.settled", data: { id: after.id } })
    await answer(before.id)
    await until(() => receiver.received.length === 2)
  })

  it("ends with its program: nothing more is sent, and nothing is left of it", async () => {
    const { programs, listening, ask, asking, until, endpoints, endpoint, deliveries, receiver } = await openHearing(
      anyone,
      "audience",
    )
    await ask(asking)
    await until(() => receiver.received.length === 1)
    await programs.remove(listening)
    await until(async () => (await endpoints.get(listening.id)) === undefined)
    await ask(asking)
    await until(async () => (await deliveries(endpoint)).length === 0)
    expect(receiver.received).toHaveLength(1)
  })
})
