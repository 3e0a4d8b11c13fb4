// Stored values are returned unchanged: any script, any allowed size, anything that looks like code.

import assert from "node:assert/strict"
import { form, text } from "@holdpoint/hub"
import { formLimits } from "@holdpoint/hub/internal"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import { alice, completed, elicitationOf, entryOf, formDraft, insert, person, readAll, record } from "./samples.ts"

const scripts = {
  emoji: "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽",
  rightToLeft: "שלום עולם \u202bمرحبا\u202c",
  combining: "e\u0301 \u1e9b\u0323 Z\u0351\u036b",
  astral: "𝒽ℴ𝓁𝒹 𐍈 \u{10ffff}",
  quotes: `'; DROP TABLE elicitation; -- " \\ \\u0000 $1 %s {"a":[1]} \n\t`,
} as const
const allScripts = Object.values(scripts).join(" ")

export const roundTrips: readonly ContractCase[] = [
  verifies("store.keeps-everything", "returns text of any script in every text field of a question", async (stage) => {
    const hub = await stage.hub()
    const personOfScripts = person(allScripts, { issuer: `https://${scripts.astral}`, tenant: scripts.rightToLeft })
    const question = await hub.ask(
      formDraft({
        message: allScripts,
        audience: personOfScripts,
        requester: { id: scripts.emoji, name: scripts.combining },
        client: { name: scripts.astral, version: scripts.quotes },
        context: { trigger: "approval", note: allScripts },
        parent: scripts.quotes,
        key: allScripts,
      }),
    )
    const by = { ...personOfScripts, roles: [allScripts] }
    const answer = { by, action: "accept", content: { note: allScripts }, via: scripts.emoji } as const
    const answered = elicitationOf(await hub.answer(question.id, answer))
    await stage.restart()
    const storage = await stage.storage()
    assert.deepEqual(await storage.store.get(question.id), answered)
    assert.equal(answered.content?.note, allScripts)
    const query = { tenant: scripts.rightToLeft, state: "all", limit: 10 } as const
    assert.deepEqual(await storage.store.list({ ...query, principal: by }), [answered])
    const [first, second] = await storage.trail.read({ tenant: scripts.rightToLeft, limit: 10 })
    assert.deepEqual([first?.detail.question?.message, second?.detail.via], [allScripts, scripts.emoji])
  }),

  claim("distinguishes composed from decomposed letters, and upper from lower case", async (stage) => {
    const storage = await stage.storage()
    const names = ["é", "e\u0301", "É", "e"]
    for (const name of names) {
      const audience = { kind: "one", principal: person(name) } as const
      await insert(storage, record({ audience, key: name, keyReuse: "always" }))
    }
    for (const name of names) {
      const query = { tenant: "acme", principal: person(name), state: "open", limit: 10 } as const
      assert.deepEqual(
        (await storage.store.list(query)).map(({ key }) => key),
        [name],
      )
    }
  }),

  claim("returns field names and values of any kind, in their order", async (stage) => {
    const storage = await stage.storage()
    const content = {
      z: "last first",
      "with space": 'quote " and \\ backslash',
      [scripts.emoji]: scripts.combining,
      "$.path[0]": true,
      a: [scripts.astral, "", "b"],
      whole: Number.MAX_SAFE_INTEGER,
      small: -0.000_000_1,
      large: 1.797_693_134_862_315_7e308,
      precise: 0.1 + 0.2,
      no: false,
      empty: "",
      none: [],
    }
    const first = await insert(storage, record({ requestedSchema: form({ z: text({ title: allScripts }) }) }))
    const next = completed(first, content)
    await storage.store.replace(next, entryOf(next))
    await stage.restart()
    const stored = await (await stage.storage()).store.get(first.id)
    assert.deepEqual(stored, next)
    assert.deepEqual(Object.keys(stored?.content ?? {}), Object.keys(content))
  }),

  verifies("store.keeps-everything", "returns the largest allowed answer after a restart", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(formDraft())
    const frame = JSON.stringify({ note: "" }).length
    const note = "€".repeat(Math.floor((formLimits.bytes - frame) / 3)) + "x".repeat((formLimits.bytes - frame) % 3)
    assert.equal(Buffer.byteLength(JSON.stringify({ note })), formLimits.bytes)
    elicitationOf(await hub.answer(id, { by: alice, action: "accept", content: { note } }))
    await stage.restart()
    assert.deepEqual(await (await stage.hub()).wait(id), { status: "completed", content: { note } })
  }),

  claim("stores 50 answers of the largest size in one turn", async (stage) => {
    const storage = await stage.storage()
    const questions = await Promise.all(Array.from({ length: 50 }, () => insert(storage, record())))
    const answers = questions.map((first, index) => completed(first, { note: String(index).padEnd(65_000, "ü") }))
    assert.ok((await Promise.all(answers.map((next) => storage.store.replace(next, entryOf(next))))).every(Boolean))
    assert.deepEqual(await Promise.all(answers.map(({ id }) => storage.store.get(id))), answers)
    assert.equal((await readAll(storage.trail)).length, 100)
  }),
]
