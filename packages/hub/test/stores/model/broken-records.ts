// Memory storages whose records have one fault each. They show that the contract detects it.

import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import type { Sample } from "../../../../testing/src/contract/record-samples.ts"
import { samples } from "../../../../testing/src/contract/record-samples.ts"
import type { Records } from "../../../src/ports/records.ts"
import type { Retention } from "../../../src/ports/retention.ts"
import type { Storage } from "../../../src/ports/storage.ts"
import type { Store } from "../../../src/ports/store.ts"

type Fault = (storage: Storage) => Storage

const withSamples =
  (faulty: (records: Records<Sample>, storage: Storage) => Partial<Records<Sample>>): Fault =>
  (storage) =>
    overriding(storage, samples, (records) => faulty(records, storage))

const withRetention =
  (faulty: (retention: Retention, storage: Storage) => Partial<Retention>): Fault =>
  (storage) => ({ ...storage, retention: { ...storage.retention, ...faulty(storage.retention, storage) } })

const ignoresVersion = withSamples((records) => ({
  async replace(next, entry) {
    const current = await records.get(next.id)
    return current !== undefined && records.replace({ ...next, version: current.version + 1 }, entry)
  },
}))

const removesAnyVersion = withSamples((records) => ({
  async remove(last, entry) {
    const current = await records.get(last.id)
    return current !== undefined && records.remove(current, entry)
  },
}))

const notifiesOfLosers = withSamples((records, { trail }) => ({
  async replace(next, entry) {
    if (await records.replace(next, entry)) return true
    if (entry !== undefined) await trail.append(entry)
    return false
  },
}))

const notifiesNothing = withSamples((records) => ({ replace: (next) => records.replace(next) }))

const overwrites = withSamples((records) => ({
  async insert(first, entry) {
    if (await records.insert(first, entry)) return true
    const current = await records.get(first.id)
    return current !== undefined && records.replace({ ...first, version: current.version + 1 }, entry)
  },
}))

const showsEveryTenant = withSamples((records) => ({
  list: async (query) =>
    "tenant" in query
      ? [...(await records.list(query)), ...(await records.list({ ...query, tenant: "globex" }))]
      : records.list(query),
}))

const repeatsPages = withSamples((records) => ({
  list: async (query) =>
    records.list("afterId" in query ? { ...query, afterId: `${query.afterId}`.slice(0, -1) } : query),
}))

const forgetsTheKey = withRetention(() => ({ sealed: async () => [] }))

const overwritesWithSeals = withRetention(({ reseal }, storage) => ({
  async reseal(given) {
    const current = await Promise.all(given.map(({ record }) => storage.records(samples).get(record.id)))
    const at = (index: number): number => current[index]?.version ?? 0
    return reseal(given.map(({ kind, record }, index) => ({ kind, record: { ...record, version: at(index) + 1 } })))
  },
}))

const forgetsEverything = withRetention(({ forget }) => ({
  forget: (cutoffs) => forget({ ...cutoffs, recordExpiresBy: Number.MAX_SAFE_INTEGER }),
}))

const keepsEverything = withRetention(({ forget }) => ({
  forget: (cutoffs) => forget({ ...cutoffs, recordExpiresBy: 0 }),
}))

const withStore =
  (faulty: (store: Store, storage: Storage) => Partial<Store>): Fault =>
  (storage) => ({ ...storage, store: { ...storage.store, ...faulty(storage.store, storage) } })

const storesRecordsOfRefused = withStore((store, storage) => ({
  async insert(first, entry, { beside = [], ...options }) {
    const inserted = await store.insert(first, entry, options)
    for (const { kind, record } of beside) await storage.records(kind).insert(record)
    return inserted
  },
}))

const losesRecordsOfQuestion = withStore((store) => ({
  insert: (first, entry, { limits }) => store.insert(first, entry, { limits }),
}))

const joinsKinds: Fault = (storage) => ({ ...storage, records: () => storage.records(samples) as Records<never> })

export const recordFaults: Readonly<Record<string, Fault>> = {
  "ignores the version of a change": ignoresVersion,
  "ignores the version of a removal": removesAnyVersion,
  "notifies of changes that lost": notifiesOfLosers,
  "does not notify of a change": notifiesNothing,
  "overwrites a taken id": overwrites,
  "shows a tenant's records to another tenant": showsEveryTenant,
  "repeats records on the next page": repeatsPages,
  "stores all kinds of records as one": joinsKinds,
  "does not list records sealed with an old key": forgetsTheKey,
  "reseals a record that was changed meanwhile": overwritesWithSeals,
  "removes records that have not expired": forgetsEverything,
  "does not remove expired records": keepsEverything,
  "stores the records of a question that it refuses": storesRecordsOfRefused,
  "does not store the records of a question": losesRecordsOfQuestion,
}
