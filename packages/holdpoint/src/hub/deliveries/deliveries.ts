// What a hub owes to its lasting outlets: planned with each question, carried out here where the outlet is, and told to
// the other processes by the trail. A hub without such outlets does nothing here.

import type { Delivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { isSettled } from "../../core/elicitation.ts"
import { HoldpointError } from "../../core/error.ts"
import type { Directory } from "../../ports/directory.ts"
import type { LastingOutlet, Outlet, OutletElsewhere } from "../../ports/outlet.ts"
import type { NewRecord } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Storage } from "../../ports/storage.ts"
import type { Entry, EntryDetail } from "../../ports/trail.ts"
import { outletEntry } from "../entries.ts"
import type { Step } from "../steps.ts"
import type { Report, Work } from "../work.ts"
import type { Courier } from "./courier.ts"
import { createCourier } from "./courier.ts"
import { deliveryKind, toDelivery } from "./kind.ts"
import type { EndIfNoneCan } from "./unsupported.ts"
import { createEndIfNoneCan } from "./unsupported.ts"

/** Milliseconds by the name of a lasting outlet: it shows the question only after this time. */
export type Delays = Readonly<Record<string, number>>

export interface PlanOptions {
  readonly delays?: Delays
  /** Of this one call. */
  readonly outlets?: readonly Outlet[]
}

/** Stored with the question: the deliveries, and what its first entry tells of them. */
export interface Plan {
  readonly beside: readonly NewRecord[]
  readonly detail: Pick<EntryDetail, "owed" | "here">
}

export interface Deliveries {
  /** Undefined when there is no lasting outlet. Throws when a delay is not of one. */
  plan(first: Elicitation, options: PlanOptions): Plan | undefined
  /** The same for a question that another process has asked: what it does not owe yet. Durable when it resolves. */
  add(joined: Elicitation, options: PlanOptions): Promise<void>
  /** A commit of this process or another. */
  follow(entry: Entry): void
  endIfNoneCan: EndIfNoneCan
  /** From now on these are owed to, and carried out where the outlet itself is given. */
  start(outlets: readonly (LastingOutlet | OutletElsewhere)[]): void
  sweep(): Promise<void>
  stop(): void
}

export interface DeliveriesNeeds extends Pick<Work, "background"> {
  /** Of this process, which keep no deliveries. */
  readonly outlets: readonly Outlet[]
  readonly storage: Pick<Storage, "store" | "trail" | "records">
  readonly directory: Directory
  readonly runtime: Runtime
  readonly step: Step
  readonly report: Report
}

/** For what a killed process left unsaid. Everything else is told by the trail, or due. */
const roundMs = 60 * 60 * 1_000

export function createDeliveries(needs: DeliveriesNeeds): Deliveries {
  const { storage, runtime, step, background } = needs
  const { store, trail } = storage
  const names: string[] = []
  const couriers = new Map<string, Courier>()
  let cancel: () => void = () => {}

  const recordsOf = (outlet: string) => storage.records(deliveryKind(outlet))
  const endIfNoneCan = createEndIfNoneCan({ trail, recordsOf, step })
  const sweep = async (): Promise<void> => {
    await Promise.all([...couriers.values()].map((courier) => courier.sweep()))
  }
  const goRound = (): void => {
    cancel = runtime.after(roundMs, goRound)
    background("looking after deliveries", sweep)
  }
  const owedBy = (question: Elicitation, since: number, delays: Delays = {}): readonly Delivery[] => {
    assertDelays(names, delays)
    return names.map((name) => toDelivery(question, name, since + (delays[name] ?? 0)))
  }

  return {
    plan(first, { delays, outlets = [] }) {
      const deliveries = owedBy(first, first.createdAt, delays)
      if (deliveries.length === 0) return undefined
      const beside = deliveries.map((record) => ({ kind: deliveryKind(record.outlet), record }))
      const owed = Object.fromEntries(deliveries.map(({ outlet, dueAt }) => [outlet, dueAt]))
      return { beside, detail: { owed, here: [...needs.outlets, ...outlets].map(({ name }) => name) } }
    },
    async add(joined, { delays }) {
      const now = runtime.now()
      const inserted = owedBy(joined, now, delays).map((delivery) => {
        const { outlet, dueAt } = delivery
        return recordsOf(outlet).insert(delivery, outletEntry(joined, "owed", { owed: { [outlet]: dueAt } }, now))
      })
      await Promise.all(inserted)
    },
    follow(entry) {
      if (couriers.size === 0) return
      for (const [outlet, at] of Object.entries(entry.detail.owed ?? {})) couriers.get(outlet)?.arm(at)
      const isOver = entry.revision !== undefined && entry.status !== undefined && isSettled(entry.status)
      if (isOver) for (const courier of couriers.values()) courier.settle(entry)
    },
    endIfNoneCan,
    start(outlets) {
      assertNames(outlets.map(({ name }) => name))
      const holder = runtime.newId()
      for (const outlet of outlets) {
        names.push(outlet.name)
        if ("isElsewhere" in outlet) continue
        const records = recordsOf(outlet.name)
        couriers.set(outlet.name, createCourier({ ...needs, outlet, records, store, holder, endIfNoneCan }))
      }
      if (couriers.size > 0) goRound()
    },
    sweep,
    stop() {
      cancel()
      for (const courier of couriers.values()) courier.stop()
    },
  }
}

function assertDelays(names: readonly string[], delays: Delays): void {
  for (const [name, delayMs] of Object.entries(delays)) {
    const isKnown = names.includes(name)
    if (isKnown && Number.isInteger(delayMs) && delayMs >= 0) continue
    const problem = isKnown ? "must be whole milliseconds, 0 or more" : "is not a lasting outlet of this hub"
    throw new HoldpointError("invalid_question", `delays.${name} ${problem}.`)
  }
}

function assertNames(names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const isFit = /^[\w.-]{1,64}$/.test(name)
    if (isFit && names.indexOf(name) === index) continue
    const problem = isFit ? "is used twice" : "must be 1 to 64 letters, digits, dots, dashes or underscores"
    throw new HoldpointError("invalid_config", `The name of a lasting outlet “${name}” ${problem}.`)
  }
}
