// What a call leaves to the next one with the same arguments: its effects, and never answers to another question.

import { alice, requester } from "@holdpoint/testkit/fixtures"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Prompt, Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { createJournal } from "../../../../calls/src/journal.ts"
import { callKind } from "../../../../calls/src/records.ts"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"
import { clientSessionKind } from "../../../src/server/records.ts"

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
  const made = new McpServer({ name: "again", version: "1" })
  made.registerTool(
    "act",
    { inputSchema: z.object({ id: z.string() }) },
    holdable((args, ask) => {
      runs++
      return handler(args, ask)
    }),
  )
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<House> {
  const house = await createHouse({ server, ...options })
  houses.push(house)
  return house
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})
const args = { id: "7" }
const sure = accept({ confirmed: true })

/** Whether the only call is stored without a lease. */
async function isLetGo(house: House): Promise<boolean> {
  const kept = await house.storage.records(callKind).list({ tenant: "acme", limit: 10 })
  return kept.length === 1 && kept[0]?.lease === undefined
}

describe("a call that its client cancelled at a link", () => {
  const deeds: string[] = []
  /** Accepts forms, and leaves links unanswered. */
  const answer = ({ mode }: Prompt): Promise<Reply> =>
    mode === "url" ? never() : Promise.resolve({ action: "accept", content: { confirmed: true } })
  const pay = async (_args: object, ask: Ask) => {
    await ask.once("noted", () => void deeds.push("noted"))
    if (!(await ask.confirm("sure", "Delete it?"))) return text("Kept.")
    await ask.url("pay", "Pay first.", "https://pay.example/7")
    return text("Deleted.")
  }

  it("leaves its effects to the next call, which asks the person again", async () => {
    deeds.splice(0)
    handler = pay
    const house = await start()
    const client = await house.raw({ answer })
    const stop = new AbortController()
    const lost = client.call("act", args, { signal: stop.signal })
    await until(() => client.prompts.length === 2)
    stop.abort()
    await lost
    const [asked] = await house.hub.list({ tenant: "acme", state: "open", limit: 10 })
    await until(() => isLetGo(house))
    await house.hub.answer(asked?.id ?? "", { by: alice, action: "accept" })
    await house.hub.complete(asked?.id ?? "")
    expect(await client.call("act", args)).toMatchObject({ text: "Deleted." })
    expect(client.prompts.map(({ mode }) => mode)).toEqual(["form", "url", "form"])
    expect(deeds).toEqual(["noted"])
  })

  it("does not keep the next one from ending earlier", async () => {
    handler = pay
    const house = await start()
    let isSure = true
    const client = await house.raw({
      answer: (prompt) => (prompt.mode === "url" ? never() : { action: "accept", content: { confirmed: isSure } }),
    })
    const stop = new AbortController()
    const lost = client.call("act", args, { signal: stop.signal })
    await until(() => client.prompts.length === 2)
    stop.abort()
    await lost
    await until(() => isLetGo(house))
    isSure = false
    expect(await client.call("act", args)).toMatchObject({ isError: false, text: "Kept." })
  })
})

describe("a journal that was given up", () => {
  it("keeps what was done, even when the next call is run twice", () => {
    const done = { key: "once paid", digest: "d", kind: "done" } as const
    const left = createJournal([done], { strict: true })
    left.giveUp()
    const next = createJournal([...left.entries.values()], { strict: true })
    expect(next.visitStep({ key: done.key, digest: done.digest })).toMatchObject({ kind: "done" })
    expect(next.get(done.key)).toEqual(done)
  })
})

describe("the result of an effect", () => {
  it("is the same JSON value on every run", async () => {
    const seen: unknown[] = []
    handler = async (_args, ask) => {
      seen.push(await ask.once("made", () => ({ at: new Date(0), left: undefined, list: new Set([1]) })))
      await ask.confirm("sure", "Sure?")
      return text("Done.")
    }
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    await retry(client, "act", args, one, { sure })
    expect(seen).toStrictEqual(Array(2).fill({ at: "1970-01-01T00:00:00.000Z", list: {} }))
  })

  it.each([1n, () => 1, Symbol("one")])("is refused if not JSON, and the effect counts as done", async (value) => {
    let deeds = 0
    handler = async (_args, ask) => {
      await ask
        .once("made", () => {
          deeds++
          return value
        })
        .catch(() => {})
      await ask.confirm("sure", "Sure?")
      return text("Done.")
    }
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    expect(await retry(client, "act", args, one, { sure })).toMatchObject({ text: "Done." })
    expect(deeds).toBe(1)
  })
})

describe("a question in the middle of an effect", () => {
  it.each(["modern", "raw"] as const)(
    "fails with an error and leaves no caller waiting, for a %s client",
    async (kind) => {
      handler = async (_args, ask) => {
        await ask.once("paid", async () => {
          await ask.once("noted", () => {})
          await ask.confirm("sure", "Sure?")
        })
        return text("Paid.")
      }
      const house = await start()
      const client = kind === "raw" ? await house.raw() : await house.modern()
      expect(await client.call("act", args)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/“sure”.*inside ask\.once\(“paid”\)/),
      })
      expect(await house.hub.list({ tenant: "acme", state: "all", limit: 10 })).toEqual([])
    },
  )
})

describe("a question beside a page that is waited for", () => {
  const house45 = () => start({ settings: { holdMs: 45_000 } })
  const pay = accept()

  it("reaches the person immediately, and the page is waited for afterwards", async () => {
    handler = async (_args, ask) => {
      const [, who] = await Promise.all([
        ask.url("pay", "Pay?", "https://pay.example/7"),
        ask.confirm("sure", "Sure?").then(() => ask.choice("who", "For whom?", ["me", "you"])),
      ])
      return text(`Paid for ${who}.`)
    }
    const house = await house45()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    expect(Object.keys(one.requests).toSorted()).toEqual(["pay", "sure"])
    const two = roundOf(await retry(client, "act", args, one, { pay, sure }))
    expect(Object.keys(two.requests)).toEqual(["who"])
    const last = retry(client, "act", args, two, { who: accept({ choice: "me" }) })
    const asked = async () => (await house.hub.list({ tenant: "acme", state: "open", limit: 10 }))[0]
    await until(async () => (await asked())?.status === "accepted")
    await house.hub.complete((await asked())?.id ?? "")
    expect(await last).toMatchObject({ text: "Paid for me." })
  })

  it("is asked again immediately when its answer does not fit", async () => {
    handler = async (_args, ask) => {
      await Promise.all([ask.url("pay", "Pay?", "https://pay.example/7"), ask.confirm("sure", "Sure?")])
      return text("Paid.")
    }
    const house = await house45()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    const two = roundOf(await retry(client, "act", args, one, { pay, sure: accept({ confirmed: "maybe" }) }))
    expect(Object.keys(two.requests)).toEqual(["sure"])
  })
})

describe("a text for the model", () => {
  it("mentions no link where there is none", async () => {
    handler = async (_args, ask) => text(`${await ask.confirm("sure", "Delete it?")}`)
    const house = await start({ settings: { rounds: 2 } })
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    const two = roundOf(await retry(client, "act", args, one))
    const last = await retry(client, "act", args, two)
    expect(last).toMatchObject({ isError: true, text: expect.stringContaining("has not answered") })
    expect(JSON.stringify(last)).not.toContain("link")
  })
})

describe("an answer", () => {
  it("never counts for another question under the same key, even outside of strict mode", async () => {
    handler = async (_args, ask) => text(`${await ask.confirm("pay", `Pay ${runs * 100} euros?`)}`)
    const house = await start({ settings: { strict: false } })
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    expect(await retry(client, "act", args, one, { pay: sure })).toMatchObject({ isError: true })
  })
})

describe("the tools for clients that cannot be asked", () => {
  const open = async (options: Partial<HouseOptions> = {}) => {
    const house = await start({ drive: () => new Response(), ...options } as Partial<HouseOptions>)
    return { house, client: await house.raw({ capabilities: {} }) }
  }

  it("mention no link that another program asked for", async () => {
    const { house, client } = await open()
    const [message, url] = ["Confirm your transfer to the lawyer", "https://bank.example/confirm"]
    await house.hub.ask({ message, url, audience: alice, requester })
    await client.call("request_access", { provider: "drive" })
    const status = await client.call("access_status")
    expect(status).toMatchObject({ text: expect.stringContaining("The user has not finished these yet") })
    expect(JSON.stringify(status)).not.toContain("lawyer")
  })

  it("are replaced by the author's tools with the same name", async () => {
    const { client } = await open({
      server: () => {
        const made = server()
        made.registerTool("request_access", {}, async () => text("My own."))
        return made
      },
    })
    expect(await client.call("request_access")).toMatchObject({ text: "My own." })
    expect((await client.listTools()).toSorted()).toEqual(["access_status", "act", "request_access"])
  })
})

describe("streams of sessions", () => {
  it("do not read the store for questions of other people", async () => {
    let looked = 0
    const house = await start({
      settings: {},
      open: async () => {
        const { createMemoryStorage } = await import("../../../../hub/src/stores/memory.ts")
        const storage = createMemoryStorage()
        return overriding(storage, clientSessionKind, ({ get }) => ({
          get(id) {
            looked++
            return get(id)
          },
        }))
      },
    })
    for (let at = 0; at < 5; at++) await house.raw()
    // Each client caused three reads: of its session for a notification and for its stream, and of its links.
    await until(() => looked === 15)
    looked = 0
    const node = house.nodes[0]
    for (let at = 0; at < 10; at++) {
      const by = { ...alice, subject: "somebody" }
      const draft = { message: "Pay", url: "https://pay.example", requester, audience: by }
      const asked = await node?.hub.ask(draft)
      await node?.hub.answer(asked?.id ?? "", { by, action: "accept" })
      await node?.hub.complete(asked?.id ?? "")
      expect(await node?.hub.get(asked?.id ?? "")).toMatchObject({ status: "completed" })
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(looked).toBe(0)
  })
})
