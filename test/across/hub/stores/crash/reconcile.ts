// Checks after the kills that everything acknowledged is stored, and that everything stored is consistent.

import assert from "node:assert/strict"
import type { Elicitation, Entry, Storage } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import { isOfConnection, reconcileConnections } from "@holdpoint/testkit/hub/stores/crash/connections"
import type { Acknowledged } from "@holdpoint/testkit/hub/stores/crash/kill"
import { notes } from "@holdpoint/testkit/hub/stores/crash/notes"

const followers: Readonly<Record<string, readonly string[]>> = {
  nothing: ["pending"],
  pending: ["pending", "accepted", "completed"],
  accepted: ["accepted", "completed"],
  completed: [],
}

export async function reconcile(storage: Storage, acknowledged: readonly Acknowledged[]): Promise<number> {
  const records = new Map((await listAll(storage)).map((record) => [record.id, record]))
  for (const { id, revision, status } of acknowledged) {
    if (isOfConnection({ id })) continue
    const record = records.get(id)
    assert.ok(record !== undefined && record.revision >= revision, `revision ${revision} of ${id} is kept`)
    if (record.revision === revision) assert.equal(record.status, status)
  }
  const entries = await readTrail(storage)
  await reconcileConnections(storage, entries.filter(isOfConnection), acknowledged.filter(isOfConnection))
  assertTrail(
    entries.filter((entry) => !isOfConnection(entry)),
    records,
  )
  await assertNotes(storage, [...records.keys()])
  await assertTallies(storage, [...records.values()])
  return records.size
}

async function listAll({ store }: Storage): Promise<readonly Elicitation[]> {
  const questions: Elicitation[] = []
  for (;;) {
    const last = questions.at(-1)
    const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
    const page = await store.list({ tenant: "acme", state: "all", limit: 1_000, ...after })
    questions.push(...page)
    if (page.length < 1_000) return questions
  }
}

async function readTrail({ trail }: Storage): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const page = await trail.read({ afterPosition: entries.at(-1)?.position ?? 0, limit: 1_000 })
    entries.push(...page)
    if (page.length < 1_000) return entries
  }
}

/** The trail has exactly one entry per revision of each record, in order, each a valid step after the one before. */
function assertTrail(entries: readonly Entry[], records: ReadonlyMap<string, Elicitation>): void {
  const steps = Map.groupBy(entries, ({ id }) => id)
  assert.equal(steps.size, records.size, "the trail tells of all records and of no others")
  for (const [id, record] of records) {
    const entries = steps.get(id) ?? []
    assert.deepEqual(
      entries.map(({ revision }) => revision),
      Array.from({ length: record.revision }, (_, index) => index + 1),
    )
    let before = "nothing"
    for (const { status = "" } of entries) {
      assert.ok(followers[before]?.includes(status), `${status} may follow ${before}`)
      before = status
    }
    assert.equal(before, record.status)
  }
}

/** Each question is stored with its record, or neither is. */
async function assertNotes(storage: Storage, questions: readonly string[]): Promise<void> {
  const noted = await storage.records(notes).list({ tenant: "acme", limit: 1_000_000 })
  assert.deepEqual(
    noted.map(({ id }) => id),
    questions.toSorted(),
  )
}

/** The count of open questions is exact: with that number as the limit an insert fails, with one more it succeeds. */
async function assertTallies({ store }: Storage, records: readonly Elicitation[]): Promise<void> {
  const open = records.filter(({ status }) => !isSettled(status))
  const hasRoom = async (like: Elicitation, limits: { perPerson: number; perTenant: number }): Promise<boolean> => {
    const first = { ...like, id: crypto.randomUUID(), revision: 1 }
    const entry = { id: first.id, tenant: "acme", revision: 1, kind: "asked", at: 0, detail: {} } as const
    return (await store.insert(first, entry, { limits })).stored
  }
  const most = 1_000_000
  const byPerson = Map.groupBy(open, ({ audience }) => (audience.kind === "one" ? audience.principal.subject : ""))
  assert.ok(open.length > 0)
  assert.ok(!(await hasRoom(open[0]!, { perPerson: most, perTenant: open.length })), "no open question is uncounted")
  let added = 0
  for (const [who, theirs] of byPerson) {
    const like = theirs[0]!
    const tenant = open.length + added
    assert.ok(!(await hasRoom(like, { perPerson: theirs.length, perTenant: most })), `${who} has all counted`)
    assert.ok(
      await hasRoom(like, { perPerson: theirs.length + 1, perTenant: tenant + 1 }),
      `${who} has no more counted`,
    )
    added++
  }
}
