// Converts errors of the SDK or of a request to failures of a task.

import { failureOf } from "@holdpoint/fetching/internal"
import { HoldpointError, isHoldpointError } from "@holdpoint/hub"
import { isExcess } from "./gate.ts"
import { quote } from "./words.ts"

/** Why a request to the agent failed. `message` is a text of this library, or quotes the agent. */
export type Failure =
  /** The agent refused the request. */
  | { readonly kind: "refused"; readonly message: string }
  /** The agent does not know the task. */
  | { readonly kind: "gone" }
  /** The request never reached the agent. */
  | { readonly kind: "unreached"; readonly message: string }
  /** The agent answered with more than is read. The message says why it was not read. */
  | { readonly kind: "excess"; readonly message: string }
  /** It is unknown whether the agent received the request. */
  | { readonly kind: "lost"; readonly message: string }

/**
 * Converts an error to a failure. Throws the error if the request could not be made here: an account has to be
 * connected first, or the address is not allowed.
 */
export function judgeFailure(error: unknown): Failure {
  const causes = causesOf(error)
  const ownError = causes.find(isHoldpointError)
  if (ownError !== undefined) return judgeOwn(ownError)
  const agentError = causes.find(isA2aError)
  if (agentError === undefined) return { kind: "lost", message: "Its answer could not be read." }
  return agentError.reason === "TASK_NOT_FOUND"
    ? { kind: "gone" }
    : { kind: "refused", message: quote(agentError.message) }
}

function judgeOwn(error: HoldpointError): Failure {
  const { message, cause } = error
  if (isStatus(cause)) {
    const kind = cause.status === 429 || cause.status === 503 ? "unreached" : cause.status < 500 ? "refused" : "lost"
    return { kind, message }
  }
  if (isExcess(cause)) return { kind: "excess", message: cause.excess }
  const failure = failureOf(error)
  if (failure === undefined || failure.kind === "refused_address") throw error
  if (failure.kind === "too_large") return { kind: "excess", message: "it is larger than a response may be" }
  return { kind: unsentCodes.has(failure.code ?? "") ? "unreached" : "lost", message }
}

/** The codes of network errors that prove that the request was not sent. */
const unsentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
])

interface Status {
  readonly status: number
}

const isStatus = (cause: unknown): cause is Status =>
  typeof cause === "object" && cause !== null && "status" in cause && typeof cause.status === "number"

/** Creates the error for a failed HTTP response without an A2A error. The response's text is left out. */
export function statusError(status: number): HoldpointError {
  const code = status < 500 && status !== 429 ? "provider_refused" : "provider_unavailable"
  return new HoldpointError(code, `The agent's server answered with status ${status}.`, { cause: { status } })
}

interface A2aError extends Error {
  readonly reason: string
}

/** Whether this is an A2A error that the agent sent. */
const isA2aError = (error: unknown): error is A2aError =>
  error instanceof Error && "reason" in error && typeof error.reason === "string"

function causesOf(error: unknown): readonly unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
