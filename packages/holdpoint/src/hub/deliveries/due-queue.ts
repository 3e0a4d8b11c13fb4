// Works through records that fall due: one timer for the next record, and a limited number of records at a time. They
// are read from the store, so when a process dies the others carry on with its records.

import type { KeptRecord, Records } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Work } from "../work.ts"

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
  /** Records of one lane share a limit, so that a slow receiver does not hold up the others. */
  readonly lane: { readonly keyOf: (record: R) => string; readonly limit: number }
}

const mostAtOnce = 16
const pageSize = 50
/** The most pages that one search reads to get past the records of full lanes. */
const mostPages = 10
const retryMs = 5_000
const endOfTime = Number.MAX_SAFE_INTEGER

/** Makes a queue that works through the records of a kind when they fall due. */
export function createDueQueue<R extends DueRecord>(needs: DueQueueNeeds<R>): DueQueue {
  const { recordsName, records, runtime, advance, lane, background } = needs
  /** The lane of each record that is being worked on, by id. */
  const laneById = new Map<string, string>()
  /** Due records of full lanes, from the last search. Each begins when a record of its lane ends. */
  let parkedByLane = new Map<string, R[]>()
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

  const isFull = (recordLane: string): boolean => {
    let count = 0
    for (const busyLane of laneById.values()) if (busyLane === recordLane) count++
    return count >= lane.limit
  }

  const park = (recordLane: string, record: R): void => {
    const laneRecords = parkedByLane.get(recordLane)
    if (laneRecords === undefined) parkedByLane.set(recordLane, [record])
    else laneRecords.push(record)
  }

  const beginDue = async (): Promise<void> => {
    let lastRecord: R | undefined
    parkedByLane = new Map()
    for (let pageCount = 0; pageCount < mostPages; pageCount++) {
      const cursor = lastRecord === undefined ? {} : { after: lastRecord }
      const page = await records.list({ dueBefore: endOfTime, limit: pageSize, ...cursor })
      for (const record of page) {
        if (record.dueAt > runtime.now()) return arm(record.dueAt)
        if (isStopped || laneById.size >= mostAtOnce) return
        if (laneById.has(record.id)) continue
        const recordLane = lane.keyOf(record)
        if (isFull(recordLane)) park(recordLane, record)
        else begin(record)
      }
      lastRecord = page.at(-1)
      if (lastRecord === undefined || page.length < pageSize) return
    }
  }

  /**
   * Processes a record in the background, so that a slow one does not block the others, and then begins the next one.
   */
  const begin = (record: R): void => {
    laneById.set(record.id, lane.keyOf(record))
    background(`carrying out ${recordsName}`, () =>
      orLater(async () => {
        try {
          await advance(record)
        } finally {
          laneById.delete(record.id)
        }
        const nextRecord = isStopped ? undefined : parkedByLane.get(lane.keyOf(record))?.shift()
        if (nextRecord === undefined) arm(runtime.now())
        else begin(nextRecord)
      }),
    )
  }

  return {
    arm,
    isUnderWay: (id) => laneById.has(id),
    orLater,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
