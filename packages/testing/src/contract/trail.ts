// The trail: complete, in order, append-only, and never with the content of an answer.

import assert from "node:assert/strict"
import type { Entry } from "@holdpoint/hub"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import {
  alice,
  bob,
  completed,
  day,
  entryOf,
  formDraft,
  insert,
  person,
  range,
  readAll,
  record,
  start,
  urlDraft,
  withChanges,
} from "./samples.ts"

const positions = (entries: readonly Entry[]): readonly number[] => entries.map(({ position }) => position)

function assertIncreasing(entries: readonly Entry[]): void {
  for (const [index, { position }] of entries.entries()) {
    assert.ok(position > (entries[index - 1]?.position ?? 0), `position ${position} follows a smaller one`)
  }
}

export const trail: readonly ContractCase[] = [
  claim("adds one trail entry for each revision, in the order of the steps", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(urlDraft())
    await hub.open(id)
    await hub.open(id, { by: alice })
    await hub.answer(id, { by: alice, action: "accept", via: "page" })
    await hub.complete(id)
    const entries = await hub.trail({ id, limit: 100 })
    assert.deepEqual(
      entries.map(({ revision, kind, status }) => [revision, kind, status]),
      [
        [1, "asked", "pending"],
        [2, "opened", "pending"],
        [3, "opened", "pending"],
        [4, "accepted", "accepted"],
        [5, "completed", "completed"],
      ],
    )
    assertIncreasing(entries)
    assert.deepEqual([entries[3]?.detail.by, entries[3]?.detail.via], [alice, "page"])
  }),

  verifies(
    "trail.holds-no-content",
    "never stores the content of an accepted or refused answer in the trail",
    async (stage) => {
      const hub = await stage.hub()
      const secret = "the answer 7f3a"
      const { id } = await hub.ask(formDraft())
      await hub.answer(id, { by: bob, action: "accept", content: { note: secret } })
      await hub.answer(id, { by: alice, action: "accept", content: { note: 7, [secret]: secret } })
      await hub.answer(id, { by: alice, action: "accept", content: { note: secret } })
      await hub.answer(id, { by: alice, action: "accept", content: { note: `${secret} again` } })
      const entries = await readAll((await stage.storage()).trail)
      assert.equal(entries.length, 5)
      assert.ok(!JSON.stringify(entries).includes(secret))
      assert.equal((await hub.get(id))?.content?.note, secret)
    },
  ),

  claim("returns a trail entry with every member it can have", async (stage) => {
    const storage = await stage.storage()
    const first = record({ parent: "task 1" })
    const detail = {
      audience: first.audience,
      by: bob,
      via: "inbox",
      code: "no",
      message: "Not today.",
      expiresAt: start + 1,
      question: {
        mode: "form",
        message: "May this go out?",
        fields: ["note"],
        requester: { id: "publisher", name: "The publisher" },
        client: { name: "client", version: "1" },
        context: { trigger: "shell", depth: 1 },
      },
    } as const
    await storage.trail.append({ ...entryOf(first), detail })
    await storage.trail.append({ id: first.id, tenant: "acme", kind: "refused", at: start, detail: {} })
    const [full, bare] = await storage.trail.read({ limit: 10 })
    assert.deepEqual(full, { ...entryOf(first), detail, position: full?.position })
    assert.deepEqual(bare, {
      id: first.id,
      tenant: "acme",
      kind: "refused",
      at: start,
      detail: {},
      position: bare?.position,
    })
    assertIncreasing([full!, bare!])
  }),

  claim("reads the trail by parent, from a position, within a tenant", async (stage) => {
    const storage = await stage.storage()
    const there = person("x", { tenant: "globex" })
    const question = await insert(storage, record({ parent: "call 1" }))
    await insert(storage, record({ parent: "call 2" }))
    await insert(storage, record())
    await insert(storage, record({ parent: "call 1", tenant: "globex", audience: { kind: "one", principal: there } }))
    await storage.store.replace(completed(question), entryOf(completed(question)))
    const entries = await storage.trail.read({ limit: 9 })
    const read = async (query: object) => positions(await storage.trail.read({ parent: "call 1", limit: 9, ...query }))
    const [first, , , foreign, last] = positions(entries)
    assert.deepEqual(await read({}), [first, foreign, last])
    assert.deepEqual(await read({ tenant: "acme" }), [first, last])
    assert.deepEqual(await read({ tenant: "acme", afterPosition: first }), [last])
    assert.deepEqual(await read({ tenant: "acme", afterRevision: 1 }), [last])
    assert.deepEqual(await read({ parent: "nothing" }), [])
  }),

  claim("reads the trail by elicitation, by tenant, from a position, from a revision, and in pages", async (stage) => {
    const storage = await stage.storage()
    const [firstQuestion, secondQuestion] = [await insert(storage, record()), await insert(storage, record())]
    const there = person("x", { tenant: "globex" })
    await insert(storage, record({ tenant: "globex", audience: { kind: "one", principal: there } }))
    await storage.trail.append({
      id: firstQuestion.id,
      tenant: "acme",
      kind: "shown",
      at: start,
      detail: { via: "inbox" },
    })
    const second = withChanges(firstQuestion, { holders: 2 })
    for (const next of [second, completed(second)]) await storage.store.replace(next, entryOf(next))
    const entries = await storage.trail.read({ limit: 100 })
    const read = async (query: object) => positions(await storage.trail.read({ limit: 100, ...query }))
    const expected = (filter: (entry: Entry) => boolean) => positions(entries.filter(filter))
    assert.equal(entries.length, 6)
    assert.deepEqual(
      await read({ id: firstQuestion.id }),
      expected(({ id }) => id === firstQuestion.id),
    )
    assert.deepEqual(
      await read({ id: secondQuestion.id }),
      expected(({ id }) => id === secondQuestion.id),
    )
    assert.deepEqual(
      await read({ tenant: "globex" }),
      expected(({ tenant }) => tenant === "globex"),
    )
    assert.deepEqual(await read({ tenant: "unknown" }), [])
    assert.deepEqual(await read({ id: firstQuestion.id, tenant: "globex" }), [], "all that is given must hold")
    assert.deepEqual(await read({ afterPosition: entries[2]!.position }), positions(entries.slice(3)))
    assert.deepEqual(await read({ afterPosition: entries[5]!.position }), [])
    assert.deepEqual(await read({ limit: 2 }), positions(entries.slice(0, 2)))
    assert.deepEqual(
      await read({ id: firstQuestion.id, afterRevision: 1 }),
      expected(({ id, revision }) => id === firstQuestion.id && (revision ?? 0) > 1),
    )
    assert.deepEqual(await read({ id: firstQuestion.id, afterRevision: 3 }), [])
    const laterEntries = { tenant: "acme", afterPosition: entries[1]!.position }
    assert.deepEqual(
      await read(laterEntries),
      expected((e) => e.tenant === "acme" && e.position > entries[1]!.position),
    )
  }),

  claim("returns the newest position as the end of the trail, and 0 when it is empty", async (stage) => {
    const storage = await stage.storage()
    assert.equal(await storage.trail.end(), 0)
    assert.deepEqual(await storage.trail.read({ limit: 10 }), [])
    for (const _ of range(3)) await insert(storage, record())
    assert.equal(await storage.trail.end(), (await readAll(storage.trail)).at(-1)?.position)
  }),

  claim("continues the trail after its last position when the storage is opened again", async (stage) => {
    const storageBefore = await stage.storage()
    await insert(storageBefore, record())
    const end = await storageBefore.trail.end()
    await stage.restart()
    const storage = await stage.storage()
    assert.equal(await storage.trail.end(), end)
    await insert(storage, record())
    const entries = await readAll(storage.trail)
    assert.equal(entries.length, 2)
    assertIncreasing(entries)
    assert.ok(entries[1]!.position > end)
  }),

  claim("keeps trail entries unchanged when their question is deleted", async (stage) => {
    const hub = await stage.hub()
    const storage = await stage.storage()
    const { id } = await hub.ask(formDraft())
    await hub.answer(id, { by: alice, action: "accept", content: { note: "yes" } })
    const entriesBefore = await readAll(storage.trail)
    stage.clock.set(start + 40 * day)
    await hub.sweep()
    assert.equal(await hub.get(id), undefined)
    await hub.ask(formDraft())
    const entries = await readAll(storage.trail)
    assert.deepEqual(entries.slice(0, 2), entriesBefore)
    assertIncreasing(entries)
  }),

  verifies(
    "trail.complete-in-order",
    "never shows an earlier position after a later one was read, while two openings write",
    async (stage) => {
      const writers = [await stage.storage(), await stage.storage()]
      const { trail } = await stage.storage()
      const entries: Entry[] = []
      let isWriting = true
      const reader = (async () => {
        while (isWriting || entries.length < 400) {
          entries.push(...(await trail.read({ afterPosition: entries.at(-1)?.position ?? 0, limit: 50 })))
          await new Promise<void>((resolve) => setImmediate(resolve))
        }
      })()
      const rounds = range(20).map(async (round) => {
        for (const _ of range(2)) await Promise.all(range(10).map(() => insert(writers[round % 2]!, record())))
      })
      await Promise.all(rounds)
      isWriting = false
      await reader
      assert.deepEqual(positions(entries), positions(await readAll(trail)))
      assert.equal(entries.length, 400)
    },
  ),
]
