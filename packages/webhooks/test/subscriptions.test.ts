// Which events each program receives, and what they contain.

import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { requesterIdOf } from "../../hub/src/core/program.ts"
import { alice, anyone, bob, openWorld } from "./world.ts"

/** Two programs. `received` asks a question of the one with the endpoint, so that all earlier events have arrived. */
async function openTwoPrograms(may = anyone, hears: "own" | "audience" = "own") {
  const world = await openWorld()
  await world.startProcess()
  const [subscriber, asking] = [await world.addProgram("bridge", may), await world.addProgram("deployer")]
  const { endpoint } = await world.setEndpoint(subscriber, { hears })
  const received = async () => {
    const mark = await world.ask(subscriber, { audience: alice })
    await world.until(() => world.receiver.received.some(({ data }) => data.id === mark.id))
    return world.receiver.received.filter(({ data }) => data.id !== mark.id)
  }
  return { ...world, subscriber, asking, endpoint, received }
}

describe("a program's webhook", () => {
  verifies("webhook.own", "receives only events of its own questions by default", async () => {
    const { ask, asking, answer, received } = await openTwoPrograms()
    const { id } = await ask(asking)
    await answer(id)
    expect(await received()).toEqual([])
  })

  verifies(
    "webhook.rendering",
    "receives other programs' questions to the people that its key allows, without answers",
    async () => {
      const { ask, asking, answer, received, until, receiver } = await openTwoPrograms(
        { to: { people: [alice], roles: [] }, modes: ["form"] },
        "audience",
      )
      const { id } = await ask(asking)
      await ask(asking, { audience: bob })
      await ask(asking, { audience: { kind: "role", tenant: "acme", role: "admin" } })
      await answer(id)
      await until(() => receiver.received.length === 2)
      const events = await received()
      expect(events.map(({ type, data }) => [type, data.id, data.status])).toEqual([
        ["question.asked", id, "pending"],
        ["question.settled", id, "completed"],
      ])
      expect(events[0]?.data).toMatchObject({ requester: { name: "deployer" }, form: { type: "object" } })
      const members = Object.keys(events[1]?.data ?? {})
      for (const secret of ["content", "said", "answeredBy", "answeredVia", "reason", "key"])
        expect(members).not.toContain(secret)
    },
  )

  it("receives nothing of another tenant", async () => {
    const { hub, asking, received } = await openTwoPrograms(anyone, "audience")
    await hub.ask({
      ...{ message: "When?", form: { type: "object", properties: { a: { type: "string" } } } },
      ...{ audience: { ...alice, tenant: "other" }, requester: { id: requesterIdOf(asking) } },
    } as never)
    expect(await received()).toEqual([])
  })

  it("receives the events that it subscribed to, from its creation on", async () => {
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

  it("is removed with its program, deliveries included", async () => {
    const { programs, subscriber, ask, asking, until, endpoints, endpoint, deliveries, receiver } =
      await openTwoPrograms(anyone, "audience")
    await ask(asking)
    await until(() => receiver.received.length === 1)
    await programs.remove(subscriber)
    await until(async () => (await endpoints.get(subscriber.id)) === undefined)
    await ask(asking)
    await until(async () => (await deliveries(endpoint)).length === 0)
    expect(receiver.received).toHaveLength(1)
  })
})
