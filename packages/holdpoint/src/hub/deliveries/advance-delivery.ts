// Carries out one delivery: takes the lease, posts or withdraws the message, records the result. Another process may
// work on the same delivery at the same time, or may have died while working on it.

import type { AskedToWait, Delivery, DeliveryEvent, Receipt } from "../../core/delivery.ts"
import { isNotBegun, isUnposted, mostAttempts, transitionDelivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { isSettled } from "../../core/elicitation.ts"
import { isHoldpointError } from "../../core/error.ts"
import type { RungTime } from "../../core/ladder.ts"
import type { Audience, PrincipalId } from "../../core/principal.ts"
import { isExcluded } from "../../core/principal.ts"
import { textProblem } from "../../core/text.ts"
import { hasApproved } from "../../core/votes.ts"
import type { Directory, Reached } from "../../ports/directory.ts"
import type { Ladder } from "../../ports/ladder.ts"
import type { LastingOutlet, Prompt } from "../../ports/outlet.ts"
import type { Records } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Store } from "../../ports/store.ts"
import type { EntryDetail, NewEntry } from "../../ports/trail.ts"
import { outletEntry } from "../entries.ts"
import type { Report } from "../work.ts"
import { idAt, toAddressed } from "./kind.ts"
import { isOvertaken, laterMessage } from "./later-message.ts"
import type { MoveUp } from "./move-up.ts"
import { withTimeLimit } from "./time-limit.ts"
import type { EndIfNoneCan } from "./unsupported.ts"

export interface DeliveryNeeds {
  readonly outlet: LastingOutlet
  readonly records: Records<Delivery>
  readonly store: Pick<Store, "get">
  readonly directory: Directory
  readonly runtime: Runtime
  /** The id of this process in leases. */
  readonly holder: string
  readonly arm: (at: number) => void
  readonly endIfNoneCan: EndIfNoneCan
  /** Without a ladder, every outlet shows a question at once. */
  readonly ladder: Ladder | undefined
  readonly moveUp: MoveUp
  readonly report: Report
}

/** Takes the due step of one delivery: posts the message, or withdraws it when the question is settled. */
export async function advanceDelivery(needs: DeliveryNeeds, delivery: Delivery): Promise<void> {
  const question = await needs.store.get(delivery.elicitation)
  if (question === undefined || isSettled(question.status)) return endDelivery(needs, delivery, question)
  if (delivery.state !== "owed") {
    await change(needs, delivery, { type: "rest", endsAt: question.expiresAt })
    return
  }
  // The person may have changed their ladder since the delivery was planned.
  const time = await timeOf(needs, delivery, question)
  if (time !== undefined && "at" in time && time.at > needs.runtime.now()) {
    await change(needs, delivery, { type: "reschedule", dueAt: time.at })
    return
  }
  const leased = await change(needs, delivery, { type: "take", holder: needs.holder })
  if (leased === undefined) return
  try {
    if (isOvertaken(leased, question)) await skip(needs, leased, { question, why: "a later reminder takes its place" })
    else if (time !== undefined && "never" in time) await skip(needs, leased, { question, why: time.never })
    else if (leased.address === undefined) await spreadToAddresses(needs, leased, question)
    else await post(needs, leased, question)
  } catch (error) {
    // A service that asks to wait has not failed; the trail says when the next attempt is due.
    if (askedToWait(error).isUncounted !== true) needs.report(`showing a question in “${needs.outlet.name}”`, error)
    await noteFailure(needs, leased, { question, error })
    await needs.moveUp(question)
  }
}

/**
 * When the person's ladder lets the first attempt begin. Undefined for later attempts and for hubs without a ladder.
 */
async function timeOf(
  { ladder, runtime, outlet }: DeliveryNeeds,
  delivery: Delivery,
  question: Elicitation,
): Promise<RungTime | undefined> {
  const { person, movedUp } = delivery
  if (ladder === undefined || person === undefined || !isNotBegun(delivery)) return undefined
  const from = movedUp === true ? { from: runtime.now() } : {}
  return ladder.timeOf(countedFrom(question, delivery), { outlet: outlet.name, person, ...from })
}

/** The question with the time at which the people of this delivery were asked, where their ladder begins. */
export const countedFrom = (question: Elicitation, { since, reminder }: Delivery): Elicitation =>
  since === undefined || reminder !== undefined ? question : { ...question, createdAt: since }

/** Withdraws the message of a settled question, if one was or may have been posted, and removes the delivery. */
export async function endDelivery(
  needs: DeliveryNeeds,
  delivery: Delivery,
  settled: Elicitation | undefined,
): Promise<void> {
  const { outlet, records, holder, report } = needs
  if (isUnposted(delivery)) {
    await records.remove(delivery)
    return
  }
  const leased = await change(needs, delivery, { type: "withdraw", holder })
  if (leased === undefined) return
  try {
    if (settled === undefined) throw new Error("The question was removed by retention; its message stays.")
    await withTimeLimit(needs.runtime, async (signal) => {
      const prompt = promptOf(leased, signal)
      const receipt = leased.receipt ?? (await outlet.find(prompt, settled))
      if (receipt !== undefined) await outlet.withdraw(settled, { ...prompt, receipt })
    })
    await records.remove(leased)
  } catch (error) {
    const wait = askedToWait(error)
    if (wait.isUncounted !== true) report(`withdrawing a question from “${outlet.name}”`, error)
    const isLast = settled === undefined || (leased.attempts >= mostAttempts && wait.isUncounted !== true)
    if (isLast) await records.remove(leased)
    else await change(needs, leased, { type: "fail", holder, endsAt: 0, ...wait })
  }
}

/** Creates one delivery per address. Idempotent: the id of each delivery is derived from its address. */
async function spreadToAddresses(needs: DeliveryNeeds, first: Delivery, question: Elicitation): Promise<void> {
  const { outlet, records, directory, runtime, holder } = needs
  const audiences = audiencesOf(first, question)
  const lookups = audiences.map((audience) => directory.find(outlet.addressKind, audience))
  const reached = (await withTimeLimit(runtime, () => Promise.all(lookups))).flat()
  const isFirst = first.reminder === undefined
  if (reached.length === 0 && isFirst)
    return giveUp(needs, first, { question, why: `no ${outlet.addressKind} address is known` })
  const asked = reached.filter(({ person }) => !isExcluded(question, person) && !hasApproved(question, person))
  const now = runtime.now()
  const sources = await Promise.all(asked.map((one) => sourceFor(needs, first, { question, one })))
  const times = await Promise.all(
    asked.map(({ person }, index) => timeFor(needs, sources[index], { question, person })),
  )
  const turnedOff = times.find((time) => "never" in time)
  if (turnedOff !== undefined && isFirst && times.every((time) => "never" in time))
    return giveUp(needs, first, { question, why: turnedOff.never })
  await Promise.all(
    asked.map((one, index) => {
      const [time, from] = [times[index], sources[index]]
      if (time === undefined || from === undefined || "never" in time) return undefined
      const dueAt = Math.max(now, time.at)
      // Announced, so that every process with the outlet knows when to look.
      const announcement =
        dueAt > now ? outletEntry(question, "owed", { owed: { [outlet.name]: dueAt } }, now) : undefined
      return records.insert({ ...toAddressed(from, one, { now, dueAt }), ...movedUpOf(time) }, announcement)
    }),
  )
  await change(needs, first, { type: "spread", holder, endsAt: question.expiresAt })
  needs.arm(now)
  await needs.moveUp(question)
}

/** Returns the delivery to copy for this person. Undefined when this person gets no reminder this time. */
async function sourceFor(
  { records, runtime }: DeliveryNeeds,
  delivery: Delivery,
  { question, one }: { readonly question: Elicitation; readonly one: Reached },
): Promise<Delivery | undefined> {
  if (delivery.reminder === undefined) return delivery
  const { reminder: _, ...unnumbered } = delivery
  const firstDelivery = await records.get(idAt(unnumbered, one.address))
  const { type } = laterMessage(question, firstDelivery, runtime.now())
  return type === "none" ? undefined : type === "first" ? unnumbered : delivery
}

/** When the outlet notifies one person. A reminder comes after its rung's time, so its quiet hours count from now. */
async function timeFor(
  { ladder, outlet, runtime }: DeliveryNeeds,
  from: Delivery | undefined,
  { question, person }: { readonly question: Elicitation; readonly person: PrincipalId },
): Promise<RungTime & { readonly isLater?: true }> {
  const now = runtime.now()
  if (from === undefined || ladder === undefined) return { at: now }
  const recipient = { outlet: outlet.name, person }
  const own = await ladder.timeOf(countedFrom(question, from), recipient)
  if (from.reminder === undefined || "never" in own) return own
  return { ...(await ladder.timeOf(question, { ...recipient, from: now })), isLater: true }
}

const movedUpOf = ({ isLater }: { readonly isLater?: true }): Pick<Delivery, "movedUp"> =>
  isLater === true ? { movedUp: true } : {}

/** The audiences of this delivery. Reminders go to all people who may answer by now. */
function audiencesOf(
  { reminder, role }: Delivery,
  { audience, tenant, escalatedTo }: Elicitation,
): readonly Audience[] {
  const toRole = (name: string): Audience => ({ kind: "role", tenant, role: name })
  if (role !== undefined) return [toRole(role)]
  return reminder === undefined || escalatedTo === undefined ? [audience] : [audience, toRole(escalatedTo)]
}

async function post(needs: DeliveryNeeds, leased: Delivery, question: Elicitation): Promise<void> {
  const { outlet, runtime, store, holder } = needs
  const posted = await withTimeLimit(runtime, async (signal) => {
    const prompt = promptOf(leased, signal)
    // A process that died during an earlier attempt may have posted the message.
    const receipt = leased.attempts > 1 ? await outlet.find(prompt, question) : undefined
    return receipt === undefined ? outlet.post(question, prompt) : ({ state: "shown", receipt } as const)
  })
  if (posted.state === "unable") return giveUp(needs, leased, { question, why: posted.why })
  const { receipt } = posted
  const event = { type: "show", holder, endsAt: question.expiresAt, receipt } as const
  const shownDelivery = await change(needs, leased, event, () => entryOf(needs, question, "shown", {}))
  if (shownDelivery === undefined) return withdrawDuplicate(needs, { taken: leased, question, receipt })
  // The question may have been settled while it was being posted: processes that noticed left the withdrawal to the
  // holder of the lease.
  const current = await store.get(question.id)
  if (current === undefined || isSettled(current.status)) await endDelivery(needs, shownDelivery, current)
}

/** Withdraws a duplicate message: the lease expired while this process posted, and another process took over. */
async function withdrawDuplicate(
  { outlet, records, runtime }: DeliveryNeeds,
  {
    taken: leased,
    question,
    receipt,
  }: { readonly taken: Delivery; readonly question: Elicitation; readonly receipt: Receipt },
): Promise<void> {
  const current = await records.get(leased.id)
  // The other process is still posting, and may find this message and keep it.
  if (current !== undefined && current.receipt === undefined) return
  if (current?.receipt !== undefined && isSame(current.receipt, receipt)) return
  await withTimeLimit(runtime, (signal) => outlet.withdraw(question, { ...promptOf(leased, signal), receipt }))
}

async function giveUp(
  needs: DeliveryNeeds,
  leased: Delivery,
  { question, why }: { readonly question: Elicitation; readonly why: string },
): Promise<void> {
  const message = textProblem(why, 500) === undefined ? { message: why } : {}
  const event = { type: "unable", holder: needs.holder, endsAt: question.expiresAt } as const
  const tell = () => entryOf(needs, question, "not_shown", { code: "unable", ...message })
  if ((await change(needs, leased, event, tell)) === undefined) return
  await needs.endIfNoneCan(question)
  await needs.moveUp(question)
}

/**
 * Ends a delivery that the person does not want, or that a later reminder replaces. Does not end the question, even
 * when no other outlet shows it: a person who turns messages off has not answered.
 */
async function skip(
  needs: DeliveryNeeds,
  leased: Delivery,
  { question, why }: { readonly question: Elicitation; readonly why: string },
): Promise<void> {
  const event = { type: "unable", holder: needs.holder, endsAt: question.expiresAt } as const
  const tell = () => entryOf(needs, question, "not_shown", { code: "unable", message: why })
  if ((await change(needs, leased, event, tell)) !== undefined) await needs.moveUp(question)
}

async function noteFailure(
  needs: DeliveryNeeds,
  leased: Delivery,
  { question, error }: { readonly question: Elicitation; readonly error: unknown },
): Promise<void> {
  const event = { type: "fail", holder: needs.holder, endsAt: question.expiresAt, ...askedToWait(error) } as const
  await change(needs, leased, event, ({ state, dueAt, outlet }) =>
    entryOf(needs, question, "not_shown", {
      code: state === "abandoned" ? "delivery_abandoned" : "delivery_failed",
      ...(state === "abandoned" ? {} : { owed: { [outlet]: dueAt } }),
    }),
  )
}

/**
 * The wait that the outlet's service asked for. With `too_often`, the service did nothing: the attempt does not count.
 */
function askedToWait(error: unknown): AskedToWait {
  if (!isHoldpointError(error) || error.retryAfterMs === undefined) return {}
  return { retryAfterMs: error.retryAfterMs, isUncounted: error.code === "too_often" }
}

/**
 * Applies an event to the delivery. Returns undefined when this process does not hold the lease, or the delivery was
 * removed.
 */
async function change(
  { records, runtime, arm }: DeliveryNeeds,
  delivery: Delivery,
  event: DeliveryEvent,
  toEntry?: (next: Delivery) => NewEntry,
): Promise<Delivery | undefined> {
  for (let current: Delivery | undefined = delivery; current !== undefined; current = await records.get(delivery.id)) {
    const judgement = transitionDelivery(current, event, runtime.now())
    if (!judgement.ok) {
      arm(current.dueAt)
      return undefined
    }
    if (await records.replace(judgement.next, toEntry?.(judgement.next))) {
      arm(judgement.next.dueAt)
      return judgement.next
    }
  }
  return undefined
}

function entryOf(
  needs: DeliveryNeeds,
  question: Elicitation,
  kind: "shown" | "not_shown",
  detail: EntryDetail,
): NewEntry {
  return outletEntry(question, kind, { via: needs.outlet.name, ...detail }, needs.runtime.now())
}

const promptOf = (
  { id, elicitation, outlet, address = "", person, reminder }: Delivery,
  signal: AbortSignal,
): Prompt => ({
  ...{ id, address, signal },
  ...(person === undefined ? {} : { person }),
  ...(reminder === undefined ? {} : { reminderOf: idAt({ elicitation, outlet }, address) }),
})

const isSame = (a: Receipt, b: Receipt): boolean => {
  const names = Object.keys({ ...a, ...b })
  return names.every((name) => a[name] === b[name])
}
