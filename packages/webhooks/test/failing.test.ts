// Receivers that fail: retries with growing pauses, giving up, disabling, pausing. A slow receiver does not delay
// others.

import { verifies } from "@holdpoint/testkit/verifies"
import { openReceiver, withStatus } from "@holdpoint/testkit/webhooks/receiver"
import { describe, expect, it } from "vitest"
import { pausesMs } from "../src/delivery.ts"
import { openWorld } from "./world.ts"

const day = 86_400_000

async function openFailing(status: number, headers = {}) {
  const world = await openWorld()
  const program = await world.addProgram("deployer")
  const { endpoint } = await world.setEndpoint(program)
  world.receiver.answerWith(withStatus(status, headers))
  await world.startProcess()
  return { ...world, program, endpoint }
}

describe("a receiver that fails", () => {
  verifies("webhook.retried", "gets the event after 5 s, with the same id and a new time", async () => {
    const world = await openFailing(500)
    const { ask, program, until, receiver, runtime, deliveries, endpoint } = world
    await ask(program)
    await until(async () => (await deliveries(endpoint))[0]?.last?.status === 500)
    await runtime.advance(4_900)
    expect(receiver.received).toHaveLength(1)
    receiver.answerWith(withStatus(200))
    await runtime.advance(1_000)
    await until(async () => (await deliveries(endpoint))[0]?.state === "accepted")
    const [first, second] = receiver.received
    expect(second?.id).toBe(first?.id)
    expect(second?.text).toBe(first?.text)
    expect(Number(second?.headers["webhook-timestamp"])).toBeGreaterThan(Number(first?.headers["webhook-timestamp"]))
  })

  it("gets ten attempts over three days, and then the next event of the question", async () => {
    const { ask, answer, program, receiver, deliveries, endpoint, runtime, until } = await openFailing(503)
    const started = runtime.now()
    const { id } = await ask(program)
    await answer(id)
    const first = async () => (await deliveries(endpoint)).find(({ type }) => type === "question.asked")
    for (let attempt = 1; attempt <= pausesMs.length + 1; attempt++) {
      await until(async () => {
        const { attempts, lease } = (await first()) ?? {}
        return attempts === attempt && lease === undefined
      })
      if (attempt > pausesMs.length) break
      expect(new Set(receiver.types())).toEqual(new Set(["question.asked"]))
      await runtime.advance(((await first())?.dueAt ?? 0) - runtime.now())
    }
    expect(runtime.now() - started).toBeGreaterThan(3 * day)
    await until(() => receiver.types().at(-1) === "question.settled")
    expect((await first())?.state).toBe("failed")
  })

  it("gets the next attempt no earlier than its Retry-After allows", async () => {
    const { ask, program, until, receiver, runtime, deliveries, endpoint } = await openFailing(429, {
      "retry-after": "600",
    })
    await ask(program)
    await until(async () => (await deliveries(endpoint))[0]?.last?.status === 429)
    await runtime.advance(599_000)
    expect(receiver.received).toHaveLength(1)
    await runtime.advance(2_000)
    await until(() => receiver.received.length === 2)
  })

  verifies("webhook.disabled", "is disabled with a visible reason when it answers 410", async () => {
    const { ask, program, until, receiver, endpoints, deliveries, endpoint, setEndpoint } = await openFailing(410)
    await ask(program)
    await until(async () => (await endpoints.get(program.id))?.state === "disabled")
    expect(await endpoints.get(program.id)).toMatchObject({ reason: "gone" })
    await until(async () => (await deliveries(endpoint))[0]?.state === "failed")
    await ask(program)
    receiver.answerWith(withStatus(204))
    // Setting the endpoint again activates it. Events from before that are not sent.
    await setEndpoint(program)
    const { id } = await ask(program)
    await until(() => receiver.received.length === 2)
    expect(receiver.received[1]?.data.id).toBe(id)
  })

  it("is disabled after five days in which every attempt failed", async () => {
    const { ask, program, until, endpoints, runtime } = await openFailing(500)
    await ask(program)
    await until(async () => (await endpoints.get(program.id))?.failingSince !== undefined)
    await runtime.advance(5 * day - 60_000)
    expect((await endpoints.get(program.id))?.state).toBe("active")
    await runtime.advance(60_000)
    await ask(program)
    await until(async () => (await endpoints.get(program.id))?.state === "disabled")
    expect(await endpoints.get(program.id)).toMatchObject({ reason: "failing" })
  })

  it("is no longer failing after one success", async () => {
    const { ask, program, until, endpoints, receiver } = await openFailing(500)
    await ask(program)
    await until(async () => (await endpoints.get(program.id))?.failingSince !== undefined)
    receiver.answerWith(withStatus(204))
    await ask(program)
    await until(async () => (await endpoints.get(program.id))?.failingSince === undefined)
  })

  it("counts as failing when it times out or refuses the connection", async () => {
    const world = await openWorld()
    const program = await world.addProgram("deployer")
    const { endpoint } = await world.setEndpoint(program)
    world.receiver.answerWith(() => {})
    await world.startProcess({ timeoutMs: 30 })
    await world.ask(program)
    await world.until(async () => (await world.deliveries(endpoint))[0]?.last?.problem === "timeout")
    const closed = await openReceiver()
    await closed.close()
    await world.endpoints.set(program, { url: closed.url })
    await world.runtime.advance(6_000)
    await world.until(async () => (await world.deliveries(endpoint))[0]?.last?.problem === "ECONNREFUSED")
  })

  verifies(
    "webhook.guarded",
    "counts as failing when it redirects, and nothing is sent to the other address",
    async () => {
      const other = await openReceiver()
      const { ask, program, until, deliveries, endpoint } = await openFailing(307, { location: other.url })
      await ask(program)
      await until(async () => (await deliveries(endpoint))[0]?.last?.status === 307)
      expect([other.received, other.refused]).toEqual([[], []])
    },
  )

  verifies("webhook.fair", "has one place, so that several receivers that hang do not delay the others", async () => {
    const world = await openWorld()
    const hanging = await Promise.all(
      ["slow", "slower"].map(async (name) => {
        const program = await world.addProgram(name)
        const receiver = await openReceiver(world.runtime.now)
        receiver.secrets.push((await world.setEndpoint(program, { url: receiver.url })).secret)
        receiver.answerWith(() => {})
        return { program, receiver }
      }),
    )
    const quick = await world.addProgram("quick")
    await world.setEndpoint(quick)
    await world.startProcess()
    for (const { program } of hanging) for (let n = 0; n < 12; n++) await world.ask(program)
    await world.until(() => hanging.every(({ receiver }) => receiver.received.length > 0))
    await world.ask(quick)
    await world.until(() => world.receiver.received.length === 1)
    expect(hanging.map(({ receiver }) => receiver.received.length)).toEqual([1, 1])
  })
})

verifies("webhook.paused", "a paused webhook receives nothing until it is resumed, and then everything", async () => {
  const { startProcess, addProgram, setEndpoint, ask, until, receiver, endpoints, deliveries, isQuiet } =
    await openWorld()
  await startProcess()
  const program = await addProgram("deployer")
  const { endpoint } = await setEndpoint(program)
  await endpoints.pause(program.id)
  await ask(program)
  await until(async () => (await deliveries(endpoint)).length === 1)
  expect(receiver.received).toEqual([])
  await endpoints.resume(program.id)
  await until(() => isQuiet(endpoint))
  expect(receiver.types()).toEqual(["question.asked"])
})
