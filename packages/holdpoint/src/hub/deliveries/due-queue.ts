// Works through records that fall due: one timer for the next one, a limited number at a time. They are read from the
// store, so when a process dies the others carry on with its records.

import type { KeptRecord, Records } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Work } from "../work.ts"

/** A queue of due records, of which each process has one. Made by `createDueQueue`. */
export interface DueQueue {
  /** Makes the timer fire at this time at the latest, because a record is due then. */
  arm(at: number): void
  isUnderWay(id: string): boolean
  /** Runs the work, and looks again soon when it fails: a short database outage must not stop the queue. */
  orLater(work: () => Promise<void>): Promise<void>
  stop(): void
}

type DueRecord = KeptRecord & { readonly dueAt: number }

export interface DueQueueNeeds<R extends DueRecord> extends Pick<Work, "background"> {
  /** What the records are, for reports of failures. */
  readonly what: string
  readonly records: Pick<Records<R>, "list">
  readonly runtime: Runtime
  /** Does what is due for one record. Another process may do the same: the record's lease decides. */
  readonly advance: (record: R) => Promise<void>
  /** Records of one lane share a limit, so that a slow receiver does not hold up the others. */
  readonly lane: { readonly of: (record: R) => string; readonly most: number }
}

const mostAtOnce = 16
const pageSize = 50
/** How far a look goes past the records of full lanes. */
const mostPages = 10
const retryMs = 5_000
const endOfTime = Number.MAX_SAFE_INTEGER

/** Makes a queue that works through the records of a kind when they fall due. */
export function createDueQueue<R extends DueRecord>(needs: DueQueueNeeds<R>): DueQueue {
  const { what, records, runtime, advance, lane, background } = needs
  /** The lane of each record that is being worked on, by id. */
  const underWay = new Map<string, string>()
  /** Due records of full lanes, as the last look found them. They begin without another look. */
  let parked = new Map<string, R[]>()
  let armedFor = Number.POSITIVE_INFINITY
  let cancel: () => void = () => {}
  let isStopped = false

  const arm = (at: number): void => {
    if (isStopped || at >= armedFor) return
    cancel()
    armedFor = at
    cancel = runtime.after(Math.max(0, at - runtime.now()), () => {
      armedFor = Number.POSITIVE_INFINITY
      background(`looking for ${what}`, () => orLater(look))
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

  const isFull = (wanted: string): boolean => {
    let count = 0
    for (const busyLane of underWay.values()) if (busyLane === wanted) count++
    return count >= lane.most
  }

  const park = (own: string, record: R): void => {
    const others = parked.get(own)
    if (others === undefined) parked.set(own, [record])
    else others.push(record)
  }

  const look = async (): Promise<void> => {
    let after: R | undefined
    parked = new Map()
    for (let pages = 0; pages < mostPages; pages++) {
      const cursor = after === undefined ? {} : { after }
      const page = await records.list({ dueBefore: endOfTime, limit: pageSize, ...cursor })
      for (const record of page) {
        if (record.dueAt > runtime.now()) return arm(record.dueAt)
        if (isStopped || underWay.size >= mostAtOnce) return
        if (underWay.has(record.id)) continue
        const own = lane.of(record)
        if (isFull(own)) park(own, record)
        else begin(record)
      }
      after = page.at(-1)
      if (after === undefined || page.length < pageSize) return
    }
  }

  /** Runs in the background, so that a slow record does not block the others. Looks for more when it has finished. */
  const begin = (record: R): void => {
    underWay.set(record.id, lane.of(record))
    background(`carrying out ${what}`, () =>
      orLater(async () => {
        try {
          await advance(record)
        } finally {
          underWay.delete(record.id)
        }
        const next = isStopped ? undefined : parked.get(lane.of(record))?.shift()
        if (next === undefined) arm(runtime.now())
        else begin(next)
      }),
    )
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
