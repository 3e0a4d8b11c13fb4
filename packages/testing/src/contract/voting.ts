// Questions that several people have to approve: no vote is lost between processes, none counts twice, and reminders
// and escalations happen once, also after a restart.

import assert from "node:assert/strict"
import type { Elicitation, Hub, Principal, StepResult } from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import type { FormDraft } from "@holdpoint/hub/internal"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import { elicitationOf, entryOf, insert, minute, person, range, record, refusalOf, withChanges } from "./samples.ts"

const [ann, ben, cem] = ["ann", "ben", "cem"].map((name) => person(name, { roles: ["release"] })) as [
  Principal,
  Principal,
  Principal,
]
const boss = person("boss", { roles: ["managers"] })

const twoOfThree: FormDraft<never> = {
  message: "Deploy to production?",
  form: confirmForm({ yes: "Deploy", no: "Not now" }) as never,
  audience: { kind: "role", tenant: "acme", role: "release" },
  requester: { id: "deployer" },
  approvals: 2,
  lifetimeMs: 60 * minute,
}

const yes = { action: "accept", content: { confirmed: "yes" } } as const
const no = { action: "accept", content: { confirmed: "no" } } as const

const votersOf = ({ votes = [] }: Elicitation): readonly string[] =>
  votes.map(({ by, said }) => `${by.subject} ${said}`)
const kindsOf = async (hub: Hub, id: string): Promise<readonly string[]> =>
  (await hub.trail({ id, limit: 1_000 })).map(({ kind }) => kind)
const isMissing = (result: StepResult): boolean => !result.ok

export const voting: readonly ContractCase[] = [
  verifies(
    ["votes.counted-once", "votes.survive-restart"],
    "completes after the second of two approvals, with a restart between them",
    async (stage) => {
      const asking = await stage.hub()
      const { id } = await asking.ask(twoOfThree)
      const first = elicitationOf(await asking.answer(id, { ...yes, by: ann, via: "web" }))
      assert.equal(first.status, "pending")
      assert.deepEqual(votersOf(first), ["ann yes"])
      await stage.restart()
      const hub = await stage.hub()
      const repeated = await hub.answer(id, { ...yes, by: ann })
      assert.ok(repeated.ok && !repeated.changed, "the same person again changes nothing")
      assert.deepEqual(votersOf(repeated.elicitation), ["ann yes"])
      const waiting = hub.wait(id)
      stage.clock.set(stage.clock.now() + 1_000)
      const last = elicitationOf(await hub.answer(id, { ...yes, by: cem, via: "http" }))
      assert.equal(last.status, "completed")
      const outcome = await waiting
      assert.equal(outcome.status, "completed")
      const votedAt = stage.clock.now()
      assert.deepEqual(outcome.votes, [
        {
          by: { tenant: ann.tenant, issuer: ann.issuer, subject: "ann" },
          said: "yes",
          at: votedAt - 1_000,
          via: "web",
        },
        { by: { tenant: cem.tenant, issuer: cem.issuer, subject: "cem" }, said: "yes", at: votedAt, via: "http" },
      ])
      await stage.restart()
      assert.deepEqual(await (await stage.hub()).get(id), last)
      assert.deepEqual(await kindsOf(await stage.hub(), id), ["asked", "voted", "completed"])
    },
  ),

  verifies("votes.none-lost", "loses none of twenty concurrent votes through two openings", async (stage) => {
    const hubs = [await stage.hub(), await stage.hub()]
    const twenty = range(20).map((index) => person(`person ${index}`))
    const audience = { kind: "any", principals: twenty } as const
    const { id } = await hubs[0]!.ask({ ...twoOfThree, audience, approvals: 15 })
    const results = await Promise.all(twenty.map((by, index) => hubs[index % 2]!.answer(id, { ...yes, by })))
    const question = await hubs[1]!.get(id)
    assert.equal(question?.status, "completed")
    assert.equal(new Set(votersOf(question)).size, 15)
    assert.equal(question.votes?.length, 15)
    const lateRefusals = results.filter(isMissing).map(refusalOf)
    assert.deepEqual(
      lateRefusals.map(({ code, ended }) => [code, ended?.status]),
      range(5).map(() => ["already_settled", "completed"]),
    )
    const kinds = await kindsOf(hubs[0]!, id)
    assert.equal(kinds.filter((kind) => kind === "voted").length, 14)
    assert.equal(kinds.filter((kind) => kind === "completed").length, 1)
  }),

  verifies(
    "votes.one-end",
    "lets either the last Yes or a concurrent No win, and tells the loser how it ended",
    async (stage) => {
      const hubs = [await stage.hub(), await stage.hub()]
      for (const _ of range(4)) {
        const { id } = await hubs[0]!.ask(twoOfThree)
        elicitationOf(await hubs[0]!.answer(id, { ...yes, by: ann }))
        const reason = { code: "said", message: "Not on a Friday" }
        const results = await Promise.all([
          hubs[0]!.answer(id, { ...yes, by: ben }),
          hubs[1]!.answer(id, { by: cem, action: "decline", reason }),
        ])
        const question = await hubs[1]!.get(id)
        const [lostResult] = results.filter(isMissing)
        assert.equal(results.filter(isMissing).length, 1)
        assert.equal(refusalOf(lostResult!).ended?.status, question?.status)
        if (question?.status === "declined") assert.deepEqual(question.votes?.at(-1)?.reason, reason)
        else assert.deepEqual(votersOf(question!), ["ann yes", "ben yes"])
      }
    },
  ),

  verifies("votes.no-declines", "declines at the first No, even from a person who said Yes before", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(twoOfThree)
    elicitationOf(await hub.answer(id, { ...yes, by: ann }))
    const reason = { code: "said", message: "The tests are red" }
    const declined = elicitationOf(await hub.answer(id, { ...no, by: ann, reason }))
    assert.equal(declined.status, "declined")
    assert.deepEqual(declined.reason, reason)
    assert.deepEqual(votersOf(declined), ["ann yes", "ann no"])
    assert.equal(refusalOf(await hub.answer(id, { ...yes, by: ben })).code, "already_settled")
    assert.ok((await hub.answer(id, { ...no, by: ann })).ok, "the same No again is a repetition")
  }),

  verifies(
    "votes.not-the-requester",
    "accepts no vote from the person on whose behalf a question is asked",
    async (stage) => {
      const hub = await stage.hub()
      const { id } = await hub.ask({ ...twoOfThree, notBy: ann })
      for (const answer of [yes, no, { action: "decline" }, { action: "cancel" }] as const)
        assert.equal(refusalOf(await hub.answer(id, { ...answer, by: ann })).code, "own_request")
      await stage.restart()
      const otherHub = await stage.hub()
      assert.equal(refusalOf(await otherHub.answer(id, { ...yes, by: ann })).code, "own_request")
      assert.equal((await otherHub.get(id))?.votes, undefined)
      elicitationOf(await otherHub.answer(id, { ...yes, by: ben }))
      assert.equal(elicitationOf(await otherHub.answer(id, { ...yes, by: cem })).status, "completed")
    },
  ),

  verifies(
    "agenda.escalates-once",
    "escalates once, even after a restart, and then lets another role answer",
    async (stage) => {
      const { id } = await (await stage.hub()).ask({
        ...twoOfThree,
        escalate: { afterMs: 10 * minute, role: "managers" },
      })
      const query = { tenant: "acme", state: "open", limit: 10 } as const
      const hubBefore = await stage.hub()
      assert.equal(refusalOf(await hubBefore.answer(id, { ...yes, by: boss })).code, "not_addressee")
      assert.deepEqual(await hubBefore.list({ ...query, principal: boss }), [])
      await stage.restart()
      stage.clock.set(stage.clock.now() + 10 * minute)
      const hubs = [await stage.hub(), await stage.hub()]
      await Promise.all(hubs.map((hub) => hub.sweep()))
      const listed = await hubs[1]!.list({ ...query, principal: boss })
      assert.deepEqual(
        listed.map((question) => [question.id, question.escalatedTo]),
        [[id, "managers"]],
      )
      assert.equal((await kindsOf(hubs[0]!, id)).filter((kind) => kind === "escalated").length, 1)
      elicitationOf(await hubs[0]!.answer(id, { ...yes, by: boss }))
      assert.equal(elicitationOf(await hubs[1]!.answer(id, { ...yes, by: ann })).status, "completed")
      assert.deepEqual(await hubs[1]!.list({ ...query, principal: boss }), [])
      assert.equal((await hubs[1]!.list({ ...query, principal: boss, state: "settled" })).length, 1)
    },
  ),

  verifies("agenda.reminds-once", "counts every reminder once, and skips missed ones", async (stage) => {
    const { id } = await (await stage.hub()).ask({ ...twoOfThree, remindEveryMs: 5 * minute })
    const hubs = [await stage.hub(), await stage.hub()]
    for (const minutes of [5, 1, 4]) {
      stage.clock.set(stage.clock.now() + minutes * minute)
      await Promise.all(hubs.map((hub) => hub.sweep()))
    }
    await stage.restart()
    stage.clock.set(stage.clock.now() + 21 * minute)
    const hub = await stage.hub()
    await hub.sweep()
    const entries = await hub.trail({ id, limit: 100 })
    const reminders = entries.flatMap(({ detail }) => (detail.reminder === undefined ? [] : [detail.reminder]))
    assert.deepEqual(reminders, [1, 2, 6])
  }),

  claim("lists a question once for a person who has both roles of an escalation", async (stage) => {
    const storage = await stage.storage()
    const inBothRoles = person("both", { roles: ["release", "managers"] })
    const audiences = [
      { kind: "role", tenant: "acme", role: "release" },
      { kind: "any", principals: [inBothRoles, ann] },
    ] as const
    for (const audience of audiences) {
      const first = await insert(storage, record({ audience }))
      const next = withChanges(first, { escalatedTo: "managers", votes: [{ by: ann, said: "yes", at: 1 }] })
      assert.ok(await storage.store.replace(next, entryOf(next, "escalated")))
      assert.deepEqual(await storage.store.get(first.id), next)
    }
    const query = { tenant: "acme", state: "open", limit: 10 } as const
    assert.equal((await storage.store.list({ ...query, principal: inBothRoles })).length, 2)
    assert.equal((await storage.store.list({ ...query, principal: boss })).length, 2)
    assert.equal((await storage.store.list({ ...query, principal: boss, state: "all" })).length, 2)
  }),
]
