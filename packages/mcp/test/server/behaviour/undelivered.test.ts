// Answers that are lost on their way to the client: what the repeated request or call gets.

import { createTestClock } from "@holdpoint/testing"
import { alice } from "@holdpoint/testkit/fixtures"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, passing, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Endpoint, JsonObject, Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import type { RawClient } from "@holdpoint/testkit/mcp/server/clients/raw"
import { openRaw, openRawModern, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { callKind, entryKind } from "../../../../calls/src/records.ts"
import { holdable } from "../../../src/server/index.ts"

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

let charges = 0
let ends = 0
beforeEach(() => {
  charges = 0
  ends = 0
})

/** A server whose tool charges, asks whether to send a receipt, and fails with a message when that is declined. */
function server(): McpServer {
  const made = new McpServer({ name: "undelivered", version: "1" })
  const pay = holdable(async (ask) => {
    try {
      const charge = await ask.once("charge", () => ++charges)
      const isWanted = await ask.confirm("receipt", "A receipt?")
      return text(`charged ${charge} ${isWanted}`)
    } finally {
      ends++
    }
  })
  made.registerTool("pay", {}, pay)
  return made
}

async function start(): Promise<House> {
  const house = await createHouse({ server })
  cleanUps.push(() => house.close())
  return house
}

/** An endpoint that loses responses while `isLossy` is set. */
async function lossy(house: House): Promise<{ readonly endpoint: Endpoint; isLossy: boolean }> {
  const endpoint = await house.endpoint()
  const network = {
    isLossy: false,
    endpoint: {
      ...endpoint,
      async fetch(input: string | URL, init?: RequestInit) {
        const response = await endpoint.fetch(input, init)
        if (!network.isLossy) return response
        await response.body?.cancel()
        return new Response(null, { status: 202 })
      },
    },
  }
  return network
}

const later = <T extends RawClient>(client: T): T => {
  cleanUps.push(() => client.close())
  return client
}
/** A client whose question is answered on the page, and which never receives the result. */
async function loses(house: House, answer: Reply): Promise<void> {
  const network = await lossy(house)
  const client = later(await openRaw(rawDraft, network.endpoint, { answer: () => new Promise(() => {}) }))
  network.isLossy = true
  void client.call("pay")
  const isOpen = { tenant: alice.tenant, state: "open", limit: 9 } as const
  await until(async () => (await house.hub.list(isOpen)).length === 1)
  const [question] = await house.hub.list(isOpen)
  await house.hub.answer(question?.id ?? "", { by: alice, ...answer })
}
const calls = (house: House) => house.storage.records(callKind).list({ tenant: alice.tenant, limit: 9 })
const isPutAway = async (house: House): Promise<boolean> => (await calls(house)).length === 0
const isLetGo = async (house: House): Promise<boolean> =>
  (await calls(house)).some(({ lease, sealed }) => lease === undefined && sealed !== undefined)

describe("a result that is lost on its way", () => {
  verifies("mcp.undelivered", "is returned again, unchanged, for the same state on 2026-07-28", async () => {
    const house = await start()
    const network = await lossy(house)
    const client = later(openRawModern(network.endpoint))
    const round = roundOf(await client.call("pay"))
    network.isLossy = true
    void retry(client, "pay", {}, round, { receipt: accept({ confirmed: true }) })
    await until(() => isLetGo(house))
    network.isLossy = false
    const again: JsonObject = { receipt: accept({ confirmed: false }) }
    for (let time = 0; time < 2; time++)
      expect(await retry(client, "pay", {}, round, again)).toMatchObject({ isError: false, text: "charged 1 true" })
    // The result was delivered, so the same call is a new one.
    roundOf(await client.call("pay"))
    expect([charges, ends]).toEqual([2, 1])
  })

  verifies("mcp.undelivered", "is returned once, to the same call made again in another session", async () => {
    const house = await start()
    const answer = () => accept({ confirmed: true }) as never
    await loses(house, { action: "accept", content: { confirmed: true } })
    await until(() => isLetGo(house))
    const second = await house.raw({ answer, name: "raw-client" })
    expect(await second.call("pay")).toMatchObject({ isError: false, text: "charged 1 true" })
    expect([second.prompts.length, charges, ends]).toEqual([0, 1, 1])
    expect(await second.call("pay")).toMatchObject({ isError: false, text: "charged 2 true" })
    await until(() => isPutAway(house))
    expect(await house.storage.records(entryKind).list({ tenant: alice.tenant, limit: 9 })).toEqual([])
  })

  verifies("mcp.undelivered", "that is a No keeps the effects, and the person is asked again", async () => {
    const house = await start()
    const answer = () => accept({ confirmed: true }) as never
    await loses(house, { action: "decline" })
    await until(async () => (await calls(house)).every(({ lease }) => lease === undefined))
    const second = await house.raw({ answer, name: "raw-client" })
    expect(await second.call("pay")).toMatchObject({ isError: false, text: "charged 1 true" })
    expect([second.prompts.length, charges]).toEqual([1, 1])
  })
})

describe("a call that its client cancelled in the middle of an effect", () => {
  verifies("mcp.undelivered", "keeps its result once, for the same call made again after the end", async () => {
    const { promise: isSlow, resolve: goOn } = Promise.withResolvers<void>()
    const charge = async (): Promise<number> => {
      charges++
      await isSlow
      return charges
    }
    const clock = createTestClock()
    const house = await createHouse({
      runtime: clock,
      server() {
        const made = new McpServer({ name: "undelivered", version: "1" })
        made.registerTool(
          "charge",
          {},
          holdable(async (ask) => text(`charged ${await ask.once("charge", charge)}`)),
        )
        return made
      },
    })
    cleanUps.push(() => house.close())
    const client = await house.v2("legacy", { answer: () => new Promise(() => {}) })
    const patience = new AbortController()
    const lost = client.call("charge", {}, { signal: patience.signal })
    await until(() => charges === 1)
    patience.abort()
    await lost
    await until(async () => (await calls(house)).some(({ isUnheard }) => isUnheard === true))
    goOn()
    await until(() => isLetGo(house))
    // In this time the stream of the cancelled request ends.
    await clock.advance(60_000)
    expect(await passing(clock, client.call("charge"))).toMatchObject({ isError: false, text: "charged 1" })
    await until(() => isPutAway(house))
    expect(await passing(clock, client.call("charge"))).toMatchObject({ isError: false, text: "charged 2" })
  })
})

describe("a question that is lost on its way to a client of 2026-07-28", () => {
  verifies("mcp.undelivered", "is asked again when the call is made again, and nothing is done twice", async () => {
    const house = await start()
    const network = await lossy(house)
    const client = later(openRawModern(network.endpoint))
    network.isLossy = true
    void client.call("pay")
    await until(async () => (await calls(house)).some(({ lease, parted }) => lease === undefined && !parted))
    network.isLossy = false
    const round = roundOf(await client.call("pay"))
    expect(await retry(client, "pay", {}, round, { receipt: accept({ confirmed: true }) })).toMatchObject({
      text: "charged 1 true",
    })
    expect(charges).toBe(1)
  })
})

describe("a call whose result is kept for a state", () => {
  it("is forgotten after two minutes, and its result is sealed until then", async () => {
    const clock = createTestClock()
    const house = await createHouse({ server, runtime: clock })
    cleanUps.push(() => house.close())
    const client = await house.modern()
    const round = roundOf(await client.call("pay"))
    const answers = { receipt: accept({ confirmed: true }) }
    expect(await passing(clock, retry(client, "pay", {}, round, answers))).toMatchObject({ text: "charged 1 true" })
    await until(() => isLetGo(house))
    expect(JSON.stringify(await calls(house))).not.toContain("charged")
    clock.set(clock.now() + 121_000)
    expect(await retry(client, "pay", {}, round, answers)).toMatchObject({ kind: "error", code: -32602 })
  })
})
