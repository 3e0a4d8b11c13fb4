// The late work of the model test: parcels for receivers, some of which have to arrive in order.

import { type Due, isHeld } from "../../../src/core/due.ts"
import type { DueKind } from "../../../src/due/due-kind.ts"
import type { KeptRecord, RecordKind } from "../../../src/ports/records.ts"

export interface Parcel extends KeptRecord, Due {
  readonly receiver: string
  /** The parcels of one owner arrive in this order. */
  readonly owner: string
  readonly order: number
  readonly state: "owed" | "delivered" | "given_up"
  /** The number of the attempt that delivered it. */
  readonly by?: number
}

export type ParcelEvent =
  | { readonly type: "deliver"; readonly by: number }
  | { readonly type: "give_up" }
  | { readonly type: "hurry" }

export const parcelRecords: RecordKind<Parcel> = {
  name: "parcel",
  owner: ({ owner }) => owner,
  dueAt: ({ state, dueAt }) => (state === "owed" ? dueAt : undefined),
  expiresAt: () => undefined,
}

export const mostOfReceiver = 4
export const graceMs = 2_000

export const parcelKind: DueKind<Parcel, ParcelEvent> = {
  named: "parcels",
  record: parcelRecords,
  exhausted: { type: "give_up" },
  delaysMs: [1_000, 5_000, 20_000],
  spread: 0.1,
  lane: { keyOf: ({ receiver }) => receiver, limit: mostOfReceiver },
  orderOf: ({ order }) => order,
  lookMs: 60_000,
  graceMs,
  transition(current, event, now) {
    if (current.state !== "owed") return undefined
    if (event.type === "deliver") return { ...current, state: "delivered", by: event.by }
    if (event.type === "give_up") return { ...current, state: "given_up" }
    return isHeld(current, now) ? undefined : { ...current, dueAt: now }
  },
}
