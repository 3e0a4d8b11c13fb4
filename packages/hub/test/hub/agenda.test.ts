// Reminders and escalations of a hub whose storage or process fails in the middle of them.

import { bob, carol, requester } from "@holdpoint/testkit/fixtures"
import { settled, setUp } from "@holdpoint/testkit/hub/hub/setup"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect } from "vitest"
import { confirmForm } from "../../src/core/confirmation.ts"
import { HoldpointError } from "../../src/core/error.ts"
import { agendaKind } from "../../src/hub/agenda.ts"
import { deliveryKind } from "../../src/hub/deliveries/delivery-records.ts"
import type { LastingOutlet } from "../../src/ports/outlet.ts"
import type { Storage } from "../../src/ports/storage.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"

const minute = 60_000
const draft = {
  message: "Deploy to production?",
  form: confirmForm(),
  audience: bob,
  requester,
  lifetimeMs: 60 * minute,
  escalate: { afterMs: minute, role: "manager" },
} as const

const directory = {
  find: async (_kind: string, audience: { readonly kind: string }) =>
    audience.kind === "role" ? [{ address: "carol", person: carol }] : [{ address: "bob", person: bob }],
}

function chat(posted: string[]): LastingOutlet {
  return {
    name: "chat",
    addressKind: "chat",
    async post(_question, { id, address, reminderOf }) {
      posted.push(reminderOf !== undefined ? `${address} again` : address)
      return { state: "shown", receipt: { id } }
    },
    find: async () => undefined,
    withdraw: async () => {},
  }
}

/** A storage that fails once when a later delivery is stored, after the question was escalated. */
function failingOnce(storage: Storage): Storage {
  let failures = 0
  return {
    ...storage,
    records(kind) {
      const records = storage.records(kind)
      if (kind.name !== deliveryKind("chat").name) return records
      return {
        ...records,
        async insert(first, entry) {
          if ("role" in first && failures++ === 0) throw new HoldpointError("store_unavailable", "away for a moment")
          return records.insert(first, entry)
        },
      }
    },
  }
}

describe("an escalation", () => {
  verifies("agenda.escalates-once", "reaches people even if its deliveries cannot be stored at first", async () => {
    const posted: string[] = []
    const storage = failingOnce(createMemoryStorage())
    const { hub, clock, reports, trailOf } = setUp({ storage, outlets: [chat(posted)], directory })
    const { id } = await hub.ask(draft)
    await clock.advance(minute)
    expect(reports).toEqual(["carrying out reminders and escalations: away for a moment"])
    expect(posted).toEqual(["bob"])
    await clock.advance(minute)
    expect(posted).toEqual(["bob", "carol"])
    expect((await trailOf(id)).filter(({ kind }) => kind === "escalated").length).toBe(1)
    expect(await storage.records(agendaKind).get(id)).toBeUndefined()
  })

  verifies(
    "agenda.escalates-once",
    "is carried out by a process without outlets, for the processes that have them",
    async () => {
      const posted: string[] = []
      const { hub, clock, another, trailOf } = setUp({ outlets: [chat(posted)], directory })
      const { id } = await hub.ask({ ...draft, remindEveryMs: 2 * minute })
      await settled(clock)
      await hub.close()
      const bare = another({ outlets: [] })
      await clock.advance(minute)
      expect((await bare.get(id))?.escalatedTo).toBe("manager")
      expect(posted).toEqual(["bob"])
      another()
      await settled(clock)
      expect(posted).toEqual(["bob", "carol"])
      await clock.advance(minute)
      expect(posted.toSorted()).toEqual(["bob", "bob again", "carol", "carol again"])
      expect((await trailOf(id)).filter(({ kind }) => kind === "reminded").length).toBe(1)
    },
  )

  verifies("agenda.escalates-once", "does not happen once the question has ended", async () => {
    const posted: string[] = []
    const { hub, clock, storage } = setUp({ outlets: [chat(posted)], directory })
    const { id } = await hub.ask(draft)
    await settled(clock)
    await hub.answer(id, { by: bob, action: "decline" })
    await clock.advance(2 * minute)
    expect(posted).toEqual(["bob"])
    expect((await hub.get(id))?.escalatedTo).toBeUndefined()
    expect(await storage.records(agendaKind).get(id)).toBeUndefined()
  })
})

describe("a question that is asked on behalf of a person", () => {
  verifies("votes.not-the-requester", "is not sent to the person who may not answer it", async () => {
    const posted: string[] = []
    const { hub, clock } = setUp({ outlets: [chat(posted)], directory })
    await hub.ask({ ...draft, audience: { kind: "any", principals: [bob, carol] }, notBy: bob })
    await clock.advance(2 * minute)
    expect(posted).toEqual(["carol"])
  })
})

describe("a reminder", () => {
  verifies("agenda.reminds-once", "does not overtake a first message that is due later", async () => {
    const posted: string[] = []
    const { hub, clock } = setUp({ outlets: [chat(posted)], directory })
    const { escalate: _, ...plain } = draft
    await hub.ask({ ...plain, remindEveryMs: minute }, { delays: { chat: 90_000 } })
    await clock.advance(minute)
    expect(posted).toEqual([])
    await clock.advance(minute)
    expect(posted).toEqual(["bob", "bob again"])
  })

  verifies("agenda.reminds-once", "is not sent to people who get their first message at that moment", async () => {
    const posted: string[] = []
    const { hub, clock } = setUp({ outlets: [chat(posted)], directory })
    await hub.ask({ ...draft, remindEveryMs: minute })
    await clock.advance(minute)
    expect(posted.toSorted()).toEqual(["bob", "bob again", "carol"])
    await clock.advance(minute)
    expect(posted.toSorted()).toEqual(["bob", "bob again", "bob again", "carol", "carol again"])
  })

  verifies("agenda.reminds-once", "is sent as a first message to people who are new in the directory", async () => {
    const posted: string[] = []
    const people = [{ address: "bob", person: bob }]
    const { hub, clock } = setUp({ outlets: [chat(posted)], directory: { find: async () => people } })
    const { escalate: _, ...plain } = draft
    await hub.ask({ ...plain, audience: { kind: "any", principals: [bob, carol] }, remindEveryMs: minute })
    await settled(clock)
    people.push({ address: "carol", person: carol })
    await clock.advance(minute)
    expect(posted.toSorted()).toEqual(["bob", "bob again", "carol"])
  })
})
