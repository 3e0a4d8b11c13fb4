// Works through records that fall due: one timer for the next record, and a limited number of records at a time. They
// are read from the store, so when a process dies the others carry on with its records.

import type { KeptRecord, RecordKind, Records } from "../ports/records.ts"
import type { Runtime } from "../ports/runtime.ts"
import { createLanes, type LaneRule } from "./lanes.ts"
import { createTimer } from "./timer.ts"
import type { Work } from "./work.ts"

export interface Queue {
  /** Makes the process look for due records at this time at the latest. */
  arm(time: number): void
  isUnderWay(id: string): boolean
  /** Runs the work. When it fails, the queue looks again soon: a short database outage must not stop it. */
  orLater<T>(work: () => Promise<T>): Promise<T>
  /** Carries out all that is due now. Rejects when the storage fails. */
  sweep(): Promise<void>
  stop(): void
}

/** What a queue needs to know of a kind. */
export interface QueueKind<R extends KeptRecord> {
  readonly named: string
  readonly record: Pick<RecordKind<R>, "dueAt">
  readonly lane?: LaneRule<R>
  readonly lookMs?: number
}

export interface QueueNeeds<R extends KeptRecord> {
  readonly kind: QueueKind<R>
  readonly records: Pick<Records<R>, "list">
  readonly runtime: Runtime
  readonly background: Work["background"]
  /** Carries out one record. Another process may try it at the same time: the lease decides. */
  readonly advance: (record: R) => Promise<void>
}

const pageSize = 50
/** The most pages that one search reads to get past records without a place. The next search continues after them. */
const mostPages = 10
/** The pause before a search is continued. */
const pauseMs = 50
const retryMs = 5_000
const endOfTime = Number.MAX_SAFE_INTEGER
/** All records share the places. */
const sharedLane = { keyOf: () => "", limit: Number.POSITIVE_INFINITY }

export function createQueue<R extends KeptRecord>({
  kind,
  records,
  runtime,
  advance,
  background,
}: QueueNeeds<R>): Queue {
  const { named, lane = sharedLane, lookMs = Number.POSITIVE_INFINITY } = kind
  const lanes = createLanes(lane.limit)
  /** The records that are being worked on. */
  const underWay = new Map<string, Promise<void>>()
  /** Records that were carried out as these versions: they are not begun again soon if that changed nothing. */
  const tried = new Map<string, { readonly version: number; readonly until: number }>()
  /** Due records of lanes without a place, from the last search. Each begins when a record of its lane ends. */
  let parkedByLane = new Map<string, R[]>()
  /** Where the next search continues: the last one found too many records without a place. */
  let searchedUntil: R | undefined
  /** Whether the last search ended because all places were taken, so that due records of other lanes may wait. */
  let isCut = false
  let isStopped = false
  const timer = createTimer(runtime, () => background(`looking for ${named}`, () => orLater(search)))
  const { arm } = timer

  const orLater = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      arm(runtime.now() + retryMs)
      throw error
    }
  }

  const park = (recordLane: string, record: R): void => {
    const laneRecords = parkedByLane.get(recordLane)
    if (laneRecords === undefined) parkedByLane.set(recordLane, [record])
    else if (laneRecords.length < pageSize) laneRecords.push(record)
  }

  /** Whether the record was carried out just now, and nothing has changed since. */
  const isResting = ({ id, version }: R): boolean => {
    const last = tried.get(id)
    if (last === undefined || last.version !== version) return false
    arm(last.until)
    return true
  }
  const forgetTried = (): void => {
    const now = runtime.now()
    for (const [id, { until }] of tried) if (until <= now || until > now + retryMs) tried.delete(id)
  }

  const search = async (): Promise<void> => {
    arm(runtime.now() + lookMs)
    const start = searchedUntil
    let lastRecord = start
    searchedUntil = undefined
    isCut = false
    forgetTried()
    if (start === undefined) parkedByLane = new Map()
    for (let pageCount = 0; pageCount < mostPages; pageCount++) {
      const page = await records.list({ dueBefore: endOfTime, limit: pageSize, ...toCursor(kind, lastRecord) })
      for (const record of page) {
        const dueAt = kind.record.dueAt(record) ?? endOfTime
        if (dueAt > runtime.now()) return arm(start === undefined ? dueAt : runtime.now())
        isCut = lanes.isFull()
        if (isStopped || isCut) return
        if (underWay.has(record.id) || isResting(record)) continue
        const recordLane = lane.keyOf(record)
        if (lanes.hasPlace(recordLane)) begin(record)
        else park(recordLane, record)
      }
      lastRecord = page.at(-1)
      if (lastRecord === undefined || page.length < pageSize) {
        if (start !== undefined) arm(runtime.now())
        return
      }
    }
    searchedUntil = lastRecord
    arm(runtime.now() + pauseMs)
  }

  /**
   * Carries out a record in the background, so that a slow one does not block the others, and then begins the next one.
   */
  const begin = (record: R): void => {
    const recordLane = lane.keyOf(record)
    const begunAt = runtime.now()
    const { promise, resolve } = Promise.withResolvers<void>()
    underWay.set(record.id, promise)
    lanes.begin(recordLane)
    background(`carrying out ${named}`, () =>
      orLater(async () => {
        try {
          await advance(record)
        } finally {
          tried.set(record.id, { version: record.version, until: runtime.now() + retryMs })
          underWay.delete(record.id)
          lanes.end(recordLane, runtime.now() - begunAt)
          resolve()
        }
        if (!isStopped) beginNext(recordLane)
      }),
    )
  }

  /** Begins parked records of a lane in which one has ended, unless due records of other lanes may wait for the place. */
  const beginNext = (recordLane: string): void => {
    const parked = isCut ? [] : (parkedByLane.get(recordLane) ?? [])
    while (parked.length > 0 && lanes.hasPlace(recordLane) && !lanes.isFull()) {
      const nextRecord = parked.shift()
      if (nextRecord !== undefined && !underWay.has(nextRecord.id) && !isResting(nextRecord)) begin(nextRecord)
    }
    if (parked.length === 0) arm(runtime.now())
  }

  return {
    arm,
    isUnderWay: (id) => underWay.has(id),
    orLater,
    async sweep() {
      for (;;) {
        await orLater(search)
        if (underWay.size === 0 || isStopped) return
        await Promise.all(underWay.values())
      }
    },
    stop() {
      isStopped = true
      timer.stop()
    },
  }
}

const toCursor = <R extends KeptRecord>({ record: { dueAt } }: QueueKind<R>, after: R | undefined) =>
  after === undefined ? {} : { after: { id: after.id, dueAt: dueAt(after) ?? endOfTime } }
