// Sample people, questions, records and trail entries. Plain values; nothing here is validated.

import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type {
  Content,
  Draft,
  Elicitation,
  Entry,
  ErrorCode,
  Principal,
  Status,
  StepResult,
  Storage,
  TrailQuery,
} from "@holdpoint/hub"
import { form, isHoldpointError, text } from "@holdpoint/hub"
import type { EntryKind, FormElicitation, UrlElicitation } from "@holdpoint/hub/internal"
import type { InsertOptions, NewEntry, Trail } from "@holdpoint/hub/storage"

export const start = Date.UTC(2026, 0, 1)
export const minute = 60_000
export const day = 24 * 60 * minute
export const noLimits: InsertOptions = { limits: { perPerson: 1_000_000, perTenant: 1_000_000 } }

export function person(subject: string, overrides: Partial<Principal> = {}): Principal {
  return { tenant: "acme", issuer: "https://id.example", subject, ...overrides }
}

export const alice = person("alice")
export const bob = person("bob")

type DraftOptions = Partial<Omit<Extract<Draft, { form: unknown }>, "form" | "url">>

export function formDraft(overrides: DraftOptions = {}): Draft<{ readonly note: string }> {
  const noteForm = form({ note: text({ title: "Note" }) })
  return { message: "May this go out?", audience: alice, requester: { id: "publisher" }, ...overrides, form: noteForm }
}

export function urlDraft(overrides: DraftOptions = {}): Draft {
  const url = (id: string): string => `https://hub.example/connect/${id}`
  return { message: "Connect your account", audience: alice, requester: { id: "publisher" }, ...overrides, url }
}

export function record(overrides: Partial<FormElicitation> = {}): FormElicitation {
  return {
    id: randomUUID(),
    tenant: "acme",
    mode: "form",
    message: "May this go out?",
    requestedSchema: form({ note: text() }),
    audience: { kind: "one", principal: alice },
    requester: { id: "publisher" },
    context: { trigger: "approval" },
    createdAt: start,
    status: "pending",
    revision: 1,
    holders: 1,
    expiresAt: start + 5 * minute,
    ...overrides,
  }
}

export function urlRecord(overrides: Partial<UrlElicitation> = {}): UrlElicitation {
  const { requestedSchema: _, ...rest } = record()
  return { ...rest, url: "https://hub.example/connect/1", ...overrides, mode: "url" }
}

/** The next revision of an elicitation. */
export function withChanges<E extends Elicitation>(current: E, changes: Partial<E>): E {
  return { ...current, revision: current.revision + 1, ...changes }
}

export function completed<E extends Elicitation>(current: E, content?: Content, settledAt = start + 1): E {
  const answer = content === undefined ? {} : { content }
  return { ...current, revision: current.revision + 1, status: "completed", settledAt, ...answer }
}

export function entryOf(subject: Elicitation, kind: EntryKind = kindOf(subject.status)): NewEntry {
  const { id, tenant, parent, revision, status, audience } = subject
  const parentField = parent === undefined ? {} : { parent }
  return { id, tenant, ...parentField, revision, status, kind, at: start, detail: { audience } }
}

const kindOf = (status: Status): EntryKind => (status === "pending" ? "asked" : status)

export async function insert<E extends Elicitation>(storage: Storage, first: E): Promise<E> {
  assert.deepEqual(await storage.store.insert(first, entryOf(first), noLimits), { stored: true })
  return first
}

export function refusalOf(result: StepResult) {
  assert.ok(!result.ok, "the step is refused")
  return result.refusal
}

export function elicitationOf(result: StepResult): Elicitation {
  assert.ok(result.ok, "the step is taken")
  return result.elicitation
}

/** Reads the whole trail, in pages. */
export async function readAll(trail: Trail, query: Omit<TrailQuery, "limit"> = {}): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const afterPosition = entries.at(-1)?.position ?? query.afterPosition ?? 0
    const page = await trail.read({ ...query, afterPosition, limit: 1_000 })
    entries.push(...page)
    if (page.length < 1_000) return entries
  }
}

export async function assertThrows(code: ErrorCode, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => isHoldpointError(error) && error.code === code)
}

/**
 * Subscribes to a trail. Resolves to the received entries as soon as `isEnough` returns true for them, and never if the
 * storage does not notify: there is no time limit.
 */
export function waitForEntries(
  trail: Trail,
  isEnough: (entries: readonly Entry[]) => boolean,
): Promise<readonly Entry[]> {
  return new Promise((resolve) => {
    const entries: Entry[] = []
    const stop = trail.subscribe((newEntries) => {
      entries.push(...newEntries)
      if (!isEnough(entries)) return
      stop()
      resolve(entries)
    })
  })
}

export const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)
