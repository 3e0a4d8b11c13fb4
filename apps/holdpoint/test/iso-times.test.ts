// Times in the output of --json.

import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { expect, it } from "vitest"

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

it("times are ISO 8601 wherever a question is shown as JSON, and no timestamp stays a number", async () => {
  const world = createWorld()
  const asked = await world.run(["ask", "Ready?", "--no-wait", "--json"])
  const { id } = JSON.parse(asked.out) as { readonly id: string }
  const pending = await world.run(["pending", "--json"])
  expect(JSON.parse(pending.out)).toEqual([expect.objectContaining({ id, createdAt: iso, expiresAt: iso })])
  await world.run(["answer", id, "--decline"])
  const printed = await world.run(["show", id, "--json"])
  const { question, trail } = JSON.parse(printed.out) as { readonly question: object; readonly trail: object[] }
  expect(question).toMatchObject({ createdAt: iso, expiresAt: iso, settledAt: iso })
  expect(trail.length).toBeGreaterThan(1)
  for (const entry of trail) expect(entry).toMatchObject({ at: iso })
  const late = await world.run(["answer", id, "--accept", "--json"])
  expect(JSON.parse(late.out)).toMatchObject({ refused: { ended: { at: iso } } })
  for (const { out } of [pending, printed, late]) expect(out).not.toMatch(/[: ]1[6-9]\d{11}\b/)
})

it("times in an answer stay as the person wrote them", async () => {
  const world = createWorld()
  const asked = await world.run(["ask", "When?", "--number", "startAt", "--no-wait", "--json"])
  const { id } = JSON.parse(asked.out) as { readonly id: string }
  await world.run(["answer", id, "--content", '{"startAt": 1700000000000}'])
  const { out } = await world.run(["show", id, "--json"])
  expect(JSON.parse(out)).toMatchObject({ question: { content: { startAt: 1_700_000_000_000 } } })
})
