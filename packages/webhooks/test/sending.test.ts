// Events reach the receiver: signed, in order, after restarts, and again on request.

import { usually } from "@holdpoint/testkit/long"
import { verifies } from "@holdpoint/testkit/verifies"
import { withStatus } from "@holdpoint/testkit/webhooks/receiver"
import { expect, it } from "vitest"
import { openWorld } from "./world.ts"

/** Long enough for 600 requests on a busy machine. */
const patient = { interval: 20, timeout: 90_000 }

verifies(
  "webhook.events",
  "sends the program a signed event when a question is asked and when it is answered",
  async () => {
    const { startProcess, addProgram, setEndpoint, ask, answer, until, receiver, isQuiet } = await openWorld()
    await startProcess()
    const program = await addProgram("deployer")
    const { endpoint } = await setEndpoint(program)
    const { id } = await ask(program)
    await until(() => receiver.received.length === 1)
    await answer(id)
    await until(() => receiver.received.length === 2)
    expect(receiver.types()).toEqual(["question.asked", "question.settled"])
    const [asked, settled] = receiver.received
    expect(asked?.data).toMatchObject({ id, status: "pending", message: "Deploy?", mode: "form" })
    expect(settled?.data).toMatchObject({ id, status: "completed", said: "yes", content: { confirmed: "yes" } })
    expect(settled?.timestamp).toBe("2026-01-01T00:00:00.000Z")
    await until(() => isQuiet(endpoint))
    expect(receiver.refused).toEqual([])
  },
)

it("describes each step of a link as it was at the time, even when all events are sent late", async () => {
  const { startProcess, addProgram, setEndpoint, ask, hub, until, receiver } = await openWorld()
  const program = await addProgram("deployer")
  await setEndpoint(program)
  const asked = await ask(program, { url: "https://shop.example/pay", form: undefined } as never)
  const by = { tenant: "acme", issuer: "https://id.example", subject: "alice" }
  await hub.open(asked.id, { by })
  await hub.answer(asked.id, { by, action: "accept", via: "web" })
  await hub.complete(asked.id)
  await startProcess()
  await until(() => receiver.received.length === 4)
  expect(receiver.received.map(({ type, data }) => [type, data.status])).toEqual([
    ["question.asked", "pending"],
    ["question.opened", "pending"],
    ["question.accepted", "accepted"],
    ["question.settled", "completed"],
  ])
  const [first, second, third, last] = receiver.received.map(({ data }) => Object.keys(data))
  expect(first).not.toContain("openedAt")
  expect(second).toContain("openedAt")
  expect(third).not.toContain("settledAt")
  expect(last).toEqual(expect.arrayContaining(["openedAt", "settledAt", "answeredBy"]))
})

verifies(
  "webhook.lasting",
  "sends the events from when no process ran, and repeats an attempt that was cut off",
  async () => {
    const { startProcess, addProgram, setEndpoint, ask, answer, until, receiver, isQuiet, runtime } = await openWorld()
    const program = await addProgram("deployer")
    const { endpoint } = await setEndpoint(program)
    const first = await ask(program)
    const arrived = Promise.withResolvers<void>()
    // The first attempt gets no response, so that the process stops during it.
    receiver.answerWith(() => arrived.resolve())
    const stopped = await startProcess()
    await Promise.all([arrived.promise, until(() => receiver.received.length === 1)])
    const closing = stopped.close()
    await runtime.advance(2_000)
    await closing
    await answer(first.id)
    receiver.answerWith(withStatus(204))
    await startProcess()
    await until(() => isQuiet(endpoint))
    expect(receiver.types()).toEqual(["question.asked", "question.asked", "question.settled"])
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)
  },
)

it("sends an event of a hanging process only after its lease has ended", async () => {
  const { startProcess, addProgram, setEndpoint, ask, until, receiver, runtime, isQuiet } = await openWorld()
  const program = await addProgram("deployer")
  const { endpoint } = await setEndpoint(program)
  await ask(program)
  receiver.answerWith(() => {})
  await startProcess()
  await until(() => receiver.received.length === 1)
  await startProcess()
  await runtime.advance(59_000)
  expect(receiver.received).toHaveLength(1)
  receiver.answerWith(withStatus(204))
  await runtime.advance(2_000)
  await until(() => isQuiet(endpoint))
  expect(receiver.received).toHaveLength(2)
})

it("counts no attempt that ended because its process stopped", async () => {
  const { startProcess, addProgram, setEndpoint, ask, until, receiver, deliveries, runtime } = await openWorld()
  const program = await addProgram("deployer")
  const { endpoint } = await setEndpoint(program)
  await ask(program)
  receiver.answerWith(() => {})
  const process = await startProcess()
  await until(() => receiver.received.length === 1)
  const closed = process.close()
  await runtime.advance(2_000)
  await closed
  const [delivery] = await deliveries(endpoint)
  expect(delivery).toMatchObject({ state: "owed", attempts: 0 })
  expect(delivery?.lease).toBeUndefined()
})

it("sends an event once when several processes find it", async () => {
  const { startProcess, addProgram, setEndpoint, ask, answer, until, receiver, isQuiet } = await openWorld()
  await Promise.all([startProcess(), startProcess(), startProcess()])
  const program = await addProgram("deployer")
  const { endpoint } = await setEndpoint(program)
  const asked = await Promise.all(Array.from({ length: 10 }, () => ask(program)))
  await Promise.all(asked.map(({ id }) => answer(id)))
  await until(async () => receiver.received.length >= 20 && (await isQuiet(endpoint)))
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(20)
  expect(receiver.received).toHaveLength(20)
})

const manyQuestions = usually(50, { long: 200 })

verifies(
  "webhook.ordered",
  "keeps the order of each question's events when the receiver fails at random",
  async () => {
    const { startProcess, addProgram, setEndpoint, ask, answer, until, receiver, deliveries, runtime } =
      await openWorld()
    await Promise.all([startProcess(), startProcess()])
    const program = await addProgram("deployer")
    const { endpoint } = await setEndpoint(program)
    const accepted: string[] = []
    let count = 0
    receiver.answerWith((response, { type, data }) => {
      const isAccepted = ++count % 3 !== 0
      if (isAccepted) accepted.push(`${data.id} ${type}`)
      response.writeHead(isAccepted ? 204 : 500).end()
    })
    const asked = await Promise.all(Array.from({ length: manyQuestions }, () => ask(program)))
    await Promise.all(asked.map(({ id }) => answer(id)))
    await until(async () => {
      const owed = (await deliveries(endpoint)).filter(({ state }) => state === "owed")
      // Advance only while no attempt is under way, and only to the next one: otherwise a lease could end during an
      // attempt.
      if (owed.length > 0 && owed.every(({ lease }) => lease === undefined))
        await runtime.advance(Math.max(0, Math.min(...owed.map(({ dueAt }) => dueAt)) - runtime.now()))
      return owed.length === 0
    }, patient)
    expect(accepted).toHaveLength(2 * manyQuestions)
    for (const { id } of asked)
      expect(accepted.filter((one) => one.startsWith(id))).toEqual([`${id} question.asked`, `${id} question.settled`])
  },
  patient.timeout,
)

it("sends an event again on request with the same id, and a test event at any time", async () => {
  const { startProcess, addProgram, setEndpoint, ask, until, receiver, endpoints, deliveries, isQuiet } =
    await openWorld()
  const sender = await startProcess()
  const program = await addProgram("deployer")
  const { endpoint } = await setEndpoint(program)
  await ask(program)
  await until(() => isQuiet(endpoint))
  const [sent] = await deliveries(endpoint)
  await endpoints.again(endpoint, sent?.id ?? "")
  await until(() => receiver.received.length === 2)
  expect(receiver.received[1]?.id).toBe(sent?.id)
  const test = await endpoints.test(endpoint)
  expect(await sender.send(test)).toMatchObject({ state: "accepted", last: { status: 204 } })
  expect(receiver.received.at(-1)).toMatchObject({ type: "endpoint.tested", data: { program: "deployer" } })
  expect((await deliveries(endpoint)).map(({ type }) => type)).toContain("endpoint.tested")
})

it("sends no events from before the endpoint was created, even when the trail is read from before that", async () => {
  const { startProcess, addProgram, setEndpoint, ask, until, receiver } = await openWorld()
  const [first, second] = [await addProgram("first"), await addProgram("second")]
  await setEndpoint(first)
  await ask(second)
  await setEndpoint(second)
  const { id } = await ask(second)
  await startProcess()
  await until(() => receiver.received.some(({ data }) => data.id === id))
  expect(receiver.received).toHaveLength(1)
})

it("does not send an event from a second process while the first one sends it", async () => {
  const { startProcess, addProgram, setEndpoint, ask, until, receiver, deliveries } = await openWorld()
  const program = await addProgram("deployer")
  const { endpoint } = await setEndpoint(program)
  receiver.answerWith(() => {})
  await startProcess()
  await ask(program)
  await until(() => receiver.received.length === 1)
  const other = await startProcess()
  const [delivery] = await deliveries(endpoint)
  if (delivery !== undefined) await other.send(delivery)
  expect(receiver.received).toHaveLength(1)
})
