// Key rotation: wraps every data key with the current key, while the system runs. It stores no progress: it processes
// whatever is not yet sealed with the current key, so it can be stopped and restarted at any time.

import { isHoldpointError } from "../core/error.ts"
import { sealBindingOf } from "../core/seal-bindings.ts"
import type { SealedRecord } from "../ports/retention.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import type { KeyRing } from "./key-ring.ts"

export interface RewrapOptions {
  /** Called after each page of records. */
  readonly onProgress?: (progress: RewrapProgress) => void
  /** Aborting this signal stops the rotation after the current page of records. */
  readonly signal?: AbortSignal
  /** The number of records in a page; a page is one transaction. */
  readonly pageSize?: number
}

export interface RewrapProgress {
  readonly done: number
  /** Records that could not be opened and were left unchanged, as “kind/ID”. */
  readonly failed: readonly string[]
}

export interface RewrapResult extends RewrapProgress {
  /**
   * False when records with an old key may remain besides those in `failed`: `signal` stopped the rotation early, or
   * another process still seals with the old key. Run the rotation again before an old key is removed.
   */
  readonly isFinished: boolean
}

/** The use of one key: how many records it has sealed. */
export interface KeyUse {
  readonly id: string
  readonly isCurrent: boolean
  /** When false, the records that are sealed with this key cannot be opened. */
  readonly isInRing: boolean
  /** How many records are sealed with this key. */
  readonly records: number
}

const defaultPageSize = 250
/**
 * The most scans of one rotation. Scans are repeated, because other processes may meanwhile change records that were
 * read, or seal with the old key until they know the new one.
 */
const mostScans = 10

/** Rotates keys: wraps the data key of every sealed record again, with the current key of the ring. */
export async function rewrapAll(storage: Storage, sealer: Sealer, options: RewrapOptions = {}): Promise<RewrapResult> {
  const { onProgress, signal, pageSize = defaultPageSize } = options
  const failed = new Set<string>()
  let doneCount = 0
  const progressNow = (): RewrapProgress => ({ done: doneCount, failed: [...failed] })
  for (let scan = 0; scan < mostScans; scan++) {
    let readableCount = 0
    for await (const page of pagesOf(storage, sealer.keyId, pageSize)) {
      const rewrappedRecords: SealedRecord[] = []
      for (const sealedRecord of page) {
        const rewrappedRecord = rewrap(sealer, sealedRecord)
        if (rewrappedRecord === undefined) failed.add(`${sealedRecord.kind}/${sealedRecord.record.id}`)
        else rewrappedRecords.push(rewrappedRecord)
      }
      readableCount += rewrappedRecords.length
      doneCount += await storage.retention.reseal(rewrappedRecords)
      onProgress?.(progressNow())
      if (signal?.aborted) return { ...progressNow(), isFinished: false }
    }
    if (readableCount === 0) return { ...progressNow(), isFinished: true }
  }
  return { ...progressNow(), isFinished: false }
}

/** How many records are sealed with each key; zero for an unused key of the ring. Reads every sealed record. */
export async function keyStatus(storage: Storage, ring: KeyRing): Promise<readonly KeyUse[]> {
  const counts = new Map([...ring.keys.keys()].map((id) => [id, 0]))
  // No key has an empty id, so excluding the empty id lists all records.
  for await (const page of pagesOf(storage, "", 1_000)) {
    for (const { record } of page) counts.set(record.sealed.keyId, (counts.get(record.sealed.keyId) ?? 0) + 1)
  }
  return [...counts].map(([id, records]) => ({
    id,
    isCurrent: id === ring.current,
    isInRing: ring.keys.has(id),
    records,
  }))
}

async function* pagesOf(storage: Storage, exceptKey: string, limit: number): AsyncGenerator<readonly SealedRecord[]> {
  for (let lastRecord: SealedRecord | undefined; ; ) {
    const page = await storage.retention.sealed({ notWith: exceptKey, limit, after: lastRecord })
    if (page.length > 0) yield page
    lastRecord = page.at(-1)
    if (page.length < limit) return
  }
}

/** The record with its data key wrapped by the current key; undefined when it cannot be opened. */
function rewrap(sealer: Sealer, { kind, record }: SealedRecord): SealedRecord | undefined {
  try {
    const sealed = sealer.rewrap(sealBindingOf(kind, record), record.sealed)
    return { kind, record: { ...record, version: record.version + 1, sealed } }
  } catch (error) {
    if (isHoldpointError(error) && error.code === "sealed_unreadable") return undefined
    throw error
  }
}
