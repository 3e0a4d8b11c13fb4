// What a handler finds when it runs again, and when it fails because it diverged.

import { describe, expect, it } from "vitest"
import type { JournalEntry } from "../../src/asking/journal.ts"
import { createJournal } from "../../src/asking/journal.ts"

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
  for (const key of keys) journal.pass(come(key))
  journal.check()
}

describe("a run", () => {
  const known = [answered("a"), answered("b"), asked("c")]

  it.each([
    ["the same way", ["a", "b", "c"]],
    ["the same way, and further", ["a", "b", "c", "d", "e"]],
    ["in another order through what was asked side by side", ["c", "b", "a"]],
    ["in another order through what was asked side by side, and further", ["b", "a", "c", "d"]],
    ["further before all of the old is reached, in chains beside each other", ["a", "d", "b", "e", "c"]],
    ["less far, with nothing new", ["a"]],
    ["nowhere", []],
  ])("may go %s", (_words, keys) => {
    expect(() => run(known, keys)).not.toThrow()
  })

  it.each([
    ["something new in place of what it came to before", ["a", "b", "d"]],
    ["something new at its beginning", ["d"]],
    ["something new, and to the last of the old alone", ["c", "d"]],
  ])("fails when it comes to %s", (_words, keys) => {
    expect(() => run(known, keys)).toThrow(diverged)
    expect(() => run(known, keys, false)).not.toThrow()
  })

  it("may skip or add optional entries without diverging", () => {
    const optional = [asked("account", { isOptional: true }), answered("a")]
    expect(() => run(optional, ["a", "d"])).not.toThrow()
    const journal = createJournal([answered("a")], { strict: true })
    journal.pass({ ...come("account"), isOptional: true })
    expect(() => journal.check()).not.toThrow()
  })

  it("fails when it uses a key twice, strict or not", () => {
    for (const strict of [true, false]) expect(() => run([], ["a", "a"], strict)).toThrow(diverged)
    for (const strict of [true, false]) expect(() => run(known, ["a", "b", "a"], strict)).toThrow(diverged)
  })

  it("fails when it asks something else under a key, strict or not", () => {
    for (const strict of [true, false])
      expect(() => createJournal(known, { strict }).pass(come("a", "other"))).toThrow(diverged)
  })

  it("fails when it comes in another order to what was asked one after the other", () => {
    const line = [answered("a"), asked("b")].map((entry) => ({ ...entry, isAlone: true }))
    expect(() => run(line, ["b"])).toThrow(/“b” before “a”/)
    expect(() => run(line, ["b"], false)).not.toThrow()
    expect(() => run(line, ["a", "b", "c"])).not.toThrow()
    const beside = [line[0] ?? answered("a"), answered("x"), line[1] ?? asked("b")]
    expect(() => run(beside, ["a", "b", "x"])).not.toThrow()
    const optional = [asked("account", { isOptional: true, isAlone: true }), ...line]
    expect(() => run(optional, ["a", "b"])).not.toThrow()
  })

  it("remembers what was asked alone, also once it is answered", () => {
    const journal = createJournal([], { strict: true })
    journal.pass(come("a"), true)
    journal.set(asked("a"))
    journal.set(answered("a"))
    journal.pass(come("b"), false)
    journal.set(asked("b"))
    expect([...journal.entries.values()].map(({ isAlone }) => isAlone)).toEqual([true, undefined])
  })

  it("says which key it was, and what to do", () => {
    expect(() => run(known, ["a", "d"])).toThrow(/“b”, “c”.*ask\.once/)
  })
})

describe("what a client brings along", () => {
  const reply = { action: "accept", content: { ok: true } }

  it("is kept for open questions, and changes no other entry", () => {
    const journal = createJournal([asked("a"), answered("b"), asked("c")], { strict: true })
    journal.bring({ a: reply, b: reply, d: reply, c: { action: "perhaps" }, __proto__: reply })
    expect(journal.get("a")).toEqual(asked("a", { reply }))
    expect(journal.get("b")).toEqual(answered("b"))
    expect(journal.get("c")).toEqual(asked("c"))
    expect(journal.get("d")).toBeUndefined()
  })

  it("replaces what the client said before", () => {
    const journal = createJournal([asked("a", { reply })], { strict: true })
    journal.bring({ a: { action: "decline" } })
    expect(journal.get("a")).toEqual(asked("a", { reply: { action: "decline" } }))
  })
})

describe("what has changed", () => {
  it("is what was set, brought or dropped since it was written down", () => {
    const journal = createJournal([answered("a"), asked("b"), asked("c")], { strict: true })
    expect([...journal.changed]).toEqual([])
    journal.set({ kind: "started", key: "once x", digest: "x" })
    journal.bring({ b: { action: "accept" }, unknown: { action: "accept" } })
    expect([...journal.changed]).toEqual(["once x", "b"])
    journal.changed.clear()
    expect(journal.giveUp()).toBe(true)
    expect(journal.changed.has("a")).toBe(true)
  })

  it("includes the entries that a journal loses when its handler is run again", () => {
    const journal = createJournal([answered("a"), { ...answered("account"), isOptional: true }], { strict: true })
    const again = journal.restart()
    expect([...again.entries.keys()]).toEqual(["a"])
    expect([...again.changed]).toEqual(["account"])
  })

  it("is not kept when a call is given up that has people's answers alone", () => {
    const answer: JournalEntry = { ...answered("a"), outcome: { status: "completed", content: { ok: true } } } as never
    expect(createJournal([answer], { strict: true }).giveUp()).toBe(false)
  })
})
