// The stored records of data keys.

import type { Sealed } from "../core/sealed.ts"
import type { KeptRecord, RecordKind } from "../ports/records.ts"

/** A stored data key: for a tenant's answers, or the canary. */
export interface DataKey extends KeptRecord {
  readonly purpose: "answers" | "canary"
  readonly createdAt: number
  readonly sealed: Sealed
}

export const dataKeyKind: RecordKind<DataKey> = {
  name: "data_key",
  owner: ({ purpose }) => purpose,
  dueAt: () => undefined,
  expiresAt: () => undefined,
}
