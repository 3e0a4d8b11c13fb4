// The exception for a question without a usable answer. Authors may catch it; if they do not, its message reaches the
// model.

import type { Outcome, Reason } from "@holdpoint/hub"
import { HoldpointError, isHoldpointError } from "@holdpoint/hub"
import { withoutEnd } from "@holdpoint/hub/internal"

export type RefusedStatus = Exclude<Outcome["status"], "completed">

/** The error that `ask` throws when it has no usable answer. */
export interface Refusal extends HoldpointError {
  readonly code: "not_answered"
  /** How the question ended. */
  readonly outcome: RefusedStatus
  readonly reason?: Reason
  /** The key of the question. */
  readonly key: string
}

export function toRefusal(key: string, outcome: RefusedStatus, reason?: Reason): Refusal {
  const { event, advice } = words[outcome]
  const message = reason?.code === answerGone.code ? answerGone.message : `${event}${reasonWords(reason)} ${advice}`
  const error = new HoldpointError("not_answered", message)
  return Object.assign(error, { outcome, key, ...(reason === undefined ? {} : { reason }) }) as Refusal
}

/** The reason of a refusal when the person answered, but the content was deleted before this call read it. */
export const answerGone: Reason & { readonly message: string } = {
  code: "content_gone",
  message:
    "The user was asked and answered, but the answer was deleted before this call read it. Nothing more was done. Call again if it is still needed; the user will then be asked again.",
}

/** Whether the error is a refusal: `ask` threw it because it had no usable answer. */
export function isRefusal(error: unknown): error is Refusal {
  return isHoldpointError(error) && error.code === "not_answered" && "outcome" in error
}

/** For each status: what happened, and advice to a model on what to do next. Calling again at once is useless. */
const words: Readonly<Record<RefusedStatus, { readonly event: string; readonly advice: string }>> = {
  declined: {
    event: "The user was asked and said no",
    advice:
      "Nothing more was done. Do not call this tool again for the same thing unless the user asks for it: they would only be asked again.",
  },
  cancelled: {
    event: "The user was asked and dismissed the question",
    advice:
      "Nothing more was done. Calling again immediately is useless; ask the user whether they want to go on, and call again only if they do.",
  },
  expired: {
    event: "The user was asked and did not answer in time",
    advice:
      "Nothing more was done. Calling again immediately is useless; tell the user that their answer is needed, and call again when they are available.",
  },
  failed: {
    event: "What the user was asked to do did not work",
    advice:
      "Nothing more was done. Calling again immediately is useless; tell the user what went wrong, and call again when they say that it is fixed.",
  },
  unsupported: {
    event: "The user has to be asked, and this client has no way to ask them",
    advice:
      "Nothing more was done. Calling again is useless; tell the user that they need a client that supports elicitation for this.",
  },
}

function reasonWords(reason: Reason | undefined): string {
  const text = reason?.message ?? reason?.code
  return text === undefined ? "." : `: ${withoutEnd(text, /[.\s]/)}.`
}
