// The records of agents: texts of people and models are sealed, survive a change of keys, and are deleted after a time.

import { join } from "node:path"
import { createHub, createMemoryStorage, inbox, type Storage } from "@holdpoint/hub"
import { createSealer, parseKeyRing, rewrapAll, serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { createTestClock } from "@holdpoint/testing"
import { newKeys } from "@holdpoint/testkit/agents/agents-server"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { describe, expect, it, onTestFinished } from "vitest"
import { createConversations } from "../src/conversations.ts"
import { logKind } from "../src/records.ts"
import { createRunLogs } from "../src/run-log.ts"
import { createSealedText } from "../src/sealed-records.ts"

const alice = { tenant: "local", issuer: "local", subject: "alice" }
const hour = 3_600_000

const opened: readonly { readonly name: string; readonly open: () => Promise<Storage> }[] = [
  { name: "memory", open: async () => createMemoryStorage() },
  { name: "SQLite", open: () => openSqlite(join(makeScratchFolder("agents"), "test.db")) },
]

async function openParts(open: () => Promise<Storage>, keys = newKeys()) {
  const storage = await open()
  onTestFinished(() => storage.close())
  const clock = createTestClock()
  const parts = { storage, sealer: createSealer(keys), runtime: clock, keptMs: hour }
  return { ...parts, clock, conversations: createConversations(parts), logs: createRunLogs(parts) }
}

const beginning = (text: string) => ({
  ...{ person: alice, name: "c1", agent: "helper" },
  message: { id: "m", role: "user" as const, parts: [{ type: "text" as const, text }] },
  prompt: [{ role: "user" as const, content: text }],
})

describe("sealed text that was opened before", () => {
  const sealed = () => {
    const texts = createSealedText(createSealer(newKeys()), logKind)
    const part = {
      id: "a",
      tenant: "t",
      version: 1,
      run: "r",
      first: 1,
      count: 1,
      runVersion: 1,
      writer: "w",
      expiresAt: 1,
    }
    return { texts, part: texts.seal(part, { chunks: ["said"], other: 1 }) }
  }

  it("is opened again, whole or in part, as a separate value", () => {
    const { texts, part } = sealed()
    const one = texts.open(part, ["chunks"])
    expect(one).toEqual({ chunks: ["said"] })
    expect(texts.open(part)).toEqual({ chunks: ["said"], other: 1 })
    expect(texts.open(part).chunks).not.toBe(one.chunks)
  })

  it("cannot be opened after it was moved or altered", () => {
    const { texts, part } = sealed()
    const { chunks = "", other = "" } = part.sealed?.fields ?? {}
    const withFields = (fields: Record<string, string>) =>
      ({ ...part, sealed: part.sealed && { ...part.sealed, fields } }) as typeof part
    expect(() => texts.open({ ...part, id: "b" })).toThrow("cannot be opened")
    expect(() => texts.open({ ...part, tenant: "u" })).toThrow("cannot be opened")
    expect(() => texts.open(withFields({ chunks: other }))).toThrow("cannot be opened")
    expect(() => texts.open(withFields({ chunks: `${chunks.slice(0, -2)}AA` }))).toThrow("cannot be opened")
  })

  it("can still be opened after it has left the cache", () => {
    const { texts, part } = sealed()
    for (let index = 0; index < 12; index++) texts.seal({ ...part, id: `${index}` }, { chunks: "x".repeat(100_000) })
    expect(texts.open(part)).toEqual({ chunks: ["said"], other: 1 })
  })
})

describe.each(opened)("on $name, records of agents", ({ open }) => {
  it("seal what a person wrote, what a model said and what was sent", async () => {
    const { storage, conversations, logs } = await openParts(open)
    const run = await conversations.begin(beginning("canary in the message"))
    if (run === undefined) throw new Error("no run")
    const log = logs.open(run, hasIt)
    log.add({ type: "text-delta", id: "t", delta: "canary in the stream" })
    await log.flush()
    await conversations.change(run.id, (now) => ({ ...now, status: "done" }), [
      { role: "assistant", content: "canary in the reply" },
    ])
    const sealed = await storage.retention.sealed({ notWith: "", limit: 10, after: undefined })
    expect(sealed.map(({ kind }) => kind).toSorted()).toEqual(["run", "run_log"])
    expect(JSON.stringify(sealed)).not.toContain("canary")
    expect(JSON.stringify(await conversations.prompt({ ...run, number: 2, id: "next" }))).toContain("in the reply")
    expect(await logs.read(run, 0)).toEqual([
      { number: 1, chunk: { type: "text-delta", id: "t", delta: "canary in the stream" } },
    ])
  })

  it("can still be read after the keys were changed", async () => {
    const first = newKeys()
    const { storage, conversations } = await openParts(open, first)
    const run = await conversations.begin(beginning("hello"))
    const both = parseKeyRing(serializeKeyRing(withNewKey(first)), "the test")
    const sealer = createSealer(both)
    expect((await rewrapAll(storage, sealer)).failed).toEqual([])
    const later = createConversations({ storage, sealer, runtime: createTestClock(), keptMs: hour })
    const read = await later.get(run?.id ?? "")
    expect(read === undefined ? undefined : later.message(read).parts).toEqual([{ type: "text", text: "hello" }])
  })

  it("are removed by the hub's sweep when they expire, and not before", async () => {
    const { storage, clock, conversations, logs } = await openParts(open)
    const hub = createHub({ storage, runtime: clock, outlets: [inbox()] })
    onTestFinished(() => hub.close())
    const run = await conversations.begin(beginning("hello"))
    if (run === undefined) throw new Error("no run")
    const log = logs.open(run, hasIt)
    log.add({ type: "start" })
    await log.flush()
    await conversations.change(run.id, (now) => ({ ...now, status: "done" }), [])
    const storedRecords = async () => ({
      conversation: (await conversations.find(alice, "c1"))?.name,
      runs: (await conversations.runs({ id: run.conversation, tenant: "local" })).length,
      chunks: (await logs.read(run, 0)).length,
    })
    const start = clock.now()
    clock.set(start + hour - 1)
    expect((await hub.sweep()).recordsForgotten).toBe(0)
    expect(await storedRecords()).toEqual({ conversation: "c1", runs: 1, chunks: 1 })
    clock.set(start + hour)
    expect((await hub.sweep()).recordsForgotten).toBe(3)
    expect(await storedRecords()).toEqual({ conversation: undefined, runs: 0, chunks: 0 })
    expect(await storage.retention.sealed({ notWith: "", limit: 10, after: undefined })).toEqual([])
  })

  it("do not let a log outlive its run, because a later conversation may get the same run id", async () => {
    const { storage, clock, conversations, logs } = await openParts(open)
    const run = await conversations.begin(beginning("hello"))
    if (run === undefined) throw new Error("no run")
    await clock.advance(hour / 2)
    const log = logs.open(run, hasIt)
    log.add({ type: "finish" })
    await log.flush()
    await clock.advance(hour / 2)
    const hub = createHub({ storage, outlets: [inbox()], runtime: clock })
    onTestFinished(() => hub.close())
    await hub.sweep()
    expect(await logs.read(run, 0)).toEqual([])
  })

  it("let only one of two concurrent messages begin a run", async () => {
    const { conversations } = await openParts(open)
    const begun = await Promise.all([conversations.begin(beginning("one")), conversations.begin(beginning("two"))])
    expect(begun.filter((run) => run !== undefined)).toHaveLength(1)
  })

  it("refuse a writer of a log whose run another process has taken over", async () => {
    const { conversations, logs } = await openParts(open)
    const run = await conversations.begin(beginning("hello"))
    if (run === undefined) throw new Error("no run")
    const lost = () => Promise.reject(new Error("Another process has the run."))
    const [one, other] = [logs.open(run, lost), logs.open({ ...run, version: run.version + 1 }, hasIt)]
    one.add({ type: "start" })
    await one.flush()
    other.add({ type: "start-step" })
    await other.flush()
    one.add({ type: "finish" })
    await expect(one.flush()).rejects.toThrow("Another process has the run.")
    expect((await logs.read(run, 0)).map(({ chunk }) => chunk.type)).toEqual(["start", "start-step"])
  })

  it("know the content of a log that is new, and of one that another process began", async () => {
    const { conversations, logs } = await openParts(open)
    const run = await conversations.begin(beginning("hello"))
    if (run === undefined) throw new Error("no run")
    const first = logs.open(run, hasIt, { isNew: true })
    expect(await first.isEmpty()).toBe(true)
    first.add({ type: "start" })
    first.add({ type: "start-step" })
    await first.flush()
    const second = logs.open({ ...run, version: run.version + 1 }, hasIt)
    for (const log of [first, second]) expect([await log.isEmpty(), await log.count("start-step")]).toEqual([false, 1])
    second.add({ type: "start-step" })
    second.add({ type: "finish" })
    await second.flush()
    expect([await second.count("start-step"), await second.isEnded()]).toEqual([2, true])
  })

  it("write the first chunk after a flush immediately, and later chunks together", async () => {
    const { clock, conversations, logs } = await openParts(open)
    const run = await conversations.begin(beginning("hello"))
    if (run === undefined) throw new Error("no run")
    const log = logs.open(run, hasIt, { isNew: true })
    const written: string[][] = []
    const isWritten = Promise.withResolvers<void>()
    logs.follow(run.id, (chunks) => {
      if (written.push(chunks.map(({ chunk }) => chunk.type)) === 2) isWritten.resolve()
    })
    log.add({ type: "start" })
    await log.flush()
    log.add({ type: "start-step" })
    await isWritten.promise
    log.add({ type: "finish-step" })
    log.add({ type: "finish" })
    expect(written).toEqual([["start"], ["start-step"]])
    await clock.advance(25)
    await log.flush()
    expect(written).toEqual([["start"], ["start-step"], ["finish-step", "finish"]])
  })

  it("refuse a writer that treats a log as new although another process has written to it", async () => {
    const { conversations, logs } = await openParts(open)
    const run = await conversations.begin(beginning("hello"))
    if (run === undefined) throw new Error("no run")
    const other = logs.open({ ...run, version: run.version + 1 }, hasIt)
    other.add({ type: "start" })
    await other.flush()
    const lost = () => Promise.reject(new Error("Another process has the run."))
    const log = logs.open(run, lost, { isNew: true })
    log.add({ type: "start" })
    await expect(log.flush()).rejects.toThrow("Another process has the run.")
  })

  it("check that a writer still has the run when it writes after a pause", async () => {
    const { clock, conversations, logs } = await openParts(open)
    const run = await conversations.begin(beginning("hello"))
    if (run === undefined) throw new Error("no run")
    const lost = () => Promise.reject(new Error("Another process has the run."))
    const log = logs.open(run, lost)
    log.add({ type: "start" })
    await log.flush()
    clock.set(clock.now() + 20_000)
    log.add({ type: "finish" })
    await expect(log.flush()).rejects.toThrow("Another process has the run.")
    expect(await logs.read(run, 0)).toHaveLength(1)
  })

  it("continue after a late chunk of the previous process, and drop that chunk", async () => {
    const { conversations, logs } = await openParts(open)
    const run = await conversations.begin(beginning("hello"))
    if (run === undefined) throw new Error("no run")
    const [one, other] = [logs.open(run, hasIt), logs.open({ ...run, version: run.version + 1 }, hasIt)]
    one.add({ type: "start" })
    await one.flush()
    other.add({ type: "start-step" })
    await other.flush()
    const textDelta = (delta: string) => ({ type: "text-delta", id: "t", delta }) as const
    // Uses the number that the other process is about to use.
    one.add(textDelta("of the first"))
    await one.flush()
    other.add(textDelta("of the other"))
    await other.flush()
    other.add({ type: "finish" })
    await other.flush()
    const numbered = await logs.read(run, 0)
    expect(numbered.map(({ chunk }) => chunk)).toEqual([
      ...[{ type: "start" }, { type: "start-step" }, textDelta("of the other"), { type: "finish" }],
    ])
    expect(numbered.map(({ number }) => number)).toEqual([1, 2, 4, 5])
  })
})

/** The check `assertOurs` of a process that still owns its run. */
const hasIt = async (): Promise<void> => {}
