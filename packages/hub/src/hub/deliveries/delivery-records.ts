// How deliveries are stored: one record kind per outlet, so that a process lists only the deliveries of its own
// outlets.

import { createHash } from "node:crypto"
import type { Delivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { Reached } from "../../ports/directory.ts"
import type { RecordKind } from "../../ports/records.ts"

/** Returns the record kind of an outlet, always the same object, as storages require. */
export function deliveryKind(outlet: string): RecordKind<Delivery> {
  const kind = kinds.get(outlet) ?? {
    name: `delivery ${outlet}`,
    owner: ({ elicitation }) => elicitation,
    dueAt: ({ dueAt }) => dueAt,
    // Deliveries do not expire: the process that withdraws the message removes them.
    expiresAt: () => undefined,
  }
  kinds.set(outlet, kind)
  return kind
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

/** A later delivery of the question to an outlet: a reminder, or the first message to the people of another role. */
export function toLaterDelivery(question: Elicitation, outlet: string, { occasion, now }: LaterDelivery): Delivery {
  const id = digestOf([question.id, outlet, occasion])
  return { ...toDelivery(question, outlet, now), id, ...occasion, since: now, createdAt: now }
}

export interface LaterDelivery {
  readonly occasion: DeliveryOccasion
  readonly now: number
}

/** Why a question is delivered once more. */
export type DeliveryOccasion = { readonly reminder: number } | { readonly role: string }

/**
 * The delivery of a question to one address. Its id depends only on the question, the outlet, the address and the
 * number of the reminder: a person of two roles gets one message.
 */
export function toAddressed(delivery: Delivery, { address, person }: Reached, times: AddressedTimes): Delivery {
  const { tenant, elicitation, outlet, reminder, since } = delivery
  const state = { version: 1, state: "owed", attempts: 0, dueAt: times.dueAt, createdAt: times.now } as const
  const reminderField = reminder === undefined ? {} : { reminder }
  const sinceField = reminder !== undefined || since === undefined ? {} : { since }
  const id = idAt({ elicitation, outlet, ...reminderField }, address)
  return { id, tenant, elicitation, outlet, address, person, ...reminderField, ...sinceField, ...state }
}

/** The id of the delivery to one address; without `reminder`, of the first message to that address. */
export function idAt({ elicitation, outlet, reminder }: IdParts, address: string): string {
  return digestOf([elicitation, outlet, address, ...(reminder === undefined ? [] : [{ reminder }])])
}

type IdParts = Pick<Delivery, "elicitation" | "outlet" | "reminder">

const digestOf = (parts: readonly (string | object)[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url")
