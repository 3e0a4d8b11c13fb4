// The identity provider's storage: in memory, until an entry expires or the process ends.

import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider"

interface Entry {
  readonly payload: AdapterPayload
  readonly until: number
}

/**
 * More than the people at one machine need. The oldest entries are dropped, so that requests cannot fill the memory.
 */
const mostKept = 5_000

export function createIdpMemory(): AdapterFactory {
  const entries = new Map<string, Entry>()
  const search = (isWanted: (key: string, entry: Entry) => boolean): AdapterPayload | undefined => {
    for (const [key, entry] of entries) if (entry.until > Date.now() && isWanted(key, entry)) return entry.payload
    return undefined
  }

  return (model): Adapter => {
    const keyOf = (id: string): string => `${model}:${id}`
    const get = async (id: string): Promise<AdapterPayload | undefined> => {
      const entry = entries.get(keyOf(id))
      return entry !== undefined && entry.until > Date.now() ? entry.payload : undefined
    }
    return {
      async upsert(id, payload, expiresIn) {
        const until = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresIn * 1_000
        entries.delete(keyOf(id))
        entries.set(keyOf(id), { payload, until })
        for (const oldest of entries.keys()) {
          if (entries.size <= mostKept) return
          entries.delete(oldest)
        }
      },
      find: get,
      findByUid: async (uid) => search((key, { payload }) => key.startsWith(`${model}:`) && payload.uid === uid),
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = await get(id)
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000)
      },
      async destroy(id) {
        entries.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
      },
    }
  }
}
