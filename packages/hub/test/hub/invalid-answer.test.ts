// The trail entry of an answer that does not fit its form, from which the surface informs the person.

import { alice, formDraft } from "@holdpoint/testkit/fixtures"
import { expect, it } from "vitest"
import { z } from "zod"
import { createHub } from "../../src/hub/hub.ts"
import { inbox } from "../../src/hub/inbox.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"

it("an invalid answer's trail entry names the fields and their problems, and no part of the answer", async () => {
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  const form = z.object({ colour: z.enum(["red", "green"]), amount: z.number() })
  const { id } = await hub.ask({ ...formDraft, form })
  const content = { colour: "a private thing", another: "a second private thing", "a third private thing": 1 }
  expect(await hub.answer(id, { by: alice, action: "accept", content })).toMatchObject({ ok: false })
  const entries = await hub.trail({ id, limit: 10 })
  expect(entries.find(({ kind }) => kind === "refused")?.detail).toMatchObject({
    code: "invalid_answer",
    problems: [
      { path: "colour", message: expect.stringContaining("“red”, “green”") },
      { path: "amount", message: expect.stringContaining("missing") },
    ],
  })
  expect(JSON.stringify(entries)).not.toMatch(/private thing|another/)
  await hub.close()
  await storage.close()
})
