// What an error of the SDK or of a request means for a task.

import { HoldpointError, isHoldpointError } from "../../../core/error.ts"
import { failureOf } from "../../../fetching/guarded-fetch.ts"
import { quote } from "./words.ts"

/** Messages are ours, or quote the agent. */
export type Failure =
  /** The agent refused the request. */
  | { readonly kind: "refused"; readonly message: string }
  /** The agent does not know the task. */
  | { readonly kind: "gone" }
  /** The request never reached the agent. */
  | { readonly kind: "unreached"; readonly message: string }
  /** It is unknown whether the agent got the request. */
  | { readonly kind: "lost"; readonly message: string }

/** Throws what is not the agent's: an account that has to be connected, an address that is not allowed. */
export function judgeFailure(error: unknown): Failure {
  const found = causesOf(error)
  const own = found.find(isHoldpointError)
  if (own !== undefined) return judgeOwn(own)
  const answered = found.find(isA2aError)
  if (answered === undefined) return { kind: "lost", message: "Its answer could not be read." }
  return answered.reason === "TASK_NOT_FOUND" ? { kind: "gone" } : { kind: "refused", message: quote(answered.message) }
}

function judgeOwn(error: HoldpointError): Failure {
  const { message, cause } = error
  if (isStatus(cause)) {
    const kind = cause.status === 429 || cause.status === 503 ? "unreached" : cause.status < 500 ? "refused" : "lost"
    return { kind, message }
  }
  const failure = failureOf(error)
  if (failure === undefined || failure.kind === "refused_address") throw error
  return { kind: unsent.has(failure.code ?? "") ? "unreached" : "lost", message }
}

/** The codes of network errors after which it is certain that nothing was sent. */
const unsent: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])

interface Status {
  readonly status: number
}

const isStatus = (cause: unknown): cause is Status =>
  typeof cause === "object" && cause !== null && "status" in cause && typeof cause.status === "number"

/** An error of the agent's server that is none of the protocol. Without what it wrote. */
export function statusError(status: number): HoldpointError {
  const code = status < 500 && status !== 429 ? "provider_refused" : "provider_unavailable"
  return new HoldpointError(code, `The agent's server answered with status ${status}.`, { cause: { status } })
}

interface A2aError extends Error {
  readonly reason: string
}

/** An error that the agent sent by the protocol. */
const isA2aError = (error: unknown): error is A2aError =>
  error instanceof Error && "reason" in error && typeof error.reason === "string"

function causesOf(error: unknown): readonly unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
