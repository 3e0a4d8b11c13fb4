// The scripted person behaves as scripted and logs the results.

import { createHub, createMemoryStorage, form, type Hub, type Runtime, yesNo } from "@holdpoint/hub"
import { expect, test } from "vitest"
import { createTestClock, type Person, person } from "../src/index.ts"

const requester = { id: "tests" }
const sure = form({ ok: yesNo({ default: true }) })

function hubWith(people: readonly Person[], runtime?: Runtime) {
  const outlets = (hub: Hub) => people.map((one) => one.outlet(hub))
  const hub = createHub({ storage: createMemoryStorage(), outlets, ...(runtime === undefined ? {} : { runtime }) })
  const ask = (someone: Person) => hub.ask({ message: "Sure?", form: sure, audience: someone.principal, requester })
  const askToVisit = (someone: Person) =>
    hub.ask({ message: "Go there", url: "https://example.com/page", audience: someone.principal, requester })
  return { hub, ask, askToVisit }
}

const whatOf = ({ log }: Person): readonly string[] => log.map(({ what }) => what)

test("a person accepts with the given content", async () => {
  const alice = person().accepts({ ok: false })
  const { hub, ask } = hubWith([alice])
  expect(await hub.wait(await ask(alice))).toEqual({ status: "completed", content: { ok: false } })
  await alice.rests()
  expect(whatOf(alice)).toEqual(["shown", "withdrawn", "accept"])
  await hub.close()
})

test("a person accepts with the defaults when given nothing, or with the content that a function returns", async () => {
  const alice = person().accepts()
  const { hub, ask } = hubWith([alice])
  expect(await hub.wait(await ask(alice))).toMatchObject({ content: { ok: true } })
  alice.accepts(({ message }) => ({ ok: message !== "Sure?" }))
  expect(await hub.wait(await ask(alice))).toMatchObject({ content: { ok: false } })
  await hub.close()
})

test("a person declines and cancels", async () => {
  const alice = person().declines()
  const { hub, ask } = hubWith([alice])
  expect(await hub.wait(await ask(alice))).toEqual({ status: "declined" })
  alice.cancels()
  expect(await hub.wait(await ask(alice))).toEqual({ status: "cancelled" })
  await hub.close()
})

test("a person cannot be shown a question for another person", async () => {
  const bob = person({ tenant: "test", issuer: "i", subject: "bob" }).accepts()
  const alice = person()
  const { hub, ask } = hubWith([bob])
  expect(await hub.wait(await ask(alice))).toMatchObject({ status: "unsupported" })
  expect(bob.log).toEqual([])
  await hub.close()
})

test("a slow person answers only after the delay", async () => {
  const clock = createTestClock()
  const alice = person(undefined, { runtime: clock }).accepts().isSlow(5_000)
  const { hub, ask } = hubWith([alice], clock)
  const asked = await ask(alice)
  await clock.advance(4_999)
  expect((await hub.get(asked.id))?.status).toBe("pending")
  await clock.advance(1)
  expect((await hub.get(asked.id))?.status).toBe("completed")
  await hub.close()
})

test("a slow person drops a question that is withdrawn during the delay", async () => {
  const clock = createTestClock()
  const alice = person(undefined, { runtime: clock }).accepts().isSlow(5_000)
  const { hub, ask } = hubWith([alice], clock)
  const asked = await ask(alice)
  await alice.sees()
  await hub.cancel(asked.id)
  await alice.rests()
  await clock.advance(10_000)
  expect(whatOf(alice)).toEqual(["shown", "withdrawn"])
  await hub.close()
})

test("a person can answer twice, and the repetition changes nothing", async () => {
  const alice = person().accepts().answersTwice()
  const { hub, ask } = hubWith([alice])
  await hub.wait(await ask(alice))
  await alice.rests()
  const changes = alice.log.flatMap((event) => ("result" in event && event.result.ok ? [event.result.changed] : []))
  expect(changes).toEqual([true, false])
  await hub.close()
})

test("a person can answer late, and records the refusal", async () => {
  const clock = createTestClock()
  const alice = person(undefined, { runtime: clock }).accepts().answersLate()
  const { hub, ask } = hubWith([alice], clock)
  const outcome = hub.wait(await ask(alice))
  await clock.advance(300_001)
  expect(await outcome).toEqual({ status: "expired" })
  await alice.rests()
  expect(alice.refusals).toMatchObject([{ code: "already_settled", ended: { status: "expired" } }])
  await hub.close()
})

test("a person can ignore a question", async () => {
  const alice = person().ignores()
  const { hub, ask } = hubWith([alice])
  const asked = await ask(alice)
  expect((await alice.sees()).id).toBe(asked.id)
  await alice.rests()
  expect(whatOf(alice)).toEqual(["shown"])
  await hub.close()
})

test("a person agrees to a link, and completes it when told to", async () => {
  const alice = person().accepts()
  const { hub, askToVisit } = hubWith([alice])
  const first = await askToVisit(alice)
  await alice.sees()
  await alice.rests()
  expect((await hub.get(first.id))?.status).toBe("accepted")
  alice.finishes()
  expect(await hub.wait(await askToVisit(alice))).toEqual({ status: "completed" })
  await hub.close()
})

test("a person records an error that the hub throws", async () => {
  const clock = createTestClock()
  const alice = person(undefined, { runtime: clock }).accepts().answersLate()
  const { hub, ask } = hubWith([alice], clock)
  await ask(alice)
  await alice.sees()
  await hub.close()
  await clock.advance(300_001)
  await alice.rests()
  expect(alice.log.map(({ what }) => what)).toEqual(["shown", "withdrawn", "failed"])
  expect(alice.log.at(-1)).toMatchObject({ what: "failed", error: { code: "closed" } })
})
