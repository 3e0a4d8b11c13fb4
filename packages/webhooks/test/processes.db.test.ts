// Several processes send webhooks from one database: each event once, in the order of its question, even after all of
// them were restarted.

import { postgres, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { describe, expect, it, onTestFinished } from "vitest"
import { openWorld } from "./world.ts"

describe.each([
  ["SQLite", sqlite],
  ["Postgres", postgres],
] as const)("on %s", (_name, engine) => {
  it("three processes send each event once, and in order", async () => {
    const harness = await engine()
    onTestFinished(harness.destroy)
    const world = await openWorld({ open: harness.open })
    const { startProcess, addProgram, setEndpoint, ask, answer, until, receiver, isQuiet } = world
    for (let count = 0; count < 3; count++) await startProcess()
    const program = await addProgram("deployer")
    const { endpoint } = await setEndpoint(program)
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask(program)))
    await Promise.all(asked.map(({ id }) => answer(id)))
    await until(async () => receiver.received.length >= 40 && (await isQuiet(endpoint)))
    expect(receiver.received).toHaveLength(40)
    for (const { id } of asked)
      expect(receiver.received.filter(({ data }) => data.id === id).map(({ type }) => type)).toEqual([
        "question.asked",
        "question.settled",
      ])
  })

  it("the next process sends what was committed but not sent, and nothing is sent twice", async () => {
    const harness = await engine()
    onTestFinished(harness.destroy)
    const { startProcess, addProgram, setEndpoint, ask, answer, until, receiver, isQuiet } = await openWorld({
      open: harness.open,
    })
    const program = await addProgram("deployer")
    const { endpoint } = await setEndpoint(program)
    const first = await startProcess()
    const question = await ask(program)
    await until(() => receiver.received.length === 1)
    await first.close()
    await answer(question.id)
    await ask(program)
    const second = await startProcess()
    await until(async () => receiver.received.length === 3 && (await isQuiet(endpoint)))
    await second.close()
    await startProcess()
    await ask(program)
    await until(async () => receiver.received.length === 4 && (await isQuiet(endpoint)))
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(4)
  })
})
