// Every step that a question may take, and every step that is refused.

import { alice, asked, bob, carol, mallory, now, urlDraft } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect } from "vitest"
import type { Elicitation, Status } from "../../src/core/elicitation.ts"
import { toOutcome } from "../../src/core/elicitation.ts"
import type { ElicitationEvent, EventType, Judgement, Refusal } from "../../src/core/transition.ts"
import { transition, transitions } from "../../src/core/transition.ts"

const later = now + 1_000
const reason = { code: "access_denied", message: "The provider said no." }

const events: Record<EventType, ElicitationEvent> = {
  open: { type: "open" },
  accept: { type: "accept", by: alice },
  decline: { type: "decline", by: alice },
  cancel: { type: "cancel" },
  complete: { type: "complete" },
  fail: { type: "fail", reason },
  expire: { type: "expire" },
  reject: { type: "reject", reason },
  join: { type: "join" },
  widen: { type: "widen", widen: ({ context }) => ({ message: "All of it", context: { ...context, scopes: "a b" } }) },
  release: { type: "release" },
  escalate: { type: "escalate" },
  remind: { type: "remind", number: 1 },
}

const pendingForm = asked()
const pendingUrl = asked(urlDraft)
const acceptedUrl = advanced(pendingUrl, events.accept)
const accept = (content: unknown, by = alice): ElicitationEvent => ({ type: "accept", by, content })

function advanced(from: Elicitation, event: ElicitationEvent, at = later): Elicitation {
  const judged = transition(from, event, at)
  if (!judged.ok) throw new Error(`${event.type} was refused: ${judged.refusal.code}`)
  return judged.next
}

function refused(judged: Judgement): Refusal {
  if (judged.ok) throw new Error("was not refused")
  return judged.refusal
}

describe("the transition table", () => {
  const steps: readonly [string, Elicitation, EventType, Status][] = [
    ["pending form", pendingForm, "decline", "declined"],
    ["pending form", pendingForm, "cancel", "cancelled"],
    ["pending form", pendingForm, "reject", "unsupported"],
    ["pending url", pendingUrl, "accept", "accepted"],
    ["pending url", pendingUrl, "decline", "declined"],
    ["pending url", pendingUrl, "cancel", "cancelled"],
    ["pending url", pendingUrl, "reject", "unsupported"],
    ["pending url", pendingUrl, "open", "pending"],
    ["accepted url", acceptedUrl, "complete", "completed"],
    ["accepted url", acceptedUrl, "fail", "failed"],
    ["accepted url", acceptedUrl, "decline", "declined"],
    ["accepted url", acceptedUrl, "cancel", "cancelled"],
    ["accepted url", acceptedUrl, "open", "accepted"],
  ]
  for (const [what, from, type, to] of steps) {
    verifies(
      ["core.decline-pending-or-accepted", "core.cancel-pending-or-accepted", "core.url-completes-after-accept"],
      `moves a ${what} to ${to} on ${type}, with the next revision`,
      () => {
        const next = advanced(from, events[type])
        expect(next.status).toBe(to)
        expect(next.revision).toBe(from.revision + 1)
      },
    )
  }

  verifies("hub.growing", "widens a question only if it grows and no person has begun to answer it", () => {
    const growing = { ...pendingUrl, grows: true }
    const agreed = advanced(growing, events.accept)
    for (const from of [growing, agreed])
      expect(advanced(from, events.widen)).toMatchObject({
        ...{ status: from.status, revision: from.revision + 1, message: "All of it" },
        context: { scopes: "a b" },
      })
    const begun = advanced(agreed, { type: "accept", by: alice, expiresAt: later + 5_000 })
    expect(begun.grows).toBe(false)
    for (const from of [pendingUrl, begun])
      expect(refused(transition(from, events.widen, later)).code).toBe("already_accepted")
    expect(transition(begun, { type: "widen", widen: () => undefined }, later)).toEqual({
      ...{ ok: true, changed: false, next: begun },
    })
  })

  verifies("core.unlisted-step-refused", "refuses every step that it does not list, without changing anything", () => {
    for (const from of [pendingForm, pendingUrl, acceptedUrl]) {
      const listed = Object.keys(transitions[from.mode][from.status as "pending"])
      for (const [type, event] of Object.entries(events)) {
        if (listed.includes(type)) continue
        if (type === "accept" && from.status === "accepted") continue // the same person again: a repeat
        const before = structuredClone(from)
        const { code } = refused(transition(from, event, later))
        expect(["wrong_mode", "not_accepted", "already_accepted"], `${from.mode} ${from.status} ${type}`).toContain(
          code,
        )
        expect(from).toEqual(before)
      }
    }
  })

  verifies("core.settled-never-changes", "never leaves a settled status", () => {
    const settled = [
      advanced(pendingForm, accept({ ok: true })),
      ...steps.map(([, from, type]) => advanced(from, events[type])).filter((next) => next.settledAt !== undefined),
      advanced(pendingForm, events.expire, pendingForm.expiresAt),
      advanced(acceptedUrl, events.expire, acceptedUrl.expiresAt),
    ]
    expect(new Set(settled.map(({ status }) => status)).size).toBe(6)
    for (const ended of settled) {
      for (const event of [...Object.values(events), accept({ ok: false }), accept({ ok: true }, alice)]) {
        const judged = transition(ended, event, later + 5)
        if (judged.ok) expect(judged.next).toBe(ended)
        else expect(judged.refusal.ended?.status).toBe(ended.status)
      }
    }
  })
})

describe("accepting", () => {
  verifies("core.form-accept-completes", "a form completes it immediately, with the content", () => {
    const next = advanced(pendingForm, { type: "accept", by: alice, content: { ok: true }, via: "inbox" })
    expect(next).toMatchObject({ status: "completed", content: { ok: true }, settledAt: later, answeredVia: "inbox" })
    expect(toOutcome(next)).toEqual({ status: "completed", content: { ok: true } })
  })

  verifies("core.url-accept-is-not-completion", "a link only means that the person agreed to open it", () => {
    expect(acceptedUrl).toMatchObject({ status: "accepted", acceptedAt: later })
    expect(acceptedUrl.settledAt).toBeUndefined()
    expect(toOutcome(acceptedUrl)).toBeUndefined()
    expect(toOutcome(advanced(acceptedUrl, events.complete))).toEqual({ status: "completed" })
  })

  verifies("answer.link-has-no-content", "a link with content is refused", () => {
    expect(refused(transition(pendingUrl, accept({ code: "1" }), later)).code).toBe("invalid_answer")
  })

  verifies("answer.checked-against-form", "a form with content that does not fit leaves it open and says why", () => {
    const { code, problems, status } = refused(transition(pendingForm, accept({ ok: "yes", more: 1 }), later))
    expect([code, status]).toEqual(["invalid_answer", "pending"])
    expect(problems?.map(({ path }) => path).sort()).toEqual(["more", "ok"])
  })

  verifies("core.accept-moves-deadline", "can give the flow its own deadline", () => {
    const expiresAt = later + 600_000
    expect(advanced(pendingUrl, { type: "accept", by: alice, expiresAt }).expiresAt).toBe(expiresAt)
  })
})

describe("the deadline", () => {
  verifies("core.expires-at-deadline", "expires an open question when it is reached, not before", () => {
    for (const open of [pendingForm, pendingUrl, acceptedUrl]) {
      expect(refused(transition(open, events.expire, open.expiresAt - 1)).code).toBe("not_due")
      expect(advanced(open, events.expire, open.expiresAt).status).toBe("expired")
    }
  })

  verifies(
    "core.late-answer-refused",
    "refuses every other step afterwards, even if the question is not marked as expired yet",
    () => {
      for (const event of [accept({ ok: true }), events.decline, events.cancel, events.open]) {
        expect(refused(transition(pendingForm, event, pendingForm.expiresAt)).code).toBe("expired")
      }
      expect(refused(transition(acceptedUrl, events.complete, acceptedUrl.expiresAt)).code).toBe("expired")
    },
  )

  verifies("core.clock-set-back", "never lets a question end before it began when the clock was set back", () => {
    const next = advanced(pendingForm, accept({ ok: true }), now - 86_400_000)
    expect(next.settledAt).toBe(pendingForm.createdAt)
  })
})

describe("a second answer", () => {
  const answered = advanced(pendingForm, accept({ ok: true }))

  verifies(
    "core.repeat-changes-nothing",
    "that repeats the first, by the same person, succeeds and changes nothing",
    () => {
      const declined = advanced(pendingForm, events.decline)
      const cancelled = advanced(acceptedUrl, events.cancel)
      const repeats: readonly [Elicitation, ElicitationEvent][] = [
        [answered, accept({ ok: true })],
        [declined, events.decline],
        [cancelled, events.cancel],
        [acceptedUrl, events.accept],
        [advanced(acceptedUrl, events.complete), events.complete],
        [advanced(acceptedUrl, events.complete), events.accept],
        [advanced(acceptedUrl, events.fail), events.fail],
      ]
      for (const [ended, event] of repeats) {
        expect(transition(ended, event, later + 1)).toEqual({ ok: true, changed: false, next: ended })
      }
    },
  )

  verifies(
    "core.second-answer-conflicts",
    "that differs is refused with how the question ended, when, and who answered",
    () => {
      for (const event of [accept({ ok: false }), events.decline, events.cancel]) {
        const refusal = refused(transition(answered, event, later + 1))
        expect(refusal.code).toBe("already_settled")
        expect(refusal.ended).toEqual({ status: "completed", at: later, by: { ...alice } })
      }
    },
  )

  verifies(
    "core.second-answer-conflicts",
    "to a link that the asker cancelled does not name the person who had agreed to open it",
    () => {
      const cancelled = advanced(acceptedUrl, { type: "cancel", reason: { code: "asker_cancelled" } })
      const { ended } = refused(transition(cancelled, events.decline, later + 1))
      expect(ended).toEqual({ status: "cancelled", at: later, reason: { code: "asker_cancelled" } })
    },
  )

  verifies(
    "core.unlisted-step-refused",
    "to a link, by another person of its audience, is refused because the link was accepted",
    () => {
      const both = asked({
        message: "Sign",
        url: "https://sign.example/x",
        audience: { kind: "any", principals: [alice, bob] },
        requester: { id: "r" },
      })
      const accepted = advanced(both, events.accept)
      expect(refused(transition(accepted, { type: "accept", by: bob }, later)).code).toBe("already_accepted")
    },
  )
})

describe("a person", () => {
  verifies(
    "audience.foreign-answer-refused",
    "outside the audience is refused and learns nothing about the state",
    () => {
      const answered = advanced(pendingForm, accept({ ok: true }))
      for (const stranger of [bob, carol, mallory]) {
        for (const from of [pendingForm, answered]) {
          const refusal = refused(transition(from, accept({ ok: true }, stranger), later))
          expect(refusal).toEqual({ code: "not_addressee", message: "This question is addressed to somebody else." })
        }
      }
    },
  )

  verifies("core.opened-and-verified-once", "is recorded once as having opened a link, and once as verified", () => {
    const opened = advanced(pendingUrl, { type: "open" }, later)
    expect(opened).toMatchObject({ openedAt: later })
    expect(opened.verifiedAt).toBeUndefined()
    const verified = advanced(opened, { type: "open", by: alice }, later + 1)
    expect(verified).toMatchObject({ openedAt: later, verifiedAt: later + 1 })
    expect(transition(verified, { type: "open", by: alice }, later + 2)).toMatchObject({ ok: true, changed: false })
    expect(refused(transition(opened, { type: "open", by: bob }, later)).code).toBe("not_addressee")
  })
})

describe("a reason", () => {
  verifies("core.unlisted-step-refused", "that cannot be shown or stored is refused, and changes nothing", () => {
    for (const bad of [
      { code: "" },
      { code: "x", message: "a\u001b[2Jb" },
      { code: "x", message: "y".repeat(1_001) },
    ]) {
      const refusal = refused(transition(acceptedUrl, { type: "fail", reason: bad }, later))
      expect([refusal.code, refusal.problems?.length]).toEqual(["invalid_answer", 1])
    }
    expect(advanced(acceptedUrl, { type: "fail", reason }).reason).toEqual(reason)
  })
})

describe("releasing a question", () => {
  verifies("hub.abort-ends-form", "cancels it only when the last holder releases it", () => {
    const shared = advanced(pendingForm, events.join)
    const one = advanced(shared, events.release)
    expect([shared.holders, one.holders, one.status]).toEqual([2, 1, "pending"])
    expect(advanced(one, events.release)).toMatchObject({ status: "cancelled", reason: { code: "asker_gone" } })
  })

  verifies("hub.abort-spares-consent", "never cancels a consent that a person has begun", () => {
    const opened = advanced(pendingUrl, events.open)
    expect(advanced(opened, events.release)).toMatchObject({ status: "pending", holders: 0 })
    expect(advanced(acceptedUrl, events.release)).toMatchObject({ status: "accepted", holders: 0 })
    expect(advanced(pendingUrl, events.release)).toMatchObject({ status: "cancelled" })
  })
})
