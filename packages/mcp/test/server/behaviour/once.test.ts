// Effects that happen once per call, however often and in whichever process its handler runs.

import type { Runtime } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import { createTestClock } from "@holdpoint/testing"
import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, passing, retry, roundOf } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

const houses: House[] = []
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close()
})

let handler: (args: { readonly id: string }, ask: Ask) => Promise<ReturnType<typeof text>>
let runs = 0
beforeEach(() => {
  runs = 0
})

function server(): McpServer {
  const made = new McpServer({ name: "replay", version: "1" })
  made.registerTool(
    "act",
    { inputSchema: z.object({ id: z.string() }) },
    holdable(async (args, ask) => {
      runs++
      return handler(args, ask)
    }),
  )
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<House> {
  const house = await createHouse({ server, nodes: 2, ...options })
  houses.push(house)
  return house
}

/** A process that dies while it works on a retry: its timers never fire again, and it answers nothing. */
async function interrupted(inTheMiddle: () => Promise<void>) {
  const clock = createTestClock()
  let isAlive = true
  const mortal: Runtime = { ...clock, after: (ms, callback) => clock.after(ms, () => isAlive && callback()) }
  const house = await start({ runtime: (node) => (node === 0 ? mortal : clock) })
  const client = await house.modern()
  const state = roundOf(await client.call("act", args))
  void retry(client, "act", args, state, { sure }).catch(() => {})
  await inTheMiddle()
  isAlive = false
  return { house, clock, state }
}

const args = { id: "7" }
const sure = accept({ confirmed: true })

describe("ask.once", () => {
  verifies("mcp.once", "runs once in a call, whichever process each round reaches", async () => {
    const done: string[] = []
    handler = async ({ id }, ask) => {
      const number = await ask.once("made", () => done.push(`made ${id}`))
      const first = await ask.confirm("first", "First?")
      await ask.once("between", async () => void done.push("between"))
      const second = await ask.confirm("second", "Second?")
      const again = await ask.once("last", () => ({ done: done.push("last") }))
      return text(JSON.stringify([number, first, second, again]))
    }
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    client.to(1)
    const two = roundOf(await retry(client, "act", args, one, { first: sure }))
    client.to(0)
    const last = await retry(client, "act", args, two, { second: sure })
    expect(last).toMatchObject({ kind: "result", isError: false, text: '[1,true,true,{"done":3}]' })
    expect(done).toEqual(["made 7", "between", "last"])
    expect(runs).toBe(3)
  })

  it("is tried again after it threw", async () => {
    let tries = 0
    const attempts: boolean[] = []
    handler = async (_args, ask) => {
      await ask.confirm("sure", "Sure?")
      try {
        await ask.once("flaky", ({ again }) => {
          tries++
          attempts.push(again)
          throw new Error("not today")
        })
      } catch {
        await ask.confirm("again", "It failed. Again?")
        return text(`tried ${await ask.once("second", () => ++tries)}`)
      }
      return text("unreachable")
    }
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    const two = roundOf(await retry(client, "act", args, one, { sure }))
    expect(tries).toBe(1)
    expect(await retry(client, "act", args, two, { again: sure })).toMatchObject({ text: "tried 3" })
    expect(attempts).toEqual([false, true])
  })

  verifies("mcp.once", "is not repeated when its process ended in the middle, and says so", async () => {
    const stuck = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const codes: string[] = []
    let effects = 0
    handler = async (_args, ask) => {
      await ask.confirm("sure", "Sure?")
      const pay = async (): Promise<void> => {
        effects++
        started.resolve()
        await stuck.promise
      }
      await ask.once("pay", pay).catch((error: unknown) => {
        codes.push(isHoldpointError(error) ? error.code : "")
        throw error
      })
      return text("Paid.")
    }
    const { house, clock, state } = await interrupted(() => started.promise)
    const other = await house.modern({ node: 1 })
    const taken = retry(other, "act", args, state, { sure })
    const called = await passing(clock, taken)
    expect(called).toMatchObject({ kind: "result", isError: true, text: expect.stringMatching(/pay.*not repeated/) })
    expect([effects, codes]).toEqual([1, ["effect_unknown"]])
  })

  it("is repeated when it is repeatable, with again set", async () => {
    const stuck = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    let effects = 0
    handler = async (_args, ask) => {
      await ask.confirm("sure", "Sure?")
      const count = await ask.once(
        "look",
        async ({ again }) => {
          effects++
          started.resolve()
          if (!again) await stuck.promise
          return effects
        },
        { repeatable: true },
      )
      return text(`Looked ${count}`)
    }
    const { house, clock, state } = await interrupted(() => started.promise)
    const other = await house.modern({ node: 1 })
    const taken = retry(other, "act", args, state, { sure })
    expect(await passing(clock, taken)).toMatchObject({ kind: "result", isError: false, text: "Looked 2" })
  })
})
