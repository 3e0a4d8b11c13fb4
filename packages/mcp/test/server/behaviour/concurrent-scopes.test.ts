// Concurrent calls of one client that need different scopes of the same account: one prompt for all of them.

import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Called, Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import type { PersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { createPersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { readContext } from "../../../../accounts/src/vault/context.ts"
import { callerNow, holdable } from "../../../src/server/index.ts"

let house: House
let person: PersonAtPages
afterEach(async () => {
  await person.close()
  await house.close()
})

const needed = "connection drive"

function server(): McpServer {
  const made = new McpServer({ name: "drive", version: "1" })
  for (const scope of ["notes", "files", "mail"])
    made.registerTool(
      scope,
      {},
      holdable(async (ask) => text((await ask.connection("drive", { scopes: [scope] })).scopes.toSorted().join(" "))),
    )
  made.registerTool("who", {}, (context) => text(JSON.stringify(callerNow(context))))
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<void> {
  house = await createHouse({ server, drive: () => new Response(null, { status: 204 }), ...options })
  person = createPersonAtPages(house.storage, house.keys)
}

/** Returns the only question once it asks for this number of scopes. */
async function questionFor(count: number) {
  const scopes = async () => readContext(await person.question().catch(() => ({}) as never))?.scopes ?? []
  await person.comes()
  await until(async () => (await scopes()).length === count)
  return person.question()
}

const isRound = (called: Called): boolean => called.kind === "result" && isObject(called.result.inputRequests)

describe("calls that a client of 2026-07-28 makes at the same time", () => {
  verifies(
    ["mcp.one-prompt-for-all", "connection.asked-together"],
    "show one prompt, whichever process serves them, and all continue when it is done",
    async () => {
      await start({ nodes: 2 })
      const [one, two] = [await house.modern({ node: 0 }), await house.modern({ node: 1 })]
      const calls = { notes: one.call("notes"), files: two.call("files"), mail: one.call("mail") }
      const question = await questionFor(3)
      const [result, tool] = await Promise.race(
        Object.entries(calls).map(async ([name, call]) => [await call, name] as const),
      )
      const round = roundOf(result)
      expect(Object.keys(round.requests)).toEqual([needed])
      await person.finishes(question)
      const last = await retry(tool === "files" ? two : one, tool, {}, round, { [needed]: accept() })
      const others = await Promise.all(Object.entries(calls).flatMap(([name, call]) => (name === tool ? [] : [call])))
      for (const called of [last, ...others]) expect(called).toMatchObject({ isError: false, text: "files mail notes" })
    },
  )

  verifies("mcp.one-prompt-for-all", "show one prompt, and the others retry when it takes long", async () => {
    await start({ settings: { holdMs: 50 } })
    const client = await house.modern()
    const calls = await Promise.all([client.call("notes"), client.call("files")])
    const [prompted, silent] = [calls.filter(isRound), calls.filter((called) => !isRound(called))]
    expect([prompted.length, silent.length]).toEqual([1, 1])
    const tool = isRound(calls[0] as Called) ? "files" : "notes"
    const second = await retry(client, tool, {}, roundOf(silent[0]))
    expect(isRound(second)).toBe(false)
    await person.finishes(await person.question())
    expect(await retry(client, tool, {}, roundOf(second))).toMatchObject({ text: "files notes" })
  })

  verifies("mcp.no-is-kept", "are all refused by one No", async () => {
    await start()
    const client = await house.modern()
    const calls = [client.call("notes"), client.call("files")] as const
    await questionFor(2)
    const first = await Promise.race(calls.map(async (call, index) => [await call, index] as const))
    const tool = first[1] === 0 ? "notes" : "files"
    const no = await retry(client, tool, {}, roundOf(first[0]), { [needed]: { action: "decline" } })
    for (const called of [no, await (calls[1 - first[1]] as Promise<Called>)])
      expect(called).toMatchObject({ isError: true, text: expect.stringMatching(/said no/) })
  })

  it("show the prompt in both clients when two clients of the same person make them", async () => {
    await start()
    const clients = [await house.modern(), await house.modern({ client: "another-client" })]
    const calls = clients.map((client, index) => client.call(index === 0 ? "notes" : "files"))
    for (const called of await Promise.all(calls)) expect(Object.keys(roundOf(called).requests)).toEqual([needed])
  })

  it("do not keep a later call, of this client or another, from getting its own prompt", async () => {
    await start()
    const client = await house.modern()
    roundOf(await client.call("notes"))
    const later = roundOf(await client.call("files"))
    expect(Object.keys(later.requests)).toEqual([needed])
    const other = await house.modern({ client: "another-client" })
    expect(Object.keys(roundOf(await other.call("mail")).requests)).toEqual([needed])
    expect(readContext(await person.question())?.scopes).toEqual(["notes", "files", "mail"])
  })
})

describe("calls that a client of 2025-11-25 makes at the same time", () => {
  verifies("mcp.one-prompt-for-all", "show one prompt, and send one notification when it is done", async () => {
    await start()
    const client = await house.raw({
      answer: async () => {
        void questionFor(2).then(async (question) => {
          await person.reaches(question.id, "accepted")
          await person.finishes(await person.question())
        })
        return { action: "accept" } as Reply
      },
    })
    const calls = await Promise.all([client.call("notes"), client.call("files")])
    for (const called of calls) expect(called).toMatchObject({ isError: false, text: "files notes" })
    expect(client.prompts).toHaveLength(1)
    const notices = client.received.filter(({ method }) => method === "notifications/elicitation/complete")
    expect(notices).toHaveLength(1)
  })

  verifies("mcp.one-prompt-for-all", "wait behind an open prompt, however late they arrive", async () => {
    await start()
    const answered = Promise.withResolvers<Reply>()
    const client = await house.raw({ answer: () => answered.promise })
    const first = client.call("notes")
    await until(() => client.prompts.length === 1)
    const second = client.call("files")
    await person.finishes(await questionFor(2))
    for (const called of await Promise.all([first, second])) expect(called).toMatchObject({ text: "files notes" })
    expect(client.prompts).toHaveLength(1)
    answered.resolve({ action: "cancel" })
  })

  verifies("mcp.one-prompt-for-all", "show the prompt in another call when its own call is cancelled", async () => {
    await start()
    const client = await house.raw({ answer: () => new Promise(() => {}) })
    const stop = new AbortController()
    const first = client.call("notes", {}, { signal: stop.signal })
    await until(() => client.prompts.length === 1)
    const second = client.call("files")
    await questionFor(2)
    stop.abort()
    expect(await first).toMatchObject({ kind: "error" })
    await until(() => client.prompts.length === 2)
    await person.finishes(await person.question())
    expect(await second).toMatchObject({ isError: false, text: "files notes" })
  })

  verifies("mcp.one-prompt-for-all", "get the same link when links are sent as errors", async () => {
    await start({ settings: { urlWay: "error" } })
    const client = await house.raw()
    const calls = await Promise.all([client.call("notes"), client.call("files")])
    const [one, two] = calls.map((called) => (called.kind === "error" ? called.data : undefined))
    expect(one).toEqual(two)
    const { id } = await person.question()
    expect(one).toMatchObject({ elicitations: [{ elicitationId: id, url: expect.stringContaining(id) }] })
    await person.finishes(await person.question())
    expect(await client.call("files")).toMatchObject({ isError: false, text: "files notes" })
  })
})

describe("callerNow", () => {
  verifies("mcp.caller-now", "returns the caller and the client's modes in a handler, else undefined", async () => {
    await start()
    expect(callerNow()).toBeUndefined()
    const answerOf = async (called: Promise<Called>): Promise<unknown> => {
      const done = await called
      return done.kind === "result" ? JSON.parse(done.text) : done
    }
    const alice = { subject: "alice" }
    expect(await answerOf((await house.modern()).call("who"))).toMatchObject({
      ...{ principal: alice, form: true, url: true, revision: "2026-07-28" },
    })
    expect(await answerOf((await house.modern({ capabilities: {} })).call("who"))).toMatchObject({
      form: false,
      url: false,
    })
    expect(await answerOf((await house.raw()).call("who"))).toMatchObject({
      ...{ principal: alice, form: true, url: true, revision: "2025-11-25", session: expect.any(String) },
    })
  })
})
