// A No that comes after a Yes aborts the signal of the handler, for work outside of once.

import { setTimeout as sleep } from "node:timers/promises"
import { isRefusal } from "@holdpoint/calls"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { createPersonAtPages, type PersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect } from "vitest"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

let house: House
let person: PersonAtPages
let work: (ask: Ask) => Promise<unknown>
/** Runs between the answer and the first use of the signal. */
let before: () => Promise<unknown>
let signal: AbortSignal | undefined

beforeEach(async () => {
  before = async () => {}
  signal = undefined
  house = await createHouse({ server, nodes: 2 })
  person = createPersonAtPages(house.storage, house.keys)
})
afterEach(async () => {
  await person.close()
  await house.close()
})

function server(): McpServer {
  const made = new McpServer({ name: "notes", version: "1" })
  const deleteNote = holdable(async (ask) => {
    await ask.confirm("sure", "Delete the note?")
    await before()
    signal = ask.signal
    await work(ask)
    return text("Deleted.")
  })
  made.registerTool("delete_note", {}, deleteNote)
  return made
}

const never = () => new Promise<Reply>(() => {})
const kept = { kind: "result", isError: true, text: expect.stringContaining("they had said yes before") }
const saysYes = async () => {
  const question = await person.question()
  const [name = ""] = question.mode === "form" ? Object.keys(question.requestedSchema.properties) : []
  await person.finishes(question, { [name]: "yes" })
  return question
}

describe("a No while a handler does something outside of once", () => {
  verifies("mcp.no-aborts", "aborts its signal with the refusal, which becomes the result", async () => {
    const thrown: unknown[] = []
    work = (ask) =>
      sleep(60_000, undefined, { signal: ask.signal }).catch((error: unknown) => {
        thrown.push(ask.signal.reason)
        throw error
      })
    const client = await house.raw({ answer: never })
    const called = client.call("delete_note")
    await person.comes()
    const question = await saysYes()
    await until(() => signal !== undefined)
    expect(signal?.aborted).toBe(false)
    await person.says(question, "decline")
    expect(await called).toMatchObject(kept)
    expect(thrown.map(isRefusal)).toEqual([true])
  })

  verifies("mcp.no-aborts", "is noticed when it came before the signal was read, in another process", async () => {
    work = (ask) => sleep(60_000, undefined, { signal: ask.signal })
    const client = await house.modern()
    const round = roundOf(await client.call("delete_note"))
    const question = await saysYes()
    before = async () => {
      await person.says(question, "cancel")
      // By then the followers of the trail were notified.
      for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve))
    }
    client.to(1)
    const called = retry(client, "delete_note", {}, round)
    expect(await called).toMatchObject(kept)
  })

  verifies("mcp.no-aborts", "aborts no other call, and no call that has ended", async () => {
    const gate = Promise.withResolvers<void>()
    work = () => gate.promise
    const client = await house.raw({ answer: never })
    const called = client.call("delete_note")
    await person.comes()
    const question = await saysYes()
    await until(() => signal !== undefined)
    const mine = signal
    const second = client.call("delete_note")
    await until(async () => (await house.hub.list({ tenant: "acme", state: "open", limit: 2 })).length === 1)
    const other = await saysYes()
    await until(() => signal !== mine)
    await person.says(other, "decline")
    await until(() => signal?.aborted === true)
    expect(mine?.aborted).toBe(false)
    gate.resolve()
    expect(await called).toMatchObject({ text: "Deleted." })
    await second
    await person.says(question, "decline")
  })
})
