// Decides what one person gets when a question is delivered once more: a reminder, the first message if they had none,
// or nothing. Pure.

import type { Delivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"

export type LaterMessage =
  | { readonly type: "reminder" }
  /** The first message, because the person was not known or not asked when the question was shown to others. */
  | { readonly type: "first" }
  | { readonly type: "none"; readonly reason: string }

/** `firstDelivery` is the first delivery to the same address, which may be missing. */
export function laterMessage(
  { remindEveryMs = 0 }: Elicitation,
  firstDelivery: Delivery | undefined,
  now: number,
): LaterMessage {
  if (firstDelivery === undefined) return { type: "first" }
  if (firstDelivery.state === "owed") return { type: "none", reason: "the first message has not been shown yet" }
  const isJustShown = firstDelivery.state === "shown" && now - (firstDelivery.shownAt ?? 0) < remindEveryMs / 2
  return isJustShown ? { type: "none", reason: "the first message was shown just now" } : { type: "reminder" }
}

/** Whether a later reminder replaces this one. Quiet hours delay reminders, and only one is sent at their end. */
export const isOvertaken = ({ reminder }: Delivery, { reminders = 0 }: Elicitation): boolean =>
  reminder !== undefined && reminder < reminders
