// The answer that a script receives: always an action and content, with a reason for every error and withdrawal. Pure.

import type { HoldpointError, Outcome } from "@holdpoint/hub"
import type { ScriptRequest } from "./request.ts"

/** The answer to a script's question. */
export interface Answer {
  readonly action: "accept" | "decline" | "cancel" | "error"
  readonly content: Readonly<Record<string, unknown>> | null
  readonly reason?: AnswerReason
  /** A message for people: what happened, or why the person declined. */
  readonly message?: string
  /** Whether the person has finished on the page. */
  readonly completed?: boolean
}

export type AnswerReason =
  | "unsupported"
  | "expired"
  | "timed_out"
  | "client_error"
  | "invalid_request"
  | "too_many"
  | "withdrawn"
  | "failed"

export function toAnswer(request: ScriptRequest, outcome: Outcome): Answer {
  if (outcome.status === "completed") return accepted(request, outcome.content)
  const { reason } = outcome
  const message = reason?.message === undefined ? {} : { message: reason.message }
  switch (outcome.status) {
    case "declined":
      return { action: "decline", content: null, ...message }
    case "cancelled":
      return { action: "cancel", content: null, ...(reason?.code === "withdrawn" ? { reason: "withdrawn" } : {}) }
    case "expired":
      return { action: "error", content: null, reason: request.timeoutMs === undefined ? "expired" : "timed_out" }
    case "unsupported":
      return { action: "error", content: null, reason: "unsupported", ...message }
    case "failed":
      return {
        action: "error",
        content: null,
        reason: isClientError(reason?.code) ? "client_error" : "failed",
        ...message,
      }
  }
}

const isClientError = (code: string | undefined): boolean => code === "client_failed" || code === "invalid_answers"

function accepted(request: ScriptRequest, content: Readonly<Record<string, unknown>> | undefined): Answer {
  switch (request.mode) {
    case "confirm": {
      const { confirmed } = content ?? {}
      return { action: "accept", content: { confirmed: confirmed === "yes" || confirmed === true } }
    }
    case "url":
      return { action: "accept", content: null, completed: request.wait }
    default:
      return { action: "accept", content: content ?? {} }
  }
}

export const invalid = (message: string): Answer => ({
  action: "error",
  content: null,
  reason: "invalid_request",
  message,
})

export const unsupported = (message: string): Answer => ({
  action: "error",
  content: null,
  reason: "unsupported",
  message,
})

/** The answer to a question that the hub refuses to ask. Undefined for errors that end the call. */
export function toRefusedAnswer({ code, message }: HoldpointError): Answer | undefined {
  switch (code) {
    case "invalid_question":
    case "secret_in_form":
    case "unsafe_url":
      return invalid(message)
    case "too_many_for_person":
    case "too_many_for_tenant":
      return { action: "error", content: null, reason: "too_many", message }
    default:
      return undefined
  }
}
