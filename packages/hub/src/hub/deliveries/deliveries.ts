// The deliveries of a hub to its lasting outlets: stored together with each question, carried out by the processes that
// run the outlet, announced to other processes by the trail. Does nothing in a hub without lasting outlets.

import type { Delivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { isSettled } from "../../core/elicitation.ts"
import { HoldpointError } from "../../core/error.ts"
import type { Principal } from "../../core/principal.ts"
import type { Report, Work } from "../../due/work.ts"
import type { Directory } from "../../ports/directory.ts"
import type { Ladder } from "../../ports/ladder.ts"
import type { LastingOutlet, Outlet, OutletElsewhere } from "../../ports/outlet.ts"
import type { NewRecord } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Storage } from "../../ports/storage.ts"
import type { Entry, EntryDetail } from "../../ports/trail.ts"
import { readTrail } from "../effects.ts"
import type { Step } from "../steps.ts"
import { outletEntry } from "../trail-entries.ts"
import type { DeliveryQueue } from "./delivery-queue.ts"
import { createDeliveryQueue } from "./delivery-queue.ts"
import type { DeliveryOccasion } from "./delivery-records.ts"
import { deliveryKind, toDelivery, toLaterDelivery } from "./delivery-records.ts"
import type { EndIfUnsupported } from "./end-unsupported.ts"
import { createEndIfUnsupported } from "./end-unsupported.ts"
import type { MoveUp } from "./move-up.ts"
import { createMoveUp } from "./move-up.ts"
import { reschedule } from "./reschedule.ts"

/** Delays in milliseconds, by the name of a lasting outlet. The outlet shows the question only after its delay. */
export type Delays = Readonly<Record<string, number>>

export interface PlanOptions {
  readonly delays?: Delays
  /** The additional outlets of this call. */
  readonly outlets?: readonly Outlet[]
}

/** What is stored together with the question: its deliveries, and their details in its first trail entry. */
export interface Plan {
  readonly beside: readonly NewRecord[]
  readonly detail: Pick<EntryDetail, "owed" | "here">
}

export interface Deliveries {
  /**
   * Plans the deliveries of a new question. Returns undefined when the hub has no lasting outlet; throws when a delay
   * names an unknown outlet or is not a valid number.
   */
  plan(question: Elicitation, options: PlanOptions): Plan | undefined
  /** Adds the deliveries that are missing from a question which another process asked. Durable when it resolves. */
  add(question: Elicitation, options: PlanOptions): Promise<void>
  /** Delivers an open question once more. Durable when it resolves. Does nothing when this delivery exists already. */
  deliverAgain(question: Elicitation, occasion: DeliveryOccasion): Promise<void>
  /** Reacts to a trail entry committed by this or another process. */
  follow(entry: Entry): void
  endIfUnsupported: EndIfUnsupported
  moveUp: MoveUp
  /** Whether the hub has a ladder and lasting outlets. */
  hasLadder(): boolean
  /** Applies the person's changed ladder to the messages that were not sent yet. */
  reschedule(person: Principal): Promise<void>
  /**
   * Starts delivering to these outlets. This process carries out the deliveries of its own lasting outlets, and not of
   * the outlets that run elsewhere.
   */
  start(outlets: readonly (LastingOutlet | OutletElsewhere)[]): void
  sweep(): Promise<void>
  stop(): void
}

export interface DeliveriesNeeds extends Pick<Work, "background"> {
  /** The outlets of this process that have no stored deliveries. */
  readonly outlets: readonly Outlet[]
  readonly storage: Pick<Storage, "store" | "trail" | "records">
  readonly directory: Directory
  readonly ladder: Ladder | undefined
  readonly runtime: Runtime
  readonly step: Step
  readonly report: Report
}

/**
 * The interval of a full sweep, which finds deliveries that a killed process did not announce. All others are announced
 * by the trail or have a due time.
 */
const fullSweepMs = 60 * 60 * 1_000

export function createDeliveries(needs: DeliveriesNeeds): Deliveries {
  const { storage, ladder, runtime, step, background } = needs
  const { store, trail } = storage
  const names: string[] = []
  const queues = new Map<string, DeliveryQueue>()
  let cancel: () => void = () => {}

  const recordsOf = (outlet: string) => storage.records(deliveryKind(outlet))
  const endIfUnsupported = createEndIfUnsupported({ trail, recordsOf, step })
  const moveUp = createMoveUp({ ladder, trail, recordsOf, runtime })
  const sweep = async (): Promise<void> => {
    await Promise.all([...queues.values()].map((queue) => queue.sweep()))
  }
  const sweepRegularly = (): void => {
    cancel = runtime.after(fullSweepMs, sweepRegularly)
    background("looking after deliveries", sweep)
  }
  const deliveriesOf = (question: Elicitation, askedAt: number, delays: Delays = {}): readonly Delivery[] => {
    assertDelays(names, delays)
    return names.map((name) => toDelivery(question, name, askedAt + (delays[name] ?? 0)))
  }

  const insertAll = async (question: Elicitation, deliveries: readonly Delivery[]): Promise<void> => {
    const inserted = deliveries.map((delivery) => {
      const { outlet, dueAt } = delivery
      const detail = { owed: { [outlet]: dueAt } }
      return recordsOf(outlet).insert(delivery, outletEntry(question, "owed", detail, runtime.now()))
    })
    await Promise.all(inserted)
  }

  return {
    plan(question, { delays, outlets = [] }) {
      const deliveries = deliveriesOf(question, question.createdAt, delays)
      if (deliveries.length === 0) return undefined
      const beside = deliveries.map((record) => ({ kind: deliveryKind(record.outlet), record }))
      const owed = Object.fromEntries(deliveries.map(({ outlet, dueAt }) => [outlet, dueAt]))
      return { beside, detail: { owed, here: [...needs.outlets, ...outlets].map(({ name }) => name) } }
    },
    async add(question, { delays }) {
      await insertAll(question, deliveriesOf(question, runtime.now(), delays))
    },
    async deliverAgain(question, occasion) {
      const now = runtime.now()
      const delays = delaysOf(await readTrail(trail, question.id), question.createdAt)
      // An outlet whose delay is not over, so that its first message is not due yet, sends no reminder.
      const sinceAskedMs = "role" in occasion ? Infinity : occasion.reminder * (question.remindEveryMs ?? 0)
      const dueDelays = [...delays].filter(([, delayMs]) => delayMs < sinceAskedMs)
      const deliveries = dueDelays.map(([name, delayMs]) => {
        const delivery = toLaterDelivery(question, name, { occasion, now })
        return "role" in occasion ? { ...delivery, dueAt: now + delayMs } : delivery
      })
      await insertAll(question, deliveries)
    },
    follow(entry) {
      if (queues.size === 0) return
      for (const [outlet, dueAt] of Object.entries(entry.detail.owed ?? {})) queues.get(outlet)?.arm(dueAt)
      const hasEnded = entry.revision !== undefined && entry.status !== undefined && isSettled(entry.status)
      if (hasEnded) for (const queue of queues.values()) queue.settle(entry)
    },
    endIfUnsupported,
    moveUp,
    hasLadder: () => ladder !== undefined && names.length > 0,
    reschedule: (person) => reschedule({ ladder, store, recordsOf, outlets: names, runtime }, person),
    start(outlets) {
      assertNames(outlets.map(({ name }) => name))
      for (const outlet of outlets) {
        names.push(outlet.name)
        if ("isElsewhere" in outlet) continue
        const records = recordsOf(outlet.name)
        queues.set(outlet.name, createDeliveryQueue({ ...needs, outlet, records, store, endIfUnsupported, moveUp }))
      }
      if (queues.size > 0) sweepRegularly()
    },
    sweep,
    stop() {
      cancel()
      for (const queue of queues.values()) queue.stop()
    },
  }
}

/** Reads from the trail which lasting outlets have to show the question, and the delay of each in milliseconds. */
function delaysOf(entries: readonly Entry[], createdAt: number): ReadonlyMap<string, number> {
  const delays = new Map<string, number>()
  for (const { detail } of entries)
    for (const [name, dueAt] of Object.entries(detail.owed ?? {}))
      if (!delays.has(name)) delays.set(name, dueAt - createdAt)
  return delays
}

function assertDelays(names: readonly string[], delays: Delays): void {
  for (const [name, delayMs] of Object.entries(delays)) {
    const isKnown = names.includes(name)
    if (isKnown && Number.isInteger(delayMs) && delayMs >= 0) continue
    const problem = isKnown
      ? "must be a whole number of milliseconds, 0 or more"
      : "is not a lasting outlet of this hub"
    throw new HoldpointError("invalid_question", `delays.${name} ${problem}.`)
  }
}

function assertNames(names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const isValidName = /^[\w.-]{1,64}$/.test(name)
    if (isValidName && names.indexOf(name) === index) continue
    const problem = isValidName ? "is used twice" : "must be 1 to 64 letters, digits, dots, dashes or underscores"
    throw new HoldpointError("invalid_config", `The name of a lasting outlet “${name}” ${problem}.`)
  }
}
