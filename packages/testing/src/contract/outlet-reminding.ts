// Reminders and escalations: a reminder is a separate message for each person who has not voted, an escalation shows
// the question to people of another role. Each happens once, and all messages are withdrawn with the question.

import assert from "node:assert/strict"
import type { Draft } from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import type { OutletCase } from "./outlet-case.ts"
import { people, verifies } from "./outlet-case.ts"
import { minute } from "./samples.ts"

const { alice, bob, carol } = people
const yes = { action: "accept", content: { confirmed: "yes" } } as const

const draft = {
  message: "Deploy to production?",
  form: confirmForm(),
  audience: { kind: "role", tenant: alice.tenant, role: "operator" },
  requester: { id: "deployer" },
  lifetimeMs: 60 * minute,
} satisfies Draft

export const showingAgain: readonly OutletCase[] = [
  verifies(
    ["agenda.delivers-later", "agenda.reminds-once"],
    "reminds people who have not voted, once in two processes, and withdraws every message",
    async (stage) => {
      const { hub } = await stage.start()
      await stage.start()
      const { id } = await hub.ask({ ...draft, approvals: 2, remindEveryMs: 5 * minute })
      await stage.sees("bob", "carol")
      await hub.answer(id, { ...yes, by: bob })
      await stage.clock.advance(5 * minute)
      await stage.sees("bob", "carol", "carol")
      await stage.quiet()
      await stage.sees("bob", "carol", "carol")
      assert.equal(await stage.countEntries(id, "reminded"), 1)
      await stage.clock.advance(5 * minute)
      await stage.sees("bob", "carol", "carol", "carol")
      await hub.answer(id, { ...yes, by: carol })
      await stage.sees()
      await stage.waitUntil("nothing is kept", async () => (await stage.countDeliveries(id)) === 0)
    },
  ),

  verifies(
    ["agenda.delivers-later", "agenda.escalates-once"],
    "shows an escalated question to the other role, once, even if no process ran at that time",
    async (stage) => {
      const asker = await stage.start()
      const escalate = { afterMs: 10 * minute, role: "operator" }
      const { id } = await asker.hub.ask({ ...draft, audience: alice, escalate })
      await stage.sees("alice")
      asker.kill()
      await stage.clock.advance(15 * minute)
      await stage.sees("alice")
      const { hub } = await stage.start()
      await stage.start()
      await stage.sees("alice", "bob", "carol")
      await stage.quiet()
      await stage.sees("alice", "bob", "carol")
      assert.equal(await stage.countEntries(id, "escalated"), 1)
      await hub.answer(id, { ...yes, by: carol })
      await stage.sees()
    },
  ),

  verifies(
    ["agenda.delivers-later", "votes.not-the-requester"],
    "shows nothing to the person who may not answer, and reminds only the others",
    async (stage) => {
      const { hub } = await stage.start()
      await hub.ask({ ...draft, notBy: bob, remindEveryMs: 5 * minute })
      await stage.sees("carol")
      await stage.clock.advance(5 * minute)
      await stage.sees("carol", "carol")
    },
  ),
]
