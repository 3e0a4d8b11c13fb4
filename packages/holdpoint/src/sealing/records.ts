// What is kept of keys, apart from the ring.

import type { Sealed } from "../core/sealed.ts"
import type { KeptRecord, RecordKind } from "../ports/records.ts"

/** A data key by itself: of a tenant's answers, or the canary. */
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
