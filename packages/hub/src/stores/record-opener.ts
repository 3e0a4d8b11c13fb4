// The record kinds of a storage, each opened once.

import { HoldpointError } from "../core/error.ts"
import type { KeptRecord, RecordKind, Records } from "../ports/records.ts"

export type OpenRecords = <R extends KeptRecord>(kind: RecordKind<R>) => Records<R>

/**
 * Wraps `openRecords`, so that each kind is opened once. The result throws `invalid_config` when another kind has the
 * same name, because each kind would read the other's records.
 */
export function createRecordOpener(openRecords: OpenRecords): OpenRecords {
  const openedByKind = new Map<string, { readonly kind: unknown; readonly records: unknown }>()
  return <R extends KeptRecord>(kind: RecordKind<R>): Records<R> => {
    const existing = openedByKind.get(kind.name) ?? { kind, records: openRecords(kind) }
    openedByKind.set(kind.name, existing)
    if (existing.kind === kind) return existing.records as Records<R>
    throw new HoldpointError("invalid_config", `Two kinds of records are called “${kind.name}”. Rename one of them.`)
  }
}
