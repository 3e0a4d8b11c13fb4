// Rotation: every data key is wrapped anew by the current key, while the system runs. It keeps no state of its own: what
// is left to do is what is not sealed with the current key, so it may be stopped and started at any time.

import { isHoldpointError } from "../core/error.ts"
import { places } from "../core/place.ts"
import type { Place } from "../core/sealed.ts"
import type { KeptRecord, Records } from "../ports/records.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import type { KeyRing } from "./key-ring.ts"

export interface RewrapOptions {
  /** After each page. */
  readonly onProgress?: (progress: RewrapProgress) => void
  /** Stops after the page under way. */
  readonly signal?: AbortSignal
  /** The records of a page are written at once, so that they share commits. */
  readonly pageSize?: number
}

export interface RewrapProgress {
  readonly done: number
  /** What cannot be opened and stays as it is: connections/ID. */
  readonly failed: readonly string[]
}

export interface Rewrapped extends RewrapProgress {
  /** False when it was stopped before its end. */
  readonly isFinished: boolean
}

export interface KeyUse {
  readonly id: string
  readonly isCurrent: boolean
  /** False: what it has sealed cannot be opened. */
  readonly isInRing: boolean
  /** How many records are sealed with it. */
  readonly records: number
}

const defaultPageSize = 250
/** Those who did not know of the new key yet may have sealed with the old one behind us. */
const mostRounds = 3

export async function rewrapAll(storage: Storage, sealer: Sealer, options: RewrapOptions = {}): Promise<Rewrapped> {
  const { onProgress, signal, pageSize = defaultPageSize } = options
  const failed = new Set<string>()
  let done = 0
  const progress = (): RewrapProgress => ({ done, failed: [...failed] })
  const rewrapPage = async ({ kind, page, ...where }: Page): Promise<void> => {
    const results = await Promise.all(page.map((record) => rewrapOne(where, sealer, record)))
    results.forEach((result, at) => {
      if (result === "done") done++
      if (result === "unreadable") failed.add(`${kind}/${page[at]?.id}`)
    })
    onProgress?.(progress())
  }
  for (let round = 0; round < mostRounds; round++) {
    const before = done
    for await (const page of pagesOf(storage, sealer.keyId, pageSize)) {
      await rewrapPage(page)
      if (signal?.aborted) return { ...progress(), isFinished: false }
    }
    if (done === before) break
  }
  return { ...progress(), isFinished: true }
}

/** How many records are sealed with each key, and which keys of the ring nothing uses. Reads everything that is sealed. */
export async function keyStatus(storage: Storage, ring: KeyRing): Promise<readonly KeyUse[]> {
  const counts = new Map([...ring.keys.keys()].map((id) => [id, 0]))
  // No key has an empty id: these are all.
  for await (const { page } of pagesOf(storage, "", 1_000)) {
    for (const { sealed } of page) {
      if (sealed !== undefined) counts.set(sealed.keyId, (counts.get(sealed.keyId) ?? 0) + 1)
    }
  }
  return [...counts].map(([id, records]) => ({
    id,
    isCurrent: id === ring.current,
    isInRing: ring.keys.has(id),
    records,
  }))
}

interface Where {
  readonly records: Records<KeptRecord>
  readonly placeOf: (record: KeptRecord) => Place
}

interface Page extends Where {
  readonly kind: keyof typeof places
  readonly page: readonly KeptRecord[]
}

const kinds = Object.keys(places) as readonly Page["kind"][]

async function* pagesOf(storage: Storage, notSealedWith: string, limit: number): AsyncGenerator<Page> {
  for (const kind of kinds) {
    // Each kind goes with its own place, and is given back as it was read with another wrapping.
    const where = { records: storage[kind], placeOf: places[kind] } as unknown as Where
    for (let afterId: string | undefined; ; ) {
      const page = await where.records.list({ notSealedWith, limit, ...(afterId === undefined ? {} : { afterId }) })
      if (page.length > 0) yield { ...where, kind, page }
      afterId = page.at(-1)?.id
      if (page.length < limit) break
    }
  }
}

type Result = "done" | "unreadable" | "needless"

/** Whoever changes the record meanwhile wins; then it is read again. */
async function rewrapOne({ records, placeOf }: Where, sealer: Sealer, first: KeptRecord): Promise<Result> {
  let record: KeptRecord | undefined = first
  while (record?.sealed !== undefined && record.sealed.keyId !== sealer.keyId) {
    try {
      const sealed = sealer.rewrap(placeOf(record), record.sealed)
      if (await records.replace({ ...record, version: record.version + 1, sealed })) return "done"
    } catch (error) {
      if (isHoldpointError(error) && error.code === "sealed_unreadable") return "unreadable"
      throw error
    }
    record = await records.get(record.id)
  }
  return "needless"
}
