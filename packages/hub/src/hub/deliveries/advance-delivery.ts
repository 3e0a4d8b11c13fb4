// Carries out one delivery: takes the lease, posts or withdraws the message, records the result. Another process may
// work on the same delivery at the same time, or may have died while working on it.

import type { Delivery, DeliveryEvent, Receipt, RetryTerms } from "../../core/delivery.ts"
import { isNotBegun, isUnposted, mostAttempts, transitionDelivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { isSettled } from "../../core/elicitation.ts"
import { isHoldpointError } from "../../core/error.ts"
import type { RungTime } from "../../core/ladder.ts"
import type { Audience, PrincipalId } from "../../core/principal.ts"
import { isExcluded } from "../../core/principal.ts"
import { textProblem } from "../../core/text.ts"
import { hasApproved } from "../../core/votes.ts"
import type { Report } from "../../due/work.ts"
import type { Directory, Reached } from "../../ports/directory.ts"
import type { Ladder } from "../../ports/ladder.ts"
import type { LastingOutlet, Prompt } from "../../ports/outlet.ts"
import type { Records } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Store } from "../../ports/store.ts"
import type { EntryDetail, NewEntry } from "../../ports/trail.ts"
import { outletEntry } from "../trail-entries.ts"
import { idAt, toAddressed } from "./delivery-records.ts"
import type { EndIfUnsupported } from "./end-unsupported.ts"
import { isOvertaken, laterMessage } from "./later-message.ts"
import type { MoveUp } from "./move-up.ts"
import { withTimeLimit } from "./time-limit.ts"

export interface DeliveryNeeds {
  readonly outlet: LastingOutlet
  readonly records: Records<Delivery>
  readonly store: Pick<Store, "get">
  readonly directory: Directory
  readonly runtime: Runtime
  /** The id of this process in leases. */
  readonly holder: string
  readonly arm: (time: number) => void
  readonly endIfUnsupported: EndIfUnsupported
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
    if (isOvertaken(leased, question))
      await skip(needs, leased, { question, reason: "a later reminder takes its place" })
    else if (time !== undefined && "neverReason" in time)
      await skip(needs, leased, { question, reason: time.neverReason })
    else if (leased.address === undefined) await spreadToAddresses(needs, leased, question)
    else await post(needs, leased, question)
  } catch (error) {
    // Not reported when the service only asked to wait: the trail says when the next attempt is due.
    if (retryTermsOf(error).isUncounted !== true) needs.report(`showing a question in “${needs.outlet.name}”`, error)
    await noteFailure(needs, leased, { question, error })
    await needs.moveUp(question)
  }
}

/**
 * When the person's ladder lets the first attempt begin. Undefined for later attempts, for hubs without a ladder, and
 * for deliveries whose addresses were not looked up yet.
 */
async function timeOf(
  { ladder, runtime, outlet }: DeliveryNeeds,
  delivery: Delivery,
  question: Elicitation,
): Promise<RungTime | undefined> {
  const { person, movedUp } = delivery
  if (ladder === undefined || person === undefined || !isNotBegun(delivery)) return undefined
  const startsAt = movedUp === true ? { startsAt: runtime.now() } : {}
  return ladder.timeOf(withAskingTime(question, delivery), { outlet: outlet.name, person, ...startsAt })
}

/** Returns the question as if it was created when this delivery's people were asked: their ladder begins then. */
export const withAskingTime = (question: Elicitation, { since, reminder }: Delivery): Elicitation =>
  since === undefined || reminder !== undefined ? question : { ...question, createdAt: since }

/** Withdraws the message of a settled question, if one was or may have been posted, and removes the delivery. */
export async function endDelivery(
  needs: DeliveryNeeds,
  delivery: Delivery,
  question: Elicitation | undefined,
): Promise<void> {
  const { outlet, records, holder, report } = needs
  if (isUnposted(delivery)) {
    await records.remove(delivery)
    return
  }
  const leased = await change(needs, delivery, { type: "withdraw", holder })
  if (leased === undefined) return
  try {
    if (question === undefined) throw new Error("The question was removed by retention; its message stays.")
    await withTimeLimit(needs.runtime, async (signal) => {
      const prompt = promptOf(leased, signal)
      const receipt = leased.receipt ?? (await outlet.find(prompt, question))
      if (receipt !== undefined) await outlet.withdraw(question, { ...prompt, receipt })
    })
    await records.remove(leased)
  } catch (error) {
    const retryTerms = retryTermsOf(error)
    if (retryTerms.isUncounted !== true) report(`withdrawing a question from “${outlet.name}”`, error)
    const isLast = question === undefined || (leased.attempts >= mostAttempts && retryTerms.isUncounted !== true)
    if (isLast) await records.remove(leased)
    else await change(needs, leased, { type: "fail", holder, endsAt: 0, ...retryTerms })
  }
}

/** Creates one delivery per address. Idempotent: the id of each delivery is derived from its address. */
async function spreadToAddresses(needs: DeliveryNeeds, delivery: Delivery, question: Elicitation): Promise<void> {
  const { outlet, records, directory, runtime, holder } = needs
  const audiences = audiencesOf(delivery, question)
  const lookups = audiences.map((audience) => directory.find(outlet.addressKind, audience))
  const recipients = (await withTimeLimit(runtime, () => Promise.all(lookups))).flat()
  const isFirstMessage = delivery.reminder === undefined
  if (recipients.length === 0 && isFirstMessage)
    return giveUp(needs, delivery, { question, reason: `no ${outlet.addressKind} address is known` })
  const addressees = recipients.filter(({ person }) => !isExcluded(question, person) && !hasApproved(question, person))
  const now = runtime.now()
  const sources = await Promise.all(addressees.map((recipient) => sourceFor(needs, delivery, { question, recipient })))
  const times = await Promise.all(
    addressees.map(({ person }, index) => timeFor(needs, sources[index], { question, person })),
  )
  const neverTime = times.find((time) => "neverReason" in time)
  if (neverTime !== undefined && isFirstMessage && times.every((time) => "neverReason" in time))
    return giveUp(needs, delivery, { question, reason: neverTime.neverReason })
  await Promise.all(
    addressees.map((recipient, index) => {
      const [time, source] = [times[index], sources[index]]
      if (time === undefined || source === undefined || "neverReason" in time) return undefined
      const dueAt = Math.max(now, time.at)
      // The trail entry tells every process that runs the outlet when a delayed delivery is due.
      const announcement =
        dueAt > now ? outletEntry(question, "owed", { owed: { [outlet.name]: dueAt } }, now) : undefined
      return records.insert({ ...toAddressed(source, recipient, { now, dueAt }), ...movedUpOf(time) }, announcement)
    }),
  )
  await change(needs, delivery, { type: "spread", holder, endsAt: question.expiresAt })
  needs.arm(now)
  await needs.moveUp(question)
}

/** Returns the delivery to copy for this person. Undefined when this person gets no reminder this time. */
async function sourceFor(
  { records, runtime }: DeliveryNeeds,
  delivery: Delivery,
  { question, recipient }: { readonly question: Elicitation; readonly recipient: Reached },
): Promise<Delivery | undefined> {
  if (delivery.reminder === undefined) return delivery
  const { reminder: _, ...withoutReminder } = delivery
  const firstDelivery = await records.get(idAt(withoutReminder, recipient.address))
  const { type } = laterMessage(question, firstDelivery, runtime.now())
  return type === "none" ? undefined : type === "first" ? withoutReminder : delivery
}

/** When the outlet notifies one person. A reminder does not wait for its rung again, only for quiet hours to end. */
async function timeFor(
  { ladder, outlet, runtime }: DeliveryNeeds,
  source: Delivery | undefined,
  { question, person }: { readonly question: Elicitation; readonly person: PrincipalId },
): Promise<RungTime & { readonly isMovedUp?: true }> {
  const now = runtime.now()
  if (source === undefined || ladder === undefined) return { at: now }
  const recipient = { outlet: outlet.name, person }
  const ownTime = await ladder.timeOf(withAskingTime(question, source), recipient)
  if (source.reminder === undefined || "neverReason" in ownTime) return ownTime
  return { ...(await ladder.timeOf(question, { ...recipient, startsAt: now })), isMovedUp: true }
}

const movedUpOf = ({ isMovedUp }: { readonly isMovedUp?: true }): Pick<Delivery, "movedUp"> =>
  isMovedUp === true ? { movedUp: true } : {}

/** The audiences of this delivery. A reminder goes to all people who may answer by now, also after an escalation. */
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
  if (posted.state === "unable") return giveUp(needs, leased, { question, reason: posted.why })
  const { receipt } = posted
  const event = { type: "show", holder, endsAt: question.expiresAt, receipt } as const
  const shownDelivery = await change(needs, leased, event, () => entryOf(needs, question, "shown", {}))
  if (shownDelivery === undefined) return withdrawDuplicate(needs, { leased, question, receipt })
  // The question may have been settled while it was being posted: processes that noticed left the withdrawal to the
  // holder of the lease.
  const current = await store.get(question.id)
  if (current === undefined || isSettled(current.status)) await endDelivery(needs, shownDelivery, current)
}

/** Withdraws a duplicate message: the lease expired while this process posted, and another process took over. */
async function withdrawDuplicate(
  { outlet, records, runtime }: DeliveryNeeds,
  {
    leased,
    question,
    receipt,
  }: { readonly leased: Delivery; readonly question: Elicitation; readonly receipt: Receipt },
): Promise<void> {
  const current = await records.get(leased.id)
  // The other process is still posting, and may find this message and keep it.
  if (current !== undefined && current.receipt === undefined) return
  if (current?.receipt !== undefined && isSameReceipt(current.receipt, receipt)) return
  await withTimeLimit(runtime, (signal) => outlet.withdraw(question, { ...promptOf(leased, signal), receipt }))
}

async function giveUp(
  needs: DeliveryNeeds,
  leased: Delivery,
  { question, reason }: { readonly question: Elicitation; readonly reason: string },
): Promise<void> {
  const message = textProblem(reason, 500) === undefined ? { message: reason } : {}
  const event = { type: "unable", holder: needs.holder, endsAt: question.expiresAt } as const
  const toEntry = () => entryOf(needs, question, "not_shown", { code: "unable", ...message })
  if ((await change(needs, leased, event, toEntry)) === undefined) return
  await needs.endIfUnsupported(question)
  await needs.moveUp(question)
}

/**
 * Ends a delivery that the person does not want, or that a later reminder replaces. Does not end the question, even
 * when no other outlet shows it: a person who turns messages off has not answered.
 */
async function skip(
  needs: DeliveryNeeds,
  leased: Delivery,
  { question, reason }: { readonly question: Elicitation; readonly reason: string },
): Promise<void> {
  const event = { type: "unable", holder: needs.holder, endsAt: question.expiresAt } as const
  const toEntry = () => entryOf(needs, question, "not_shown", { code: "unable", message: reason })
  if ((await change(needs, leased, event, toEntry)) !== undefined) await needs.moveUp(question)
}

async function noteFailure(
  needs: DeliveryNeeds,
  leased: Delivery,
  { question, error }: { readonly question: Elicitation; readonly error: unknown },
): Promise<void> {
  const event = { type: "fail", holder: needs.holder, endsAt: question.expiresAt, ...retryTermsOf(error) } as const
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
function retryTermsOf(error: unknown): RetryTerms {
  if (!isHoldpointError(error) || error.retryAfterMs === undefined) return {}
  return { retryAfterMs: error.retryAfterMs, isUncounted: error.code === "too_often" }
}

/**
 * Applies an event to the delivery. Returns undefined when the event is refused (the delivery is not due, or another
 * process holds its lease), or when the delivery was removed.
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

const isSameReceipt = (a: Receipt, b: Receipt): boolean => {
  const names = Object.keys({ ...a, ...b })
  return names.every((name) => a[name] === b[name])
}
