// The journal of a call in the store: one record per entry, so that the cost of writing an entry does not grow with the
// journal. Sealed, because it holds what people answered.

import { sealBindingOf } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { Records } from "@holdpoint/hub/storage"
import { digestOf } from "./digest.ts"
import type { Journal, JournalEntry } from "./journal.ts"
import { createJournal } from "./journal.ts"
import type { Call, StoredEntry } from "./records.ts"
import { entryKind } from "./records.ts"

export interface EntryParts {
  readonly entries: Records<StoredEntry>
  readonly sealer: Sealer
  readonly strict: boolean
}

/** The stored records of a journal. */
export interface StoredJournal {
  readonly byKey: Map<string, Pick<StoredEntry, "version" | "order" | "expiresAt">>
  /** The order of the next new entry. */
  nextOrder: number
}

export const toStoredJournal = (records: Iterable<readonly [string, StoredEntry]> = []): StoredJournal => {
  const byKey = new Map([...records].map(([key, record]) => [key, factsOf(record)]))
  return { byKey, nextOrder: Math.max(0, ...[...byKey.values()].map(({ order }) => order + 1)) }
}

const factsOf = ({ version, order, expiresAt }: StoredEntry) => ({ version, order, expiresAt })

/** A journal with its stored records, as read from the store. */
export interface LoadedJournal {
  readonly journal: Journal
  readonly stored: StoredJournal
}

/**
 * Reads the journal of a call. `previousJournal` is the journal as this request read it to check that it may take the
 * call. An effect that was recorded as begun only after that check never ran, because its request had lost the call by
 * then.
 */
export async function readJournal(parts: EntryParts, call: Call, previousJournal?: Journal): Promise<LoadedJournal> {
  const records = (await listEntries(parts, call)).toSorted((first, second) => first.order - second.order)
  const openedEntries = records.map((record) => ({ record, entry: openEntry(parts, record) }))
  const stored = toStoredJournal(openedEntries.map(({ record, entry }) => [entry.key, record] as const))
  const entries = openedEntries.map(({ entry }) => entry)
  const isRefused = ({ kind, key }: JournalEntry): boolean =>
    kind === "started" && previousJournal !== undefined && previousJournal.get(key)?.kind !== "started"
  const refusedKeys = entries.filter(isRefused).map(({ key }) => key)
  const validEntries =
    refusedKeys.length === 0
      ? entries
      : entries.flatMap((entry) => (isRefused(entry) ? (previousJournal?.get(entry.key) ?? []) : entry))
  return { journal: createJournal(validEntries, { strict: parts.strict, changed: refusedKeys }), stored }
}

const pageSize = 500

async function listEntries({ entries }: EntryParts, { tenant, id }: Call): Promise<readonly StoredEntry[]> {
  const storedEntries: StoredEntry[] = []
  for (let afterId: string | undefined; ; ) {
    const cursor = afterId === undefined ? {} : { afterId }
    const page = await entries.list({ tenant, owner: id, limit: pageSize, ...cursor })
    storedEntries.push(...page)
    afterId = page.at(-1)?.id
    if (page.length < pageSize) return storedEntries
  }
}

function openEntry({ sealer }: EntryParts, record: StoredEntry): JournalEntry {
  const fields = record.sealed === undefined ? {} : sealer.open(sealBindingOf(entryKind.name, record), record.sealed)
  return JSON.parse(fields.entry ?? "{}") as JournalEntry
}

/** A journal with its call and its stored records. */
export interface CallJournal {
  readonly parts: EntryParts
  readonly call: Call
  readonly journal: Journal
  readonly stored: StoredJournal
}

/** Writes the changed entries in one commit. Only the request that has the lease of the call may call this. */
export async function writeEntries(target: CallJournal): Promise<void> {
  const { call, journal, stored } = target
  // No entry may expire before its call.
  for (const [key, { expiresAt }] of stored.byKey) if (expiresAt < call.expiresAt) journal.changed.add(key)
  const writtenKeys = [...journal.entries.keys()].filter((key) => journal.changed.has(key))
  const removedKeys = [...journal.changed].filter((key) => !journal.entries.has(key))
  journal.changed.clear()
  const writes = [
    ...writtenKeys.map((key) => writeEntry(target, key)),
    ...removedKeys.map((key) => removeEntry(target, key)),
  ]
  try {
    await Promise.all(writes)
  } catch (error) {
    for (const key of [...writtenKeys, ...removedKeys]) journal.changed.add(key)
    throw error
  }
}

/** Removes all entries of a call that is over. */
export async function removeEntries(target: CallJournal): Promise<void> {
  await Promise.all([...target.stored.byKey.keys()].map((key) => removeEntry(target, key)))
}

async function writeEntry(target: CallJournal, key: string): Promise<void> {
  const { parts, call, journal, stored } = target
  const storedFacts = stored.byKey.get(key)
  const base = toRecord(target, key)
  const entry = JSON.stringify(journal.get(key))
  const sealed = parts.sealer.seal(sealBindingOf(entryKind.name, base), { entry })
  const record = { ...base, expiresAt: call.expiresAt + slackMs, sealed }
  stored.byKey.set(key, factsOf(record))
  if (await (storedFacts === undefined ? parts.entries.insert(record) : parts.entries.replace(record))) return
  // The stored version differs: the encryption keys were rotated, or a request that was considered dead wrote once
  // more. This request's entry wins.
  const storedRecord = await parts.entries.get(record.id)
  const retriedRecord = { ...record, version: (storedRecord?.version ?? 0) + 1 }
  stored.byKey.set(key, factsOf(retriedRecord))
  await (storedRecord === undefined ? parts.entries.insert(retriedRecord) : parts.entries.replace(retriedRecord))
}

/**
 * The time that entries outlive their call. The call is extended in small steps, without rewriting its entries each
 * time.
 */
const slackMs = 60 * 60_000

async function removeEntry(target: CallJournal, key: string): Promise<void> {
  const { parts, stored } = target
  const storedFacts = stored.byKey.get(key)
  if (storedFacts === undefined) return
  const record = { ...toRecord(target, key), ...storedFacts }
  if (!(await parts.entries.remove(record))) {
    const storedRecord = await parts.entries.get(record.id)
    if (storedRecord !== undefined) await parts.entries.remove(storedRecord)
  }
  stored.byKey.delete(key)
}

function toRecord({ call, stored }: CallJournal, key: string): StoredEntry {
  const storedFacts = stored.byKey.get(key)
  const order = storedFacts?.order ?? stored.nextOrder++
  const id = `${call.id} ${digestOf(key).slice(0, 22)}`
  return { id, tenant: call.tenant, version: (storedFacts?.version ?? 0) + 1, call: call.id, order, expiresAt: 0 }
}
