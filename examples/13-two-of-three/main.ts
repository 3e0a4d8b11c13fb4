// A payment needs the yes of two people of the finance role, and not of the person who wants it. Checks every step.

import assert from "node:assert/strict"
import { createHub, createMemoryStorage, form, inbox, yesNo } from "@holdpoint/hub"

const person = (subject: string) => ({ tenant: "acme", issuer: "https://id.example", subject, roles: ["finance"] })
const [alice, bob, carol] = [person("alice"), person("bob"), person("carol")]

const hub = createHub({ storage: createMemoryStorage(), outlets: [inbox()] })
const pay = (invoice: string) =>
  // #region ask
  hub.ask({
    message: `Pay invoice ${invoice}, 4,200 €, to Example Ltd?`,
    form: form({ pay: yesNo({ title: "Pay it" }) }),
    audience: { kind: "role", tenant: "acme", role: "finance" },
    approvals: 2,
    notBy: alice,
    requester: { id: "payments", name: "Payments" },
  })
// #endregion
const yes = { action: "accept", content: { pay: true } } as const

const first = await pay("2026-117")
const own = await hub.answer(first.id, { ...yes, by: alice })
assert.equal(own.ok ? "" : own.refusal.code, "own_request")
console.log("alice, who wants it, may not approve it")

await hub.answer(first.id, { ...yes, by: bob })
await hub.answer(first.id, { ...yes, by: bob })
assert.equal((await hub.get(first.id))?.status, "pending")
console.log("bob has approved it twice, and counts once")

await hub.answer(first.id, { ...yes, by: carol })
const paid = await hub.wait(first)
assert.equal(paid.status, "completed")
console.log(`it is ${paid.status}: ${votesOf(await hub.get(first.id))}`)

const second = await pay("2026-118")
await hub.answer(second.id, { ...yes, by: bob })
const reason = { code: "person_declined", message: "Already paid in May." }
await hub.answer(second.id, { by: carol, action: "decline", reason })
const refused = await hub.wait(second)
assert.deepEqual([refused.status, "reason" in refused && refused.reason?.message], ["declined", reason.message])
console.log(`the other is ${refused.status}: ${votesOf(await hub.get(second.id))}. ${reason.message}`)

await hub.close()

function votesOf(question: Awaited<ReturnType<typeof hub.get>>): string {
  return (question?.votes ?? []).map(({ by, said }) => `${by.subject} said ${said}`).join(", ")
}
