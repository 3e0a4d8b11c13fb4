// The stored records of e-mail: sent mails, the return address of each mail, and addresses that do not exist.

import { createHash } from "node:crypto"
import type { PrincipalId } from "@holdpoint/hub"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

/**
 * A mail that the mail server accepted. Its id is that of the prompt. The record is needed because an SMTP server has
 * no list of its mails.
 */
export interface SentMail extends KeptRecord {
  readonly messageId: string
  readonly sentAt: number
  /** When the mail about the end of the question was sent. Undefined if it was not sent. */
  readonly endedAt?: number
}

const day = 24 * 3_600_000
/** How long the record of a mail is stored: longer than any question is open. */
const sentMs = 30 * day

export const sentMailKind: RecordKind<SentMail> = {
  name: "email_sent",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ sentAt }) => sentAt + sentMs,
}

/**
 * The recipient of a mail, stored under the random part of the mail's return address. Only the recipient and the mail
 * servers on the way know the random part.
 */
export interface ReturnAddress extends KeptRecord {
  readonly address: string
  readonly sentAt: number
}

export const returnAddressKind: RecordKind<ReturnAddress> = {
  name: "email_return",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ sentAt }) => sentAt + sentMs,
}

/**
 * An address that a mail server does not know. No mails are sent there until the record expires or the person says that
 * the address works.
 */
export interface DeadAddress extends KeptRecord {
  /** The status of RFC 3463, such as 5.1.1, or the SMTP code. */
  readonly status: string
  readonly at: number
}

/** After this time, mails are sent to the address again, because the server may have been wrong. */
const deadMs = 90 * day

export const deadAddressKind: RecordKind<DeadAddress> = {
  name: "email_dead",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ at }) => at + deadMs,
}

/** The record id of an address: a digest, because the address itself need not be stored. */
export const deadIdOf = (tenant: string, address: string): string =>
  createHash("sha256")
    .update(JSON.stringify([tenant, address.toLowerCase()]))
    .digest("base64url")

/** The person and the kind of question that an unsubscribe link is about. */
export interface Subscription {
  readonly person: PrincipalId
  readonly kind: string
}
