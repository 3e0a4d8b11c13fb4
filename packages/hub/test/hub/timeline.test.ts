// The timeline as it is read from entries of the trail, given as literals.

import { describe, expect, it } from "vitest"
import { createTimeline } from "../../src/hub/timeline.ts"
import type { Entry, EntryDetail, EntryKind } from "../../src/ports/trail.ts"

const by = { tenant: "t", issuer: "https://people.example", subject: "alice" }

const entry = (position: number, kind: EntryKind, detail: EntryDetail = {}, more: Partial<Entry> = {}): Entry => ({
  ...{ position, kind, id: "q", tenant: "t", at: position * 1_000, detail },
  ...more,
})

const asked = (position: number) =>
  entry(position, "asked", {
    question: {
      ...{ mode: "form", message: "Delete it?", fields: ["confirmed"], requester: { id: "agent helper" } },
      context: { trigger: "approval", tool: "delete_note", agent: "manager › worker" },
    },
    here: ["inbox"],
  })

const call = { id: "step 0 call 0", toolId: "t1", tool: "delete_note" }

function itemsOf(...entries: readonly Entry[]) {
  const timeline = createTimeline()
  return entries.flatMap((one) => timeline.add(one) ?? [])
}

describe("a timeline", () => {
  it("has an item for each step, with the time spent waiting for people", () => {
    expect(
      itemsOf(
        entry(1, "run", { code: "begun", via: "helper" }),
        entry(2, "call", { code: "begun", call }),
        asked(3),
        entry(4, "run", { code: "waiting" }),
        entry(5, "shown", { via: "chat" }),
        entry(6, "opened", { by }),
        entry(9, "completed", { by, via: "run api" }, { status: "completed" }),
        entry(10, "edited", { by, code: "arguments_edited", message: "id" }),
        entry(11, "run", { code: "running" }),
        entry(12, "call", { code: "done", call }),
        entry(13, "run", { code: "done" }),
      ).map(({ at: _at, ...item }) => item),
    ).toEqual([
      { number: 1, kind: "run-started", agent: "helper" },
      { number: 2, kind: "tool-called", toolId: "t1", tool: "delete_note" },
      {
        ...{ number: 3, kind: "asked", elicitationId: "q", mode: "form", message: "Delete it?" },
        ...{ requester: "agent helper", shown: ["inbox"], tool: "delete_note", agent: "manager › worker" },
      },
      { number: 4, kind: "paused" },
      { number: 5, kind: "shown", elicitationId: "q", via: "chat" },
      { number: 6, kind: "opened", elicitationId: "q" },
      {
        number: 9,
        kind: "answered",
        elicitationId: "q",
        answer: "completed",
        by: "alice",
        via: "run api",
        waitedMs: 6_000,
      },
      { number: 10, kind: "edited", elicitationId: "q", by: "alice", names: "id" },
      { number: 11, kind: "resumed", waitedMs: 7_000 },
      { number: 12, kind: "tool-finished", toolId: "t1", tool: "delete_note", outcome: "done" },
      { number: 13, kind: "run-ended", status: "done" },
    ])
  })

  it("gives the time of each step as ISO 8601", () => {
    expect(itemsOf(entry(90, "run", { code: "begun" }))[0]?.at).toBe("1970-01-01T00:01:30.000Z")
  })

  it.each(["declined", "cancelled", "failed", "unsupported"] as const)("says that a question was %s", (kind) => {
    expect(itemsOf(asked(1), entry(3, kind))[1]).toMatchObject({ kind: "answered", answer: kind, waitedMs: 2_000 })
  })

  it("says yes or no for a confirmation, if the answer is passed in", () => {
    const timeline = createTimeline()
    timeline.add(asked(1))
    expect(timeline.add(entry(2, "completed"), "no")).toMatchObject({ kind: "answered", answer: "no" })
  })

  it("says that a question expired", () => {
    expect(itemsOf(asked(1), entry(61, "expired"))[1]).toMatchObject({ kind: "expired", waitedMs: 60_000 })
  })

  it.each(["failed", "denied"] as const)("says that a call %s", (code) => {
    expect(itemsOf(entry(1, "call", { code, call }))[0]).toMatchObject({ kind: "tool-finished", outcome: code })
  })

  it("says that a person took their answer back", () => {
    const late = { code: "already_settled", message: "decline", by, via: "inbox" }
    expect(itemsOf(asked(1), entry(2, "refused", late, { status: "completed" }))[1]).toMatchObject({
      ...{ kind: "taken-back", by: "alice", via: "inbox" },
    })
  })

  it("shows what a call did with the answer, and how the call ended", () => {
    expect(
      itemsOf(
        entry(1, "effect", { code: "e", message: "begun" }),
        entry(2, "effect", { code: "e", message: "done" }),
        entry(3, "asker", { code: "c", message: "over" }),
        entry(4, "call_cancelled", { code: "x" }),
      ),
    ).toMatchObject([
      { kind: "effect", step: "begun" },
      { kind: "effect", step: "done" },
      { kind: "call-ended", status: "over" },
      { kind: "call-ended", status: "cancelled" },
    ])
  })

  it("shows a step once, even if a second process wrote it again after the first one died", () => {
    const twice = [
      entry(1, "call", { code: "begun", call }),
      entry(2, "call", { code: "done", call }),
      entry(3, "shown", { via: "chat" }),
      entry(4, "opened"),
      entry(5, "effect", { code: "e", message: "begun" }),
      entry(6, "asker", { code: "c", message: "gone" }),
    ]
    expect(itemsOf(...twice, ...twice)).toEqual(itemsOf(...twice))
  })

  it.each(["joined", "widened", "released", "owed", "not_shown", "refused", "signed_in", "connected"] as const)(
    "leaves out an entry “%s”",
    (kind) => {
      expect(itemsOf(entry(1, kind, { code: "x", message: "y" }))).toEqual([])
    },
  )
})
