// The processes of the model test: each has its own clock, its own connection to the storage, and can fail in every way.

import { HoldpointError } from "../../../src/core/error.ts"
import { createDueWork, type DueWork } from "../../../src/due/due-work.ts"
import { createWork, type Work } from "../../../src/due/work.ts"
import type { Records } from "../../../src/ports/records.ts"
import type { Storage } from "../../../src/ports/storage.ts"
import type { ModelTime } from "./clock.ts"
import { createModelTime } from "./clock.ts"
import { type Parcel, type ParcelEvent, parcelKind, parcelRecords } from "./parcels.ts"
import { createReceivers, type ModelProcess, type Receivers, safeMs, type Treatment } from "./receivers.ts"

/** `lost`: a write does not take effect. `cut`: it does, although it is reported as failed. */
export type WriteFailure = "lost" | "cut"

export interface World {
  readonly time: ModelTime
  readonly receivers: Receivers
  /** Stores parcels, and announces them to the processes, if the announcement is not lost. */
  send(parcels: readonly NewParcel[], isAnnounced: boolean): Promise<void>
  crash(process: number): void
  close(process: number): Promise<void>
  start(process: number): void
  skew(process: number, aheadMs: number): void
  failWrites(process: number, failure: WriteFailure, count: number): void
  hurry(process: number, parcel: number): Promise<void>
  /** Ends all faults, waits until nothing is owed, and returns what went wrong. */
  end(): Promise<readonly string[]>
}

export interface NewParcel {
  readonly receiver: string
  /** Whether it has to arrive after the earlier parcels of its receiver. */
  readonly isOrdered: boolean
  readonly delayMs: number
  readonly script: readonly Treatment[]
}

interface RunningProcess extends ModelProcess {
  readonly due: DueWork<Parcel, ParcelEvent>
  readonly work: Work
  aheadMs: number
  failures: { readonly failure: WriteFailure; count: number }
}

/** Clocks that differ by less than this from the true time do no harm: leases are longer than attempts by twice this. */
const harmlessMs = 7_000

export function createWorld(storages: readonly Pick<Storage, "records">[], run: number): World {
  const time = createModelTime()
  const stores = storages.map((storage) => storage.records(parcelRecords))
  const [plain] = stores as [Records<Parcel>]
  const receivers = createReceivers(time, plain)
  const processes: (RunningProcess | undefined)[] = []
  const ids: string[] = []
  let started = 0
  const isFarOff = (process: RunningProcess | undefined): boolean => Math.abs(process?.aheadMs ?? 0) > harmlessMs

  const start = (index: number): void => {
    if (processes[index] !== undefined) return
    const fields = { name: `p${index}.${started++}`, isAlive: true, isStopped: false, aheadMs: 0 }
    const clock = { wasOff: false, wasSkewed: processes.some(isFarOff) }
    const self = {
      ...fields,
      ...clock,
      failures: { failure: "lost" as WriteFailure, count: 0 },
    } as unknown as RunningProcess
    const runtime = time.clockOf({ aheadMs: () => self.aheadMs, isAlive: () => self.isAlive })
    const work = createWork({ runtime, report: () => {} })
    const due = createDueWork<Parcel, ParcelEvent>({
      kind: parcelKind,
      records: failing(stores[index % stores.length] as Records<Parcel>, self),
      runtime,
      background: work.background,
      report: () => {},
      carryOut: async (parcel, { underLease }) => {
        await underLease(parcel, (leased, attempt) => receivers.carry(self, leased, attempt))
      },
    })
    Object.assign(self, { runtime, work, due })
    processes[index] = self
    due.arm(runtime.now())
  }

  /** The records as one process sees them: a dead process sees and changes nothing. */
  const failing = (records: Records<Parcel>, process: RunningProcess): Records<Parcel> => {
    const never = new Promise<never>(() => {})
    const call = async <T>(operation: () => Promise<T>, isWrite: boolean): Promise<T> => {
      if (!process.isAlive) return never
      const { failures } = process
      const isFailing = isWrite && failures.count > 0
      if (isFailing) failures.count -= 1
      const result = isFailing && failures.failure === "lost" ? undefined : await time.during(operation)
      if (!process.isAlive) return never
      if (isFailing) throw new HoldpointError("store_unavailable", "The connection was cut.")
      return result as T
    }
    return {
      insert: (first, entry) => call(() => records.insert(first, entry), true),
      replace: (next, entry) => call(() => records.replace(next, entry), true),
      remove: (last, entry) => call(() => records.remove(last, entry), true),
      get: (id) => call(() => records.get(id), false),
      list: (query) => call(() => records.list(query), false),
    }
  }

  const own = (): Promise<readonly (Parcel | undefined)[]> => Promise.all(ids.map((id) => plain.get(id)))

  /** What a process that has drained its work leaves behind: no lease, except of work that did not end. */
  const checkDrained = async (process: RunningProcess): Promise<void> => {
    for (const { id, number, treatment, state } of receivers.visits.filter((visit) => visit.process === process)) {
      const record = await plain.get(id)
      if (record?.lease?.number !== number || treatment === "deaf" || treatment === "slow") continue
      if (process.failures.count === 0 && !process.wasSkewed)
        receivers.violations.push(`${id}: ${process.name} left its lease (${state})`)
    }
  }

  const checkEnd = async (): Promise<void> => {
    for (const record of await own()) {
      if (record === undefined) continue
      const { id, state, by, attempts } = record
      const visits = receivers.visits.filter((visit) => visit.id === id)
      const accepted = visits.filter((visit) => visit.state === "accepted")
      if (state === "owed") receivers.violations.push(`${id} was forgotten`)
      if (state === "delivered" && accepted.every(({ number }) => number !== by))
        receivers.violations.push(`${id} was delivered by attempt ${by}, which was not accepted`)
      // A parcel arrives twice only if an attempt outlived its time, its process died, or clocks were wrong.
      const needless = accepted.filter(
        ({ number, process, treatment }) =>
          visits.some((other) => other.number > number) &&
          ![treatment === "deaf", !process.isAlive, visits.some((visit) => visit.process.wasSkewed)].some(Boolean),
      )
      for (const { number } of needless) receivers.violations.push(`${id} came again after attempt ${number}`)
      if (state === "given_up" && attempts <= parcelKind.delaysMs.length)
        receivers.violations.push(`${id} was given up too early`)
    }
  }

  return {
    time,
    receivers,
    async send(parcels, isAnnounced) {
      for (const { receiver, isOrdered, delayMs, script } of parcels) {
        const order = ids.length
        const id = `${receiver} ${run}/${String(order).padStart(3, "0")}`
        const dueAt = time.now() + delayMs
        ids.push(id)
        receivers.expect(id, script)
        const owner = isOrdered ? `${receiver} ${run}` : id
        const fields = { id, tenant: `acme${run}`, version: 1, receiver, owner, order } as const
        await plain.insert({ ...fields, state: "owed", attempts: 0, dueAt })
        if (isAnnounced) for (const process of processes) process?.due.arm(dueAt)
      }
    },
    crash(index) {
      const process = processes[index]
      if (process !== undefined) process.isAlive = false
      processes[index] = undefined
    },
    async close(index) {
      const process = processes[index]
      if (process === undefined) return
      processes[index] = undefined
      process.isStopped = true
      process.due.stop()
      process.work.close()
      let isDrained = false
      const draining = process.work.drain().then(() => {
        isDrained = true
      })
      // What ends after the time limit of draining ends with its process.
      for (let waited = 0; waited < 11_000 && !isDrained; waited += 1_000) await time.advance(1_000)
      if (!isDrained) receivers.violations.push(`${process.name} did not end`)
      await draining
      await checkDrained(process)
      process.isAlive = false
    },
    start,
    skew(index, aheadMs) {
      const process = processes[index]
      if (process === undefined) return
      process.aheadMs = aheadMs
      process.wasOff ||= aheadMs !== 0
      if (isFarOff(process)) for (const one of processes) if (one !== undefined) one.wasSkewed = true
    },
    failWrites(index, failure, count) {
      const process = processes[index]
      if (process !== undefined) process.failures = { failure, count }
    },
    async hurry(index, parcel) {
      const id = ids[parcel % Math.max(ids.length, 1)]
      if (id !== undefined) await processes[index]?.due.apply(id, { type: "hurry" }).catch(() => {})
    },
    async end() {
      for (const index of [0, 1]) {
        start(index)
        const process = processes[index] as RunningProcess
        process.aheadMs = 0
        process.failures = { failure: "lost", count: 0 }
      }
      const isOwed = async (): Promise<boolean> => (await own()).some((record) => record?.state === "owed")
      for (let waited = 0; waited < 60 * 60_000 && (await isOwed()); waited += 60_000) await time.advance(60_000)
      await time.advance(2 * safeMs)
      await checkEnd()
      for (const index of [0, 1]) this.crash(index)
      for (const id of ids) {
        const record = await plain.get(id)
        if (record !== undefined) await plain.remove(record)
      }
      return receivers.violations
    },
  }
}
