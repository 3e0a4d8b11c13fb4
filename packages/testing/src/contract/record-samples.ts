// Sample records, of kinds that only the contract uses. Plain values; nothing here is validated or really sealed.

import { randomUUID } from "node:crypto"
import type { EntryKind, Sealed } from "@holdpoint/hub/internal"
import type { KeptRecord, NewEntry, RecordKind } from "@holdpoint/hub/storage"
import { start } from "./samples.ts"

export interface Sample extends KeptRecord {
  readonly owner?: string
  readonly dueAt?: number
  readonly expiresAt?: number
  readonly body: unknown
}

const sampleKind = (name: string): RecordKind<Sample> => ({
  name,
  owner: ({ owner }) => owner,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: ({ expiresAt }) => expiresAt,
})

export const samples = sampleKind("sample")
export const otherSamples = sampleKind("other_sample")

/** Creates a sample record. By default, it is sealed and has an owner, but no due time and no expiry. */
export function sample(overrides: Partial<Sample> = {}): Sample {
  const body = { text: "a", list: [1, { deep: null }], yes: true }
  return {
    ...{ id: randomUUID(), tenant: "acme", version: 1, owner: "alice", body, sealed: sealedWith("k1") },
    ...overrides,
  }
}

export function sealedWith(keyId: string, fields: Sealed["fields"] = { access: "c2VhbGVk" }): Sealed {
  return { keyId, wrapped: "d3JhcHBlZA", generation: 1, fields }
}

/** The next version of a record. */
export function changed<R extends KeptRecord>(current: R, changes: Partial<R> = {}): R {
  return { ...current, version: current.version + 1, ...changes }
}

export function entryFor({ id, tenant, version }: KeptRecord, kind: EntryKind = "connected"): NewEntry {
  return { id, tenant, kind, at: start, detail: { message: `version ${version}` } }
}
