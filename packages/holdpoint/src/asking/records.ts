// What is written of a call that waits for people, so that any process can go on with it.

import type { KeptRecord, RecordKind } from "../ports/records.ts"

/** A call that was answered with a question and will come again. What people answered in it and what was done is sealed. */
export interface Call extends KeptRecord {
  /** Who calls, as a key; the id alone is no authority. */
  readonly owner: string
  /** How often it was answered with a question. What a client brings back names the round it is of. */
  readonly round: number
  /** The one request that works on this round now. It may take as long as this, and then it counts as dead. */
  readonly lease?: { readonly holder: string; readonly until: number }
  readonly createdAt: number
  readonly expiresAt: number
}

export const callKind: RecordKind<Call> = {
  name: "call",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}
