// Converts between records and rows. Parts that rarely change are one JSON column; the others have their own columns.
// Pure.

import type { YesOrNo } from "../core/decision.ts"
import type { Elicitation, Progress, Question } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { addresseeKeysOf } from "../core/principal.ts"
import { uniqueKeyOf } from "../core/question.ts"
import type { KeptRecord, RecordKind } from "../ports/records.ts"
import type { SealedRecord } from "../ports/retention.ts"
import type { PendingLimits } from "../ports/store.ts"
import type { Entry, NewEntry } from "../ports/trail.ts"
import type { InputRow, Row } from "./database.ts"

/** How many questions of a tenant were open when the trail ended at this position. */
export interface OpenCount {
  readonly open: number
  readonly position: number
}

/**
 * The limits for an insert. `tenantAhead` and `personAhead` are the numbers of earlier inserts of the same statement
 * for the same tenant or person. `insertCount` is the number of inserts of the whole commit.
 */
export interface InsertLimits {
  readonly limits: PendingLimits
  readonly openCount: OpenCount
  readonly insertCount: number
  readonly tenantAhead: number
  readonly personAhead: number
}

export function toQuestionRow(elicitation: Elicitation, stamp: string, insertLimits: InsertLimits): InputRow {
  const addressees = addresseeKeysOf(elicitation.audience)
  return {
    id: elicitation.id,
    tenant: elicitation.tenant,
    parent: elicitation.parent ?? null,
    claim: uniqueKeyOf(elicitation) ?? null,
    addressee: addressees.length === 1 ? (addressees[0] ?? null) : null,
    // Null for a role, because the limit of open questions applies to each person.
    person: addressees.length === 1 && elicitation.audience.kind !== "role" ? (addressees[0] ?? null) : null,
    people: addressees.length === 1 ? null : JSON.stringify(addressees),
    // With the current end of the trail added, the most questions that can be open: those counted, one for each trail
    // entry since then, and one for each other insert of this commit.
    beyond_trail: insertLimits.openCount.open - insertLimits.openCount.position + insertLimits.insertCount - 1,
    tenant_ahead: insertLimits.tenantAhead,
    tenant_most: insertLimits.limits.perTenant,
    person_ahead: insertLimits.personAhead,
    person_most: insertLimits.limits.perPerson,
    least_most: Math.min(insertLimits.limits.perTenant, insertLimits.limits.perPerson),
    question: JSON.stringify(questionOf(elicitation)),
    created_at: elicitation.createdAt,
    status: elicitation.status,
    revision: elicitation.revision,
    holders: elicitation.holders,
    expires_at: elicitation.expiresAt,
    stamp,
  }
}

export function toProgressRow(next: Elicitation, stamp: string): InputRow {
  return {
    id: next.id,
    before: next.revision - 1,
    // Null keeps the stored JSON. Only fields that have no column of their own, such as votes, change it.
    question: isRewritten(next) ? JSON.stringify(questionOf(next)) : null,
    status: next.status,
    revision: next.revision,
    holders: next.holders,
    expires_at: next.expiresAt,
    opened_at: next.openedAt ?? null,
    verified_at: next.verifiedAt ?? null,
    accepted_at: next.acceptedAt ?? null,
    settled_at: next.settledAt ?? null,
    answered_by: next.answeredBy === undefined ? null : JSON.stringify(next.answeredBy),
    answered_via: next.answeredVia ?? null,
    reason: next.reason === undefined ? null : JSON.stringify(next.reason),
    said: next.said ?? null,
    content: next.content === undefined ? null : JSON.stringify(next.content),
    frees_claim: isSettled(next.status) && next.keyReuse === "open" ? 1 : 0,
    stamp,
  }
}

/** The people whose limit of open questions an elicitation counts towards. Empty for a role, which has no limit. */
export function limitedPeopleOf({ audience }: Elicitation): readonly string[] {
  return audience.kind === "role" ? [] : addresseeKeysOf(audience)
}

export function fromRow(row: Row): Elicitation {
  const question = JSON.parse(String(row.question)) as Question
  const progress = {
    status: row.status as Progress["status"],
    revision: Number(row.revision),
    holders: Number(row.holders),
    expiresAt: Number(row.expires_at),
    ...optionalNumber("openedAt", row.opened_at),
    ...optionalNumber("verifiedAt", row.verified_at),
    ...optionalNumber("acceptedAt", row.accepted_at),
    ...optionalNumber("settledAt", row.settled_at),
    ...optionalJson("answeredBy", row.answered_by),
    ...(row.answered_via === null ? {} : { answeredVia: String(row.answered_via) }),
    ...optionalJson("reason", row.reason),
    ...(row.said === null ? {} : { said: row.said as YesOrNo }),
    ...optionalJson("content", row.content),
  }
  return { ...question, ...progress }
}

export function toTrailRow(entry: NewEntry, stamp: string | null): InputRow {
  const { id, tenant, parent, revision, kind, status, at, detail } = entry
  return {
    id,
    tenant,
    parent: parent ?? null,
    revision: revision ?? null,
    kind,
    status: status ?? null,
    at,
    detail: JSON.stringify(detail),
    stamp,
  }
}

export function fromTrailRow(row: Row): Entry {
  return {
    position: Number(row.position),
    id: String(row.id),
    tenant: String(row.tenant),
    ...(row.parent === null ? {} : { parent: String(row.parent) }),
    ...(row.revision === null ? {} : { revision: Number(row.revision) }),
    kind: row.kind as Entry["kind"],
    ...(row.status === null ? {} : { status: row.status as Progress["status"] }),
    at: Number(row.at),
    detail: JSON.parse(String(row.detail)) as Entry["detail"],
  }
}

/** Converts a record to a row: one JSON column, and the columns that queries filter by. */
export function toRecordRow<R extends KeptRecord>(kind: RecordKind<R>, record: R): InputRow {
  return {
    kind: kind.name,
    id: record.id,
    tenant: record.tenant,
    owner: kind.owner(record) ?? null,
    version: record.version,
    due_at: kind.dueAt(record) ?? null,
    expires_at: kind.expiresAt(record) ?? null,
    key_id: record.sealed?.keyId ?? null,
    body: JSON.stringify(record),
  }
}

export function toSealRow({ kind, record }: SealedRecord): InputRow {
  const { id, version, sealed } = record
  return { kind, id, version, before: version - 1, key_id: sealed.keyId, body: JSON.stringify(record) }
}

export function fromRecordRow<R extends KeptRecord>(row: Row): R {
  return JSON.parse(String(row.body)) as R
}

/** Whether the JSON column is written again: it holds what few questions have, such as votes or an escalation. */
const isRewritten = ({ grows, votes, escalatedTo, reminders }: Elicitation): boolean =>
  [grows, votes, escalatedTo, reminders].some((part) => part !== undefined)

function questionOf(elicitation: Elicitation): Question {
  const { id, tenant, message, audience, requester, client, context, parent, key, keyReuse, grows } = elicitation
  const { detail, createdAt, approvals, notBy, remindEveryMs, escalate, votes, escalatedTo, reminders } = elicitation
  const base = {
    id,
    tenant,
    message,
    detail,
    audience,
    requester,
    client,
    context,
    parent,
    key,
    keyReuse,
    grows,
    createdAt,
    ...{ approvals, notBy, remindEveryMs, escalate, votes, escalatedTo, reminders },
  }
  const modeFields =
    elicitation.mode === "form"
      ? { mode: elicitation.mode, requestedSchema: elicitation.requestedSchema }
      : { mode: elicitation.mode, url: elicitation.url }
  // Undefined members are absent in JSON, which means the same.
  return { ...base, ...modeFields } as Question
}

const optionalNumber = (name: string, value: unknown): object => (value === null ? {} : { [name]: Number(value) })
const optionalJson = (name: string, value: unknown): object =>
  value === null ? {} : { [name]: JSON.parse(String(value)) }
