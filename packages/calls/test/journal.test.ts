// What a handler finds when it runs again, and when it fails because it diverged.

import { describe, expect, it } from "vitest"
import type { JournalEntry } from "../src/journal.ts"
import { createJournal } from "../src/journal.ts"

const asked = (key: string, more: object = {}): JournalEntry => ({
  ...{ kind: "asked", key, digest: key, elicitation: `e-${key}`, attempts: 0 },
  ...more,
})
const answered = (key: string): JournalEntry => ({
  ...{ kind: "answered", key, digest: key, elicitation: `e-${key}` },
  outcome: { status: "completed" },
})
const come = (key: string, digest = key) => ({ key, digest })
const diverged = expect.objectContaining({ code: "replay_diverged" })

/** One run that reaches these keys, in this order. */
function run(known: readonly JournalEntry[], keys: readonly string[], strict = true): void {
  const journal = createJournal(known, { strict })
  for (const key of keys) journal.visitStep(come(key))
  journal.check()
}

describe("a run", () => {
  const known = [answered("a"), answered("b"), asked("c")]

  it.each([
    ["repeat the earlier run", ["a", "b", "c"]],
    ["repeat the earlier run and continue", ["a", "b", "c", "d", "e"]],
    ["reorder questions that were asked in parallel", ["c", "b", "a"]],
    ["reorder questions that were asked in parallel, and continue", ["b", "a", "c", "d"]],
    ["continue in one parallel chain before another reaches its old keys", ["a", "d", "b", "e", "c"]],
    ["stop earlier, with no new key", ["a"]],
    ["reach no key", []],
  ])("may %s", (_words, keys) => {
    expect(() => run(known, keys)).not.toThrow()
  })

  it.each([
    ["reaches a new key instead of an old one", ["a", "b", "d"]],
    ["begins with a new key", ["d"]],
    ["reaches a new key, and only the last of the old ones", ["c", "d"]],
  ])("fails when it %s", (_words, keys) => {
    expect(() => run(known, keys)).toThrow(diverged)
    expect(() => run(known, keys, false)).not.toThrow()
  })

  it("may skip or add optional entries without diverging", () => {
    const optional = [asked("account", { isOptional: true }), answered("a")]
    expect(() => run(optional, ["a", "d"])).not.toThrow()
    const journal = createJournal([answered("a")], { strict: true })
    journal.visitStep({ ...come("account"), isOptional: true })
    expect(() => journal.check()).not.toThrow()
  })

  it("may skip an effect that threw, but none that has begun or succeeded", () => {
    const withEffect = (kind: "started" | "failed" | "done"): readonly JournalEntry[] => [
      { kind, key: "charge", digest: "charge", isAlone: true },
      answered("a"),
    ]
    expect(() => run(withEffect("failed"), ["a", "b"])).not.toThrow()
    for (const kind of ["started", "done"] as const) expect(() => run(withEffect(kind), ["a", "b"])).toThrow(diverged)
  })

  it("fails when it uses a key twice, strict or not", () => {
    for (const strict of [true, false]) expect(() => run([], ["a", "a"], strict)).toThrow(diverged)
    for (const strict of [true, false]) expect(() => run(known, ["a", "b", "a"], strict)).toThrow(diverged)
  })

  it("fails when it asks something else under a key, strict or not", () => {
    for (const strict of [true, false])
      expect(() => createJournal(known, { strict }).visitStep(come("a", "other"))).toThrow(diverged)
  })

  it("fails when it reorders questions that were asked one after the other", () => {
    const line = [answered("a"), asked("b")].map((entry) => ({ ...entry, isAlone: true }))
    expect(() => run(line, ["b"])).toThrow(/“b” before “a”/)
    expect(() => run(line, ["b"], false)).not.toThrow()
    expect(() => run(line, ["a", "b", "c"])).not.toThrow()
    const beside = [line[0] ?? answered("a"), answered("x"), line[1] ?? asked("b")]
    expect(() => run(beside, ["a", "b", "x"])).not.toThrow()
    const optional = [asked("account", { isOptional: true, isAlone: true }), ...line]
    expect(() => run(optional, ["a", "b"])).not.toThrow()
  })

  it("remembers which question was asked alone, even after the answer", () => {
    const journal = createJournal([], { strict: true })
    journal.visitStep(come("a"), true)
    journal.set(asked("a"))
    journal.set(answered("a"))
    journal.visitStep(come("b"), false)
    journal.set(asked("b"))
    expect([...journal.entries.values()].map(({ isAlone }) => isAlone)).toEqual([true, undefined])
  })

  it("fails with an error that names the keys and says what to do", () => {
    expect(() => run(known, ["a", "d"])).toThrow(/“b”, “c”.*ask\.once/)
  })
})

describe("the replies that a client sends along", () => {
  const reply = { action: "accept", content: { ok: true } }

  it("are kept for open questions, and change no other entry", () => {
    const journal = createJournal([asked("a"), answered("b"), asked("c")], { strict: true })
    journal.addReplies({ a: reply, b: reply, d: reply, c: { action: "perhaps" }, __proto__: reply })
    expect(journal.get("a")).toEqual(asked("a", { reply }))
    expect(journal.get("b")).toEqual(answered("b"))
    expect(journal.get("c")).toEqual(asked("c"))
    expect(journal.get("d")).toBeUndefined()
  })

  it("replace the client's earlier replies", () => {
    const journal = createJournal([asked("a", { reply })], { strict: true })
    journal.addReplies({ a: { action: "decline" } })
    expect(journal.get("a")).toEqual(asked("a", { reply: { action: "decline" } }))
  })
})

describe("the changed entries", () => {
  it("are those that were set, answered or dropped since the last write", () => {
    const journal = createJournal([answered("a"), asked("b"), asked("c")], { strict: true })
    expect([...journal.changed]).toEqual([])
    journal.set({ kind: "started", key: "once x", digest: "x" })
    journal.addReplies({ b: { action: "accept" }, unknown: { action: "accept" } })
    expect([...journal.changed]).toEqual(["once x", "b"])
    journal.changed.clear()
    expect(journal.giveUp()).toBe(true)
    expect(journal.changed.has("a")).toBe(true)
  })

  it("include the entries that the journal drops when its handler runs again", () => {
    const journal = createJournal([answered("a"), { ...answered("account"), isOptional: true }], { strict: true })
    const again = journal.restart()
    expect([...again.entries.keys()]).toEqual(["a"])
    expect([...again.changed]).toEqual(["account"])
  })

  it("are not kept when a call that has only people's answers is given up", () => {
    const answer: JournalEntry = { ...answered("a"), outcome: { status: "completed", content: { ok: true } } } as never
    expect(createJournal([answer], { strict: true }).giveUp()).toBe(false)
  })
})
