// Votes are compared with a model: in any order of acts, a question completes with enough approvals or not at all.

import { alice, asked, bob, formDraft, now, requester } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nextItem } from "../../src/core/agenda.ts"
import { confirmForm } from "../../src/core/confirmation.ts"
import { isHoldpointError, type Problem } from "../../src/core/error.ts"
import { form, text, yesNo } from "../../src/core/form.ts"
import type { Principal } from "../../src/core/principal.ts"
import type { Draft } from "../../src/core/question.ts"
import { isSameQuestion } from "../../src/core/question.ts"
import type { ElicitationEvent } from "../../src/core/transition.ts"
import { transition } from "../../src/core/transition.ts"

const person = (index: number): Principal => ({ ...alice, subject: `p${index}`, roles: ["release"] })
const draft: Draft = {
  message: "Deploy to production?",
  form: confirmForm(),
  audience: { kind: "role", tenant: "acme", role: "release" },
  requester,
  approvals: 2,
}

type Move = { readonly by: number; readonly does: "yes" | "no" | "decline" | "cancel" | "remind" | "escalate" }

const moves = fc.array(
  fc.record({
    by: fc.nat({ max: 4 }),
    does: fc.constantFrom<Move["does"]>("yes", "yes", "yes", "yes", "no", "decline", "cancel", "remind", "escalate"),
  }),
  { maxLength: 12 },
)

const eventOf = ({ by, does }: Move, at: number): ElicitationEvent => {
  if (does === "yes" || does === "no") return { type: "accept", by: person(by), content: { confirmed: does } }
  if (does === "remind") return { type: "remind", number: at }
  return does === "escalate" ? { type: "escalate" } : { type: does, by: person(by) }
}

describe("votes", () => {
  verifies(["votes.counted-once", "votes.no-declines"], "match a model in any order of acts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), fc.option(fc.nat({ max: 4 })), moves, (approvals, excluded, all) => {
        const notBy = excluded === null ? {} : { notBy: person(excluded) }
        let question = asked({ ...draft, approvals, escalate: { afterMs: 1, role: "managers" }, ...notBy })
        const approved = new Set<number>()
        let end: string | undefined
        for (const [at, move] of all.entries()) {
          const judged = transition(question, eventOf(move, at + 1), now + at)
          if (judged.ok) question = judged.next
          const isTheirs = !["remind", "escalate"].includes(move.does)
          if (end !== undefined || !isTheirs || move.by === excluded) {
            if (isTheirs && move.by === excluded) expect(judged.ok).toBe(false)
          } else if (move.does === "cancel") end = "cancelled"
          else if (move.does !== "yes") end = "declined"
          else {
            approved.add(move.by)
            if (approved.size === approvals) end = "completed"
          }
          expect(question.status).toBe(end ?? "pending")
        }
        const approvers = (question.votes ?? []).filter((vote) => vote.said === "yes").map(({ by }) => by.subject)
        expect(approvers).toEqual([...approved].map((index) => person(index).subject))
        if (question.status === "completed") expect(new Set(approvers).size).toBe(approvals)
        else expect(question.content).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  it("ignore a Yes that was already counted, even after the end, and refuse a late new one", () => {
    let question = asked(draft)
    for (const index of [0, 1]) {
      const judged = transition(question, eventOf({ by: index, does: "yes" }, 0), now)
      if (judged.ok) question = judged.next
    }
    expect(question.status).toBe("completed")
    expect(transition(question, eventOf({ by: 0, does: "yes" }, 0), now)).toMatchObject({ ok: true, changed: false })
    expect(transition(question, eventOf({ by: 2, does: "yes" }, 0), now)).toMatchObject({
      ok: false,
      refusal: { code: "already_settled", ended: { status: "completed" } },
    })
  })

  it("are judged by the person's current roles, not the roles when the question was shown", () => {
    const { roles: _, ...left } = person(0)
    const judged = transition(asked(draft), { type: "accept", by: left, content: { confirmed: "yes" } }, now)
    expect(judged).toMatchObject({ ok: false, refusal: { code: "not_addressee" } })
  })
})

const problemsOf = (wanted: Draft): readonly Problem[] => {
  try {
    asked(wanted)
    return []
  } catch (error) {
    return isHoldpointError(error) ? error.problems : []
  }
}

describe("asking for approvals", () => {
  const people = { kind: "any", principals: [alice, bob] } as const
  const refused: readonly [string, Partial<Draft>, string, RegExp][] = [
    ["of a form with other fields", { form: form({ note: text() }) }, "approvals", /yes-or-no question/],
    ["of a yes or no beside other fields", { form: form({ ok: yesNo(), note: text() }) }, "approvals", /could differ/],
    ["of more people than invited", { audience: people, approvals: 3 }, "approvals", /only 2 people in the audience/],
    [
      "that need the requester to vote",
      { audience: people, notBy: bob },
      "approvals",
      /only one person in the audience/,
    ],
    ["of the same person twice", { audience: { kind: "any", principals: [bob, bob] } }, "approvals", /one person/],
    ["of zero people", { approvals: 0 }, "approvals", /whole number/],
    ["of half a person", { approvals: 1.5 }, "approvals", /whole number/],
    ["when the only person may not answer", { approvals: 1, audience: bob, notBy: bob }, "notBy", /leaves no person/],
    ["with a requester of another tenant", { notBy: { ...bob, tenant: "globex" } }, "notBy", /tenant/],
    ["with reminders every second", { remindEveryMs: 1_000 }, "remindEveryMs", /at least 60 s/],
    ["that escalate after the end", { escalate: { afterMs: 300_000, role: "x" } }, "escalate.afterMs", /lifetime/],
    ["that escalate to a role without a name", { escalate: { afterMs: 1, role: "" } }, "escalate.role", /./],
  ]
  for (const [what, more, path, words] of refused)
    verifies("votes.checked-when-asked", `is refused ${what}`, () => {
      const [problem] = problemsOf({ ...draft, ...more } as Draft)
      expect(problem?.path).toBe(path)
      expect(problem?.message).toMatch(words)
    })

  it("is allowed for a list that an escalation extends, and for one approval of any form", () => {
    const escalate = { afterMs: 1_000, role: "managers" }
    expect(problemsOf({ ...draft, audience: alice, escalate })).toEqual([])
    expect(asked({ ...formDraft, approvals: 1 })).not.toHaveProperty("approvals")
  })

  verifies("votes.part-of-the-key", "with different rules makes a different question of the same message", () => {
    const first = asked(draft)
    expect(isSameQuestion(first, asked(draft))).toBe(true)
    for (const more of [{ approvals: 1 }, { approvals: 3 }, { notBy: alice }, { escalate: { afterMs: 5, role: "m" } }])
      expect(isSameQuestion(first, asked({ ...draft, ...more }))).toBe(false)
    expect(isSameQuestion({ ...first, votes: [], escalatedTo: "m" }, first)).toBe(true)
  })
})

describe("the agenda of a question", () => {
  const minute = 60_000
  const wanted = { ...draft, lifetimeMs: 100 * minute, remindEveryMs: minute, escalate: { afterMs: 90_000, role: "m" } }

  it("has at most ten reminders and the escalation, in order, and nothing once the question has ended", () => {
    let question = asked(wanted)
    const done: string[] = []
    for (let at = now, item = nextItem(question, at); item !== undefined; item = nextItem(question, at)) {
      at = item.at
      const judged = transition(question, item.event, at)
      if (!judged.ok) throw new Error(judged.refusal.message)
      question = judged.next
      done.push(`${(at - now) / 1_000} ${item.event.type}`)
    }
    expect(done.slice(0, 3)).toEqual(["60 remind", "90 escalate", "120 remind"])
    expect(done.length).toBe(11)
    const [ended] = [transition(question, { type: "cancel" }, now)]
    expect(ended.ok && nextItem(ended.next, now)).toBeUndefined()
  })
})
