// Storages whose records have one fault each, made from the memory storage. They show that the contract would notice.

import type { Connection } from "../../../src/core/connection.ts"
import type { Storage } from "../../../src/index.ts"
import type { Records } from "../../../src/ports/records.ts"

type Fault = (storage: Storage) => Storage

const withConnections =
  (faulty: (records: Records<Connection>, storage: Storage) => Partial<Records<Connection>>): Fault =>
  (storage) => ({ ...storage, connections: { ...storage.connections, ...faulty(storage.connections, storage) } })

const ignoresVersion = withConnections((records) => ({
  async replace(next, entry) {
    const current = await records.get(next.id)
    return current !== undefined && records.replace({ ...next, version: current.version + 1 }, entry)
  },
}))

const removesAnyVersion = withConnections((records) => ({
  async remove(last, entry) {
    const current = await records.get(last.id)
    return current !== undefined && records.remove(current, entry)
  },
}))

const tellsOfLosers = withConnections((records, { trail }) => ({
  async replace(next, entry) {
    if (await records.replace(next, entry)) return true
    if (entry !== undefined) await trail.append(entry)
    return false
  },
}))

const tellsNothing = withConnections((records) => ({ replace: (next) => records.replace(next) }))

const overwrites = withConnections((records) => ({
  async insert(first, entry) {
    if (await records.insert(first, entry)) return true
    const current = await records.get(first.id)
    return current !== undefined && records.replace({ ...first, version: current.version + 1 }, entry)
  },
}))

const showsEveryTenant = withConnections((records) => ({
  list: async (query) =>
    "tenant" in query
      ? [...(await records.list(query)), ...(await records.list({ ...query, tenant: "globex" }))]
      : records.list(query),
}))

const repeatsPages = withConnections((records) => ({
  list: async (query) =>
    records.list("afterId" in query ? { ...query, afterId: `${query.afterId}`.slice(0, -1) } : query),
}))

const forgetsTheKey = withConnections((records) => ({
  list: async (query) => ("notSealedWith" in query ? [] : records.list(query)),
}))

const removesProlongedCalls: Fault = (storage) => ({
  ...storage,
  calls: {
    ...storage.calls,
    async remove(last) {
      const current = await storage.calls.get(last.id)
      return current !== undefined && storage.calls.remove(current)
    },
  },
})

const endsEveryArtifact: Fault = (storage) => ({
  ...storage,
  artifacts: {
    ...storage.artifacts,
    list: (query) => storage.artifacts.list("dueBefore" in query ? { tenant: "acme", limit: query.limit } : query),
  },
})

export const recordFaults: Readonly<Record<string, Fault>> = {
  "ignores the version of a change": ignoresVersion,
  "ignores the version of a removal": removesAnyVersion,
  "tells of changes that lost": tellsOfLosers,
  "does not tell of a change": tellsNothing,
  "overwrites a taken id": overwrites,
  "shows a tenant's records to another": showsEveryTenant,
  "repeats records on the next page": repeatsPages,
  "does not know what is sealed with an old key": forgetsTheKey,
  "removes a call that was prolonged meanwhile": removesProlongedCalls,
  "counts every artifact as due": endsEveryArtifact,
}
