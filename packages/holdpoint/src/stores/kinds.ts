// The record kinds of a storage, each opened once.

import { HoldpointError } from "../core/error.ts"
import type { KeptRecord, RecordKind, Records } from "../ports/records.ts"

export type OpenRecords = <R extends KeptRecord>(kind: RecordKind<R>) => Records<R>

/**
 * Wraps `open`. Throws `invalid_config` when another kind has the same name, because each would read the other's
 * records.
 */
export function createKinds(open: OpenRecords): OpenRecords {
  const opened = new Map<string, { readonly kind: unknown; readonly records: unknown }>()
  return <R extends KeptRecord>(kind: RecordKind<R>): Records<R> => {
    const existing = opened.get(kind.name) ?? { kind, records: open(kind) }
    opened.set(kind.name, existing)
    if (existing.kind === kind) return existing.records as Records<R>
    throw new HoldpointError("invalid_config", `Two kinds of records are called “${kind.name}”. Rename one of them.`)
  }
}
