// A record stored with every question in one step, so that a kill leaves both or neither.

import type { Storage } from "@holdpoint/hub"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

export const notes: RecordKind<KeptRecord> = {
  name: "note",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: () => undefined,
}

export function noting(storage: Storage): Storage {
  const { store } = storage
  return {
    ...storage,
    store: {
      ...store,
      insert(first, entry, options) {
        const record = { id: first.id, tenant: first.tenant, version: 1 }
        return store.insert(first, entry, { ...options, beside: [{ kind: notes, record }] })
      },
    },
  }
}
