// Questions that grow: a caller that asks for more under the same key widens the open question, until a person has
// begun.

import { createTestClock } from "@holdpoint/testing"
import { alice, now, requester } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { Elicitation } from "../../src/core/elicitation.ts"
import type { Draft } from "../../src/core/question.ts"
import { createHub } from "../../src/hub/hub.ts"
import { inbox } from "../../src/hub/inbox.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"

const wantsOf = ({ context }: Pick<Elicitation, "context">): string[] => String(context.wants).split(" ")

/** A draft that asks for these things in addition to those already asked for. */
function wanting(...wants: readonly string[]): Draft {
  const context = (all: readonly string[]) => ({ trigger: "approval", wants: all.join(" ") }) as const
  return {
    url: (id) => `https://hub.example/x/${id}`,
    message: `May I have ${wants.join(" and ")}?`,
    audience: alice,
    requester,
    context: context(wants),
    key: "things",
    keyReuse: "open",
    widen(open) {
      const all = [...new Set([...wantsOf(open), ...wants])]
      if (all.length === wantsOf(open).length) return undefined
      return { message: `May I have ${all.join(" and ")}?`, context: context(all) }
    },
  }
}

function open() {
  const clock = createTestClock(now)
  const storage = createMemoryStorage()
  const make = () => createHub({ storage, outlets: [inbox()], runtime: clock })
  return { clock, storage, hub: make(), other: make() }
}

const begin = (hub: ReturnType<typeof open>["hub"], { id }: Elicitation, expiresAt = now + 60_000) =>
  hub.answer(id, { by: alice, action: "accept", via: "web", expiresAt })

describe("a question that grows", () => {
  verifies("hub.growing", "is widened by every asker in every process, and stays one question", async () => {
    const { hub, other, storage } = open()
    const first = await hub.ask(wanting("a"))
    const second = await other.ask(wanting("b"))
    const third = await hub.ask(wanting("a", "c"))
    expect([second.id, third.id]).toEqual([first.id, first.id])
    expect(wantsOf(third)).toEqual(["a", "b", "c"])
    expect(third).toMatchObject({ message: "May I have a and b and c?", holders: 2, grows: true })
    const again = await other.ask(wanting("b"))
    expect(again.revision).toBe(third.revision)
    const trail = await storage.trail.read({ id: first.id, limit: 10 })
    expect(trail.map(({ kind }) => kind)).toEqual(["asked", "widened", "joined", "widened"])
    expect(trail[3]?.detail.question?.message).toBe("May I have a and b and c?")
  })

  verifies(
    "hub.growing",
    "is continued in a second question, which later callers share, once a person has begun",
    async () => {
      const { hub, other } = open()
      const first = await hub.ask(wanting("a"))
      await begin(hub, first)
      const beside = await other.ask(wanting("b"))
      expect(beside.id).not.toBe(first.id)
      expect((await hub.ask(wanting("c"))).id).toBe(beside.id)
      expect((await hub.ask(wanting("a"))).id).toBe(first.id)
      expect(wantsOf((await hub.get(first.id)) ?? first)).toEqual(["a"])
      expect(wantsOf((await hub.get(beside.id)) ?? first)).toEqual(["b", "c"])
      await begin(hub, beside)
      const third = await hub.ask(wanting("d"))
      expect([first.id, beside.id]).not.toContain(third.id)
      expect(wantsOf(third)).toEqual(["d"])
    },
  )

  it("still grows when a client has only agreed to open the link", async () => {
    const { hub } = open()
    const first = await hub.ask(wanting("a"))
    await hub.answer(first.id, { by: alice, action: "accept", via: "mcp" })
    expect(await hub.ask(wanting("b"))).toMatchObject({ id: first.id, status: "accepted" })
  })

  it("stays one question when many callers of one process ask at the same moment", async () => {
    const { hub } = open()
    const all = await Promise.all(["a", "b", "c", "d"].map((one) => hub.ask(wanting(one))))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    const [one] = await hub.list({ tenant: "acme", state: "open", limit: 10 })
    expect(one === undefined ? [] : wantsOf(one).sort()).toEqual(["a", "b", "c", "d"])
  })

  it("cannot be widened beyond the limits of a question", async () => {
    const { hub } = open()
    const first = await hub.ask(wanting("a"))
    await expect(hub.ask(wanting("b".repeat(9_000)))).rejects.toMatchObject({ code: "invalid_question" })
    const huge = { ...wanting("b"), widen: () => ({ message: "x".repeat(100_000), context: first.context }) }
    await expect(hub.ask(huge)).rejects.toMatchObject({ code: "invalid_question" })
    expect(await hub.get(first.id)).toMatchObject({ revision: 1 })
  })

  it("frees its key when it ends, and the next one is a new question", async () => {
    const { hub } = open()
    const first = await hub.ask(wanting("a"))
    await hub.answer(first.id, { by: alice, action: "decline" })
    const next = await hub.ask(wanting("b"))
    expect(next.id).not.toBe(first.id)
    expect(wantsOf(next)).toEqual(["b"])
  })
})
