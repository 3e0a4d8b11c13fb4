// The receivers of the model test: they take parcels as the script of each parcel says, and check each attempt.

import type { Attempt } from "../../../src/due/attempts.ts"
import type { Records } from "../../../src/ports/records.ts"
import type { Runtime } from "../../../src/ports/runtime.ts"
import type { ModelTime } from "./clock.ts"
import { mostOfReceiver, type Parcel, type ParcelEvent } from "./parcels.ts"

/**
 * How a receiver treats one attempt. `slow`: accepts after 30 s. `deaf`: accepts after 90 s, although the attempt was
 * ended by then. `stuck`: answers nothing until the attempt is ended. `busy`: refuses, and the attempt does not count.
 */
export const treatments = ["accept", "fail", "slow", "deaf", "stuck", "busy"] as const
export type Treatment = (typeof treatments)[number]

export interface Visit {
  readonly id: string
  readonly process: ModelProcess
  readonly number: number
  readonly at: number
  readonly treatment: Treatment
  state: "under_way" | "accepted" | "failed" | "ended"
}

/** What the receivers know of a process. */
export interface ModelProcess {
  readonly name: string
  readonly runtime: Runtime
  isAlive: boolean
  /** Whether it begins nothing any more. */
  isStopped: boolean
  /** Whether its clock has ever differed from the true time. */
  wasOff: boolean
  /** Whether its clock has differed by more than attempts allow. */
  wasSkewed: boolean
}

export interface Receivers {
  readonly visits: readonly Visit[]
  readonly violations: string[]
  expect(id: string, script: readonly Treatment[]): void
  carry(process: ModelProcess, parcel: Parcel, attempt: Attempt<Parcel, ParcelEvent>): Promise<void>
}

/** An attempt that ends within this time ends before another process may take the parcel over. */
export const safeMs = 45_000
/** Where no clock was ever wrong, this long: the lease, but for the moment in which it was taken. */
const exactMs = 59_900

export function createReceivers(time: ModelTime, records: Pick<Records<Parcel>, "list" | "get">): Receivers {
  const visits: Visit[] = []
  const violations: string[] = []
  const scripts = new Map<string, Treatment[]>()
  const isUnderWay = ({ process, state }: Visit): boolean => process.isAlive && state === "under_way"
  const visitsOf = (id: string): readonly Visit[] => visits.filter((visit) => visit.id === id)

  const checkBeginning = async ({ id, receiver, owner, order, tenant }: Parcel, visit: Visit): Promise<void> => {
    const { process, number } = visit
    const earlier = visitsOf(id)
    const name = `${id} (${process.name}, attempt ${number})`
    const overlapping = earlier.find((other) => {
      const both = [process, other.process]
      const limitMs = both.some(({ wasOff }) => wasOff) ? safeMs : exactMs
      return isUnderWay(other) && time.now() - other.at < limitMs && !both.some(({ wasSkewed }) => wasSkewed)
    })
    if (process.isStopped) violations.push(`${name} began after its process was stopped`)
    if (overlapping !== undefined) violations.push(`${name} began beside attempt ${overlapping.number}`)
    if (earlier.some((other) => other.number >= number)) violations.push(`${name} has no new number`)
    const ofProcess = visits.filter((other) => other.process === process && isUnderWay(other) && isFresh(other))
    if (ofProcess.length >= 16) violations.push(`${name} is the seventeenth at a time`)
    const ofReceiver = ofProcess.filter((other) => scripts.has(other.id) && receiverOf(other.id) === receiver)
    if (ofReceiver.length >= mostOfReceiver) violations.push(`${name} is one too many for its receiver`)
    const siblings = await time.during(() => records.list({ tenant, owner, limit: 200 }))
    const before = siblings.find((other) => other.order < order && other.state === "owed")
    if (before !== undefined) violations.push(`${name} came before ${before.id}`)
  }
  /** Attempts that have outlived their time are given up by their process, which has a new place then. */
  const isFresh = ({ at }: Visit): boolean => time.now() - at < safeMs
  const receiverOf = (id: string): string => id.slice(0, id.indexOf(" "))

  return {
    visits,
    violations,
    expect: (id, script) => void scripts.set(id, [...script]),
    async carry(process, parcel, attempt) {
      const { id } = parcel
      const treatment = scripts.get(id)?.shift() ?? "accept"
      const visit: Visit = { id, process, number: attempt.number, at: time.now(), treatment, state: "under_way" }
      const checking = checkBeginning(parcel, visit)
      visits.push(visit)
      await checking
      const wait = (ms: number): Promise<void> => new Promise((resolve) => void process.runtime.after(ms, resolve))
      switch (treatment) {
        case "fail":
          visit.state = "failed"
          throw new Error("The receiver failed.")
        case "busy":
          visit.state = "failed"
          await attempt.fail({ isUncounted: true, retryAfterMs: 3_000 })
          return
        case "stuck":
          await new Promise((_, reject) =>
            attempt.signal.addEventListener("abort", () => {
              visit.state = "ended"
              reject(attempt.signal.reason)
            }),
          )
          return
        case "slow":
          await wait(30_000)
          break
        case "deaf":
          await wait(90_000)
      }
      visit.state = "accepted"
      const delivered = await attempt.end({ type: "deliver", by: attempt.number })
      const last = Math.max(...visitsOf(id).map(({ number }) => number))
      if (delivered !== undefined && last > attempt.number)
        violations.push(`${id}: the result of attempt ${attempt.number} was written after attempt ${last} began`)
      const stored = delivered === undefined ? await time.during(() => records.get(id)) : undefined
      if (stored?.by === attempt.number) violations.push(`${id}: attempt ${attempt.number} learned of no result`)
    },
  }
}
