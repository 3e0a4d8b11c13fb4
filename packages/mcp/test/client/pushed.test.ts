// Tools of a 2025 server, made with the official SDK 1.32: its questions are pushed in the middle of a call, which stays
// open while the run is suspended.

import { createTestClock } from "@holdpoint/testing"
import { alice } from "@holdpoint/testkit/fixtures"
import type { Caller } from "@holdpoint/testkit/mcp/client/caller"
import { createCaller, textOf } from "@holdpoint/testkit/mcp/client/caller"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { McpPeer } from "../../src/client/index.ts"
import { connectMcp } from "../../src/client/index.ts"
import type { FirstServer } from "./first-servers.ts"
import { createFirstServer } from "./first-servers.ts"

let caller: Caller
let server: FirstServer
let peer: McpPeer

beforeEach(() => {
  caller = createCaller()
  server = createFirstServer()
  peer = open()
})
afterEach(async () => {
  await peer.close()
  await caller.close()
  expect(caller.reports).toEqual([])
})

const open = (more: Partial<Parameters<typeof connectMcp>[0]> = {}): McpPeer =>
  connectMcp({ name: "old", address: "https://old.example", transport: () => server.open(), ...more })

describe("A question that a server pushes", () => {
  verifies(
    "mcp.client-who-asks",
    "is asked in the server's name, and the same call continues, over several suspensions",
    async () => {
      expect((await peer.listTools()).map(({ name }) => name)).toContain("paint")
      expect(peer.isBusy()).toBe(false)
      const called = caller.call(peer, { name: "paint" })
      const [first] = await caller.questions()
      expect(peer.isBusy()).toBe(true)
      expect(first).toMatchObject({
        message: "“old” (https://old.example) asks: Which color?",
        context: { server: "old", serverAddress: "https://old.example" },
      })
      await caller.answer(first, { color: "red" })
      await until(async () => (await caller.questions())[0]?.message.endsWith("Really?") === true)
      await caller.answer((await caller.questions())[0], { sure: true })
      expect(await called).toBe("Painted red, sure: true")
      expect(peer.isBusy()).toBe(false)
      expect(server.deeds).toEqual(["paint begun", "painted red"])
    },
  )

  it.each([
    ["decline", "decline"],
    ["cancel", "cancel"],
  ] as const)("reaches the server as %s when the person says so", async (action, reported) => {
    const called = caller.call(peer, { name: "paint" })
    await caller.refuse((await caller.questions())[0], action)
    expect(await called).toBe(`Not painted: ${reported}`)
  })

  it("that asks for a secret is declined without asking, and the model is told why", async () => {
    expect(await caller.call(peer, { name: "log_in" })).toMatch(
      /^Told: decline\n“old” \(https:\/\/old\.example\) asked the user for something that cannot be shown to them.*secrets/s,
    )
    expect(await caller.hub.list({ tenant: "acme", state: "all", limit: 9 })).toEqual([])
  })

  it("is withdrawn when the server no longer waits for it", async () => {
    server.askMs = 1_500
    const called = caller.call(peer, { name: "paint" })
    const [question] = await caller.questions()
    expect(await called).toMatch(/timed out/i)
    expect((await caller.hub.get(question?.id ?? ""))?.status).toBe("cancelled")
  })

  verifies("mcp.client-human-time", "has no time limit of the call: only the server's own time counts", async () => {
    const clock = createTestClock()
    await peer.close()
    peer = open({ runtime: clock, limits: { callMs: 5_000 } })
    const called = caller.call(peer, { name: "paint" })
    await caller.questions()
    await clock.advance(60_000)
    await caller.answer((await caller.questions())[0], { color: "red" })
    await until(async () => (await caller.questions())[0]?.message.endsWith("Really?") === true)
    await clock.advance(60_000)
    await caller.answer((await caller.questions())[0], { sure: true })
    expect(await called).toBe("Painted red, sure: true")
  })

  it("comes from one call at a time, even when one run makes two calls", async () => {
    const called = caller.run((ask) =>
      Promise.all(["one", "two"].map((name) => peer.callTool(ask.scope(name), { name: "paint", arguments: {} }))),
    )
    for (const color of ["red", "blue"]) {
      await until(async () => (await caller.questions())[0]?.message.endsWith("color?") === true)
      expect(server.deeds.filter((deed) => deed === "paint begun")).toHaveLength(color === "red" ? 1 : 2)
      await caller.answer((await caller.questions())[0], { color })
      await until(async () => (await caller.questions())[0]?.message.endsWith("Really?") === true)
      await caller.answer((await caller.questions())[0], { sure: true })
    }
    expect((await called).map(textOf).sort()).toEqual(["Painted blue, sure: true", "Painted red, sure: true"])
  })

  it("reaches the server as decline when the person takes the answer back in time", async () => {
    const gate = Promise.withResolvers<void>()
    let runs = 0
    const called = caller.run(async (ask) => {
      runs++
      if (runs === 2) await gate.promise
      return peer.callTool(ask.scope("tool"), { name: "paint", arguments: {} })
    })
    const [question] = await caller.questions()
    await caller.answer(question, { color: "red" })
    await until(() => runs === 2)
    await caller.hub.answer(question?.id ?? "", { by: alice, action: "decline" })
    gate.resolve()
    expect(textOf(await called)).toBe("Not painted: decline")
    expect(server.deeds).toEqual(["paint begun"])
  })
})

describe("A link that a server pushes", () => {
  it("becomes a question with our own id, and is completed when the server continues", async () => {
    const called = caller.call(peer, { name: "pay" })
    const [question] = await caller.questions()
    expect(question).toMatchObject({ mode: "url", url: "https://pay.example/7" })
    expect(question?.message).toMatch(
      /^“old” \(https:\/\/old\.example\) asks you to open a page at pay\.example\.\nIt says: Please pay\.$/,
    )
    expect(JSON.stringify(question)).not.toContain("upstream-7")
    await caller.answer(question)
    expect(await called).toBe("Pay: accept")
    expect((await caller.hub.get(question?.id ?? ""))?.status).toBe("completed")
  })
})

describe("A call that needs links first", () => {
  it("is made again when the person says that they have finished", async () => {
    server.needed.add("drive")
    const called = caller.call(peer, { name: "connect" })
    const [link] = await caller.questions()
    expect(link).toMatchObject({ mode: "url", url: "https://xn--80ak6aa92e.example/drive" })
    expect(link?.message).toContain("letters that can look like others")
    await caller.answer(link)
    await until(async () => (await caller.questions()).some(({ mode }) => mode === "form"))
    const done = (await caller.questions()).find(({ mode }) => mode === "form")
    expect(done?.message).toMatch(/sent you to xn--80ak6aa92e\.example\. Try again when you have finished there\.$/)
    expect(server.deeds).toEqual(["connect called"])
    server.needed.clear()
    await caller.answer(done, { confirmed: "yes" })
    expect(await called).toBe("Connected.")
    expect((await caller.hub.get(link?.id ?? ""))?.status).toBe("completed")
  })

  it("is made again when the server reports that the link is done, without another answer", async () => {
    server.needed.add("drive")
    const called = caller.call(peer, { name: "connect" })
    await caller.answer((await caller.questions())[0])
    await until(async () => (await caller.questions()).some(({ mode }) => mode === "form"))
    server.needed.clear()
    await server.complete("another")
    await server.complete("drive")
    expect(await called).toBe("Connected.")
    expect(await caller.hub.list({ tenant: "acme", state: "open", limit: 9 })).toEqual([])
  })

  it("is not made again when the person declines or cancels", async () => {
    server.needed.add("drive")
    const declined = caller.call(peer, { name: "connect" })
    await caller.refuse((await caller.questions())[0])
    expect(await declined).toMatch(/needs the user to visit a page .* the user did not/)
    const cancelled = caller.call(peer, { name: "connect" })
    await caller.answer((await caller.questions())[0])
    await until(async () => (await caller.questions()).some(({ mode }) => mode === "form"))
    await caller.answer(
      (await caller.questions()).find(({ mode }) => mode === "form"),
      { confirmed: "no" },
    )
    expect(await cancelled).toMatch(/the user did not/)
    expect(server.deeds).toEqual(["connect called", "connect called"])
    expect(await caller.hub.list({ tenant: "acme", state: "open", limit: 9 })).toEqual([])
  })

  verifies("mcp.client-links-first", "is made again at most three times", async () => {
    server.needed.add("drive")
    const called = caller.call(peer, { name: "connect" })
    for (let attempt = 1; attempt <= 3; attempt++) {
      await until(async () => (await caller.questions()).some(({ status }) => status === "pending"))
      await caller.answer((await caller.questions()).find(({ status }) => status === "pending"))
      await until(async () => (await caller.questions()).some(({ mode }) => mode === "form"))
      await caller.answer(
        (await caller.questions()).find(({ mode }) => mode === "form"),
        { confirmed: "yes" },
      )
    }
    expect(await called).toMatch(/still asks the user to visit a page/)
    expect(server.deeds).toHaveLength(4)
  })
})

describe("A call in progress", () => {
  it("passes on progress, and is cancelled at the server by its signal", async () => {
    const stop = new AbortController()
    const progress: string[] = []
    const called = caller.call(peer, {
      name: "wait",
      signal: stop.signal,
      onProgress: ({ message }) => void progress.push(message ?? ""),
    })
    await until(() => progress.length > 0)
    expect(progress).toEqual(["half"])
    stop.abort(new Error("The user stopped it."))
    await expect(called).rejects.toThrow("The user stopped it.")
    await until(() => server.aborted.length > 0)
  })

  it("fails when its connection closes during a question, and the question is withdrawn", async () => {
    const called = caller.call(peer, { name: "paint" })
    const [question] = await caller.questions()
    const unknown = expect(called).rejects.toMatchObject({ code: "effect_unknown" })
    await peer.close()
    await unknown
    expect((await caller.hub.get(question?.id ?? ""))?.status).toBe("cancelled")
    expect(server.deeds).toEqual(["paint begun"])
  })

  it("that takes too long is given up, and its effect is unknown", async () => {
    const clock = createTestClock()
    await peer.close()
    peer = open({ runtime: clock, limits: { callMs: 5_000 } })
    const progress: string[] = []
    const called = caller.call(peer, { name: "wait", onProgress: () => void progress.push("") })
    const rejected = expect(called).rejects.toMatchObject({ code: "effect_unknown" })
    await until(() => progress.length > 0)
    await clock.advance(6_000)
    await rejected
    await until(() => server.aborted.length > 0)
  })
})
