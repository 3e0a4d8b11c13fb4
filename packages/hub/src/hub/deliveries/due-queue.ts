// Works through records that fall due: one timer for the next record, and a limited number of records at a time. They
// are read from the store, so when a process dies the others carry on with its records.

import { createLanes, type LaneRule } from "../../due/lanes.ts"
import type { Work } from "../../due/work.ts"
import type { KeptRecord, Records } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"

/** A queue of due records, of which each process has one. Made by `createDueQueue`. */
export interface DueQueue {
  /** Makes the timer fire at this time at the latest, because a record is due then. */
  arm(time: number): void
  isUnderWay(id: string): boolean
  /** Runs the work. When the work fails, the queue checks again soon: a short database outage must not stop it. */
  orLater(work: () => Promise<void>): Promise<void>
  stop(): void
}

type DueRecord = KeptRecord & { readonly dueAt: number }

export interface DueQueueNeeds<R extends DueRecord> extends Pick<Work, "background"> {
  /** What the records are called in reports of failures. */
  readonly recordsName: string
  readonly records: Pick<Records<R>, "list">
  readonly runtime: Runtime
  /** Processes one due record. Another process may try the same record at the same time: the record's lease decides. */
  readonly advance: (record: R) => Promise<void>
  /** Each receiver has a lane, so that those that hang do not hold up the others. */
  readonly lane: LaneRule<R>
}

const pageSize = 50
/** The most pages that one search reads to get past records without a place. The next search continues after them. */
const mostPages = 10
/** The pause before a search is continued. */
const pauseMs = 50
const retryMs = 5_000
const endOfTime = Number.MAX_SAFE_INTEGER

/** Makes a queue that works through the records of a kind when they fall due. */
export function createDueQueue<R extends DueRecord>(needs: DueQueueNeeds<R>): DueQueue {
  const { recordsName, records, runtime, advance, lane, background } = needs
  const lanes = createLanes(lane.limit)
  /** The records that are being worked on. */
  const underWay = new Set<string>()
  /** Due records of lanes without a place, from the last search. Each begins when a record of its lane ends. */
  let parkedByLane = new Map<string, R[]>()
  /** Where the next search continues: the last one found too many records without a place. */
  let searchedUntil: R | undefined
  /** Whether the last search ended because all places were taken, so that due records of other lanes may wait. */
  let isCut = false
  let armedTime = Number.POSITIVE_INFINITY
  let cancel: () => void = () => {}
  let isStopped = false

  const arm = (time: number): void => {
    if (isStopped || time >= armedTime) return
    cancel()
    armedTime = time
    cancel = runtime.after(Math.max(0, time - runtime.now()), () => {
      armedTime = Number.POSITIVE_INFINITY
      background(`looking for ${recordsName}`, () => orLater(beginDue))
    })
  }

  const orLater = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
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

  const beginDue = async (): Promise<void> => {
    const start = searchedUntil
    let lastRecord = start
    searchedUntil = undefined
    isCut = false
    if (start === undefined) parkedByLane = new Map()
    for (let pageCount = 0; pageCount < mostPages; pageCount++) {
      const page = await records.list({ dueBefore: endOfTime, limit: pageSize, ...toCursor(lastRecord) })
      for (const record of page) {
        if (record.dueAt > runtime.now()) return arm(start === undefined ? record.dueAt : runtime.now())
        isCut = lanes.isFull()
        if (isStopped || isCut) return
        if (underWay.has(record.id)) continue
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
   * Processes a record in the background, so that a slow one does not block the others, and then begins the next one.
   */
  const begin = (record: R): void => {
    const recordLane = lane.keyOf(record)
    const begunAt = runtime.now()
    underWay.add(record.id)
    lanes.begin(recordLane)
    background(`carrying out ${recordsName}`, () =>
      orLater(async () => {
        try {
          await advance(record)
        } finally {
          underWay.delete(record.id)
          lanes.end(recordLane, runtime.now() - begunAt)
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
      if (nextRecord !== undefined && !underWay.has(nextRecord.id)) begin(nextRecord)
    }
    if (parked.length === 0) arm(runtime.now())
  }

  return {
    arm,
    isUnderWay: (id) => underWay.has(id),
    orLater,
    stop() {
      isStopped = true
      cancel()
    },
  }
}

const toCursor = <R>(after: R | undefined): { readonly after?: R } => (after === undefined ? {} : { after })
