// Carries out one delivery under a lease: posts or withdraws the message, records the result. Another process may work
// on the same delivery at the same time, or may have died while working on it.

import type { Delivery, DeliveryEvent, Receipt } from "../../core/delivery.ts"
import { deliveryDelays, isNotBegun, isUnposted, transitionDelivery } from "../../core/delivery.ts"
import type { RetryTerms } from "../../core/due.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { isSettled } from "../../core/elicitation.ts"
import { isHoldpointError } from "../../core/error.ts"
import type { RungTime } from "../../core/ladder.ts"
import type { Audience, PrincipalId } from "../../core/principal.ts"
import { isExcluded } from "../../core/principal.ts"
import { textProblem } from "../../core/text.ts"
import { hasApproved } from "../../core/votes.ts"
import type { Attempt, Failure } from "../../due/attempts.ts"
import type { DueKind } from "../../due/due-kind.ts"
import type { DueWork } from "../../due/due-work.ts"
import type { Report } from "../../due/work.ts"
import type { Directory, Reached } from "../../ports/directory.ts"
import type { Ladder } from "../../ports/ladder.ts"
import type { LastingOutlet, Prompt } from "../../ports/outlet.ts"
import type { Records } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Store } from "../../ports/store.ts"
import type { EntryDetail, NewEntry } from "../../ports/trail.ts"
import { outletEntry } from "../trail-entries.ts"
import { deliveryKind, idAt, toAddressed } from "./delivery-records.ts"
import type { EndIfUnsupported } from "./end-unsupported.ts"
import { isOvertaken, laterMessage } from "./later-message.ts"
import type { MoveUp } from "./move-up.ts"

export interface DeliveryNeeds {
  readonly outlet: LastingOutlet
  readonly records: Records<Delivery>
  readonly store: Pick<Store, "get">
  readonly directory: Directory
  readonly runtime: Runtime
  readonly endIfUnsupported: EndIfUnsupported
  /** Without a ladder, every outlet shows a question at once. */
  readonly ladder: Ladder | undefined
  readonly moveUp: MoveUp
  readonly report: Report
}

/** The deliveries of one outlet as late work. */
export const deliveryWork = (outlet: string): DueKind<Delivery, DeliveryEvent> => ({
  named: `deliveries to “${outlet}”`,
  record: deliveryKind(outlet),
  transition: transitionDelivery,
  exhausted: { type: "give_up" },
  ...deliveryDelays,
})

/** One delivery that this process works on: the question it is about, and the attempt. */
interface Leased {
  readonly delivery: Delivery
  readonly question: Elicitation
  readonly attempt: Attempt<Delivery, DeliveryEvent>
}

type Due = DueWork<Delivery, DeliveryEvent>

/** Takes the due step of one delivery: posts the message, or withdraws it when the question is settled. */
export async function advanceDelivery(needs: DeliveryNeeds, delivery: Delivery, due: Due): Promise<void> {
  const question = await needs.store.get(delivery.elicitation)
  if (question === undefined || isSettled(question.status)) return endDelivery(needs, delivery, { question, due })
  if (delivery.state !== "owed") {
    await due.apply(delivery, { type: "rest", endsAt: question.expiresAt })
    return
  }
  // The person may have changed their ladder since the delivery was planned.
  const time = await timeOf(needs, delivery, question)
  if (time !== undefined && "at" in time && time.at > needs.runtime.now()) {
    await due.apply(delivery, { type: "reschedule", dueAt: time.at })
    return
  }
  let hasFailed = false
  const failureOf = (error: unknown): Failure<Delivery> => {
    hasFailed = true
    return postingFailure(needs, question, error)
  }
  await due.underLease(
    delivery,
    (leased, attempt) => show(needs, { delivery: leased, question, attempt }, { time, due }),
    { failureOf },
  )
  if (hasFailed) await needs.moveUp(question)
}

async function show(
  needs: DeliveryNeeds,
  leased: Leased,
  { time, due }: { readonly time: RungTime | undefined; readonly due: Due },
): Promise<void> {
  const { delivery, question } = leased
  if (isOvertaken(delivery, question)) return skip(needs, leased, "a later reminder takes its place")
  if (time !== undefined && "neverReason" in time) return skip(needs, leased, time.neverReason)
  if (delivery.address !== undefined) return post(needs, leased, due)
  await spreadToAddresses(needs, leased)
  due.arm(needs.runtime.now())
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
  { outlet, records, report }: DeliveryNeeds,
  delivery: Delivery,
  { question, due }: { readonly question: Elicitation | undefined; readonly due: Due },
): Promise<void> {
  if (isUnposted(delivery)) {
    await records.remove(delivery)
    return
  }
  const failureOf = (error: unknown): Failure<Delivery> => {
    const retryTerms = retryTermsOf(error)
    if (retryTerms.isUncounted !== true) report(`withdrawing a question from “${outlet.name}”`, error)
    return { ...retryTerms, isLast: question === undefined, isExpected: true }
  }
  await due.underLease(
    delivery,
    async (leased, attempt) => {
      if (question === undefined) throw new Error("The question was removed by retention; its message stays.")
      const prompt = promptOf(leased, attempt.signal)
      const receipt = leased.receipt ?? (await outlet.find(prompt, question))
      if (receipt !== undefined) await outlet.withdraw(question, { ...prompt, receipt })
      await attempt.end({ type: "withdrawn" })
    },
    { first: { type: "withdraw" }, failureOf },
  )
}

/** Creates one delivery per address. Idempotent: the id of each delivery is derived from its address. */
async function spreadToAddresses(needs: DeliveryNeeds, leased: Leased): Promise<void> {
  const { outlet, records, directory, runtime } = needs
  const { delivery, question, attempt } = leased
  const audiences = audiencesOf(delivery, question)
  const lookups = audiences.map((audience) => directory.find(outlet.addressKind, audience))
  const recipients = (await Promise.all(lookups)).flat()
  const isFirstMessage = delivery.reminder === undefined
  if (recipients.length === 0 && isFirstMessage)
    return giveUp(needs, leased, `no ${outlet.addressKind} address is known`)
  const addressees = recipients.filter(({ person }) => !isExcluded(question, person) && !hasApproved(question, person))
  const now = runtime.now()
  const sources = await Promise.all(addressees.map((recipient) => sourceFor(needs, delivery, { question, recipient })))
  const times = await Promise.all(
    addressees.map(({ person }, index) => timeFor(needs, sources[index], { question, person })),
  )
  const neverTime = times.find((time) => "neverReason" in time)
  if (neverTime !== undefined && isFirstMessage && times.every((time) => "neverReason" in time))
    return giveUp(needs, leased, neverTime.neverReason)
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
  await attempt.end({ type: "spread", endsAt: question.expiresAt })
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

async function post(needs: DeliveryNeeds, leased: Leased, due: Due): Promise<void> {
  const { outlet, store } = needs
  const { delivery, question, attempt } = leased
  const prompt = promptOf(delivery, attempt.signal)
  // A process that died during an earlier attempt may have posted the message.
  const existing = delivery.attempts > 1 ? await outlet.find(prompt, question) : undefined
  const posted =
    existing === undefined ? await outlet.post(question, prompt) : ({ state: "shown", receipt: existing } as const)
  if (posted.state === "unable") return giveUp(needs, leased, posted.why)
  const { receipt } = posted
  const event = { type: "show", endsAt: question.expiresAt, receipt } as const
  const shownDelivery = await attempt.end(event, () => entryOf(needs, question, "shown", {}))
  if (shownDelivery === undefined) return withdrawDuplicate(needs, leased, receipt)
  // The question may have been settled while it was being posted: processes that noticed left the withdrawal to the
  // holder of the lease.
  const current = await store.get(question.id)
  if (current === undefined || isSettled(current.status))
    await endDelivery(needs, shownDelivery, { question: current, due })
}

/** Withdraws a duplicate message: the lease expired while this process posted, and another process took over. */
async function withdrawDuplicate(
  { outlet, records }: DeliveryNeeds,
  { delivery, question, attempt }: Leased,
  receipt: Receipt,
): Promise<void> {
  const current = await records.get(delivery.id)
  // The other process is still posting, and may find this message and keep it.
  if (current !== undefined && current.receipt === undefined) return
  if (current?.receipt !== undefined && isSameReceipt(current.receipt, receipt)) return
  await outlet.withdraw(question, { ...promptOf(delivery, attempt.signal), receipt })
}

async function giveUp(needs: DeliveryNeeds, { question, attempt }: Leased, reason: string): Promise<void> {
  const message = textProblem(reason, 500) === undefined ? { message: reason } : {}
  const toEntry = () => entryOf(needs, question, "not_shown", { code: "unable", ...message })
  if ((await attempt.end({ type: "unable", endsAt: question.expiresAt }, toEntry)) === undefined) return
  await needs.endIfUnsupported(question)
  await needs.moveUp(question)
}

/**
 * Ends a delivery that the person does not want, or that a later reminder replaces. Does not end the question, even
 * when no other outlet shows it: a person who turns messages off has not answered.
 */
async function skip(needs: DeliveryNeeds, { question, attempt }: Leased, reason: string): Promise<void> {
  const toEntry = () => entryOf(needs, question, "not_shown", { code: "unable", message: reason })
  if ((await attempt.end({ type: "unable", endsAt: question.expiresAt }, toEntry)) !== undefined)
    await needs.moveUp(question)
}

/** Reports an error, unless the service only asked to wait: the trail says when the next attempt is due. */
function postingFailure(needs: DeliveryNeeds, question: Elicitation, error: unknown): Failure<Delivery> {
  const retryTerms = retryTermsOf(error)
  const isUncounted = retryTerms.isUncounted === true
  if (!isUncounted) needs.report(`showing a question in “${needs.outlet.name}”`, error)
  return {
    ...retryTerms,
    note: { endsAt: question.expiresAt, ...(isUncounted && { isTried: true }) },
    isExpected: true,
    toEntry: ({ state, dueAt, outlet }) =>
      entryOf(
        needs,
        question,
        "not_shown",
        state === "abandoned" ? { code: "delivery_abandoned" } : { code: "delivery_failed", owed: { [outlet]: dueAt } },
      ),
  }
}

/**
 * The wait that the outlet's service asked for. With `too_often`, the service did nothing: the attempt does not count.
 */
function retryTermsOf(error: unknown): RetryTerms {
  if (!isHoldpointError(error) || error.retryAfterMs === undefined) return {}
  return { retryAfterMs: error.retryAfterMs, isUncounted: error.code === "too_often" }
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
