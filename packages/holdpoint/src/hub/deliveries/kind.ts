// How deliveries are kept: one kind of record for each outlet, so that a process finds those of its own outlets only.

import { createHash } from "node:crypto"
import type { Delivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { RecordKind } from "../../ports/records.ts"

/** The same object for the same outlet, as a storage demands. */
export function deliveryKind(outlet: string): RecordKind<Delivery> {
  const known = kinds.get(outlet) ?? {
    name: `delivery ${outlet}`,
    owner: ({ elicitation }) => elicitation,
    dueAt: ({ dueAt }) => dueAt,
    // Removed by the process that has withdrawn it.
    expiresAt: () => undefined,
  }
  kinds.set(outlet, known)
  return known
}

const kinds = new Map<string, RecordKind<Delivery>>()

/** The first delivery of a question to an outlet: whom it reaches is looked up when it is due. */
export function toDelivery({ id, tenant, createdAt }: Elicitation, outlet: string, dueAt: number): Delivery {
  const state = { version: 1, state: "owed", attempts: 0, dueAt, createdAt } as const
  return { id: digestOf([id, outlet]), tenant, elicitation: id, outlet, ...state }
}

/** The same for one address. However often it is looked up, it has this id. */
export function toAddressed(first: Delivery, address: string, now: number): Delivery {
  const { tenant, elicitation, outlet } = first
  const state = { version: 1, state: "owed", attempts: 0, dueAt: now, createdAt: now } as const
  return { id: digestOf([elicitation, outlet, address]), tenant, elicitation, outlet, address, ...state }
}

const digestOf = (parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url")
