// How deliveries are stored: one record kind per outlet, so that a process lists only the deliveries of its own
// outlets.

import { createHash } from "node:crypto"
import type { Delivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { Reached } from "../../ports/directory.ts"
import type { RecordKind } from "../../ports/records.ts"

/** Returns the record kind of an outlet, always the same object, as storages require. */
export function deliveryKind(outlet: string): RecordKind<Delivery> {
  const known = kinds.get(outlet) ?? {
    name: `delivery ${outlet}`,
    owner: ({ elicitation }) => elicitation,
    dueAt: ({ dueAt }) => dueAt,
    // Deliveries do not expire: the process that withdraws the message removes them.
    expiresAt: () => undefined,
  }
  kinds.set(outlet, known)
  return known
}

const kinds = new Map<string, RecordKind<Delivery>>()

/** The first delivery of a question to an outlet. Its addresses are looked up when it is due. */
export function toDelivery({ id, tenant, createdAt }: Elicitation, outlet: string, dueAt: number): Delivery {
  const state = { version: 1, state: "owed", attempts: 0, dueAt, createdAt } as const
  return { id: digestOf([id, outlet]), tenant, elicitation: id, outlet, ...state }
}

export interface AddressedTimes {
  readonly now: number
  readonly dueAt: number
}

/** The delivery of a question to one address. Its id depends only on the question, the outlet and the address. */
export function toAddressed(first: Delivery, { address, person }: Reached, times: AddressedTimes): Delivery {
  const { tenant, elicitation, outlet } = first
  const state = { version: 1, state: "owed", attempts: 0, dueAt: times.dueAt, createdAt: times.now } as const
  return { id: digestOf([elicitation, outlet, address]), tenant, elicitation, outlet, address, person, ...state }
}

const digestOf = (parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url")
