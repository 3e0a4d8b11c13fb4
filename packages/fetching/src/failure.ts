// Why an outbound request failed. The reason is the error's cause. Messages never contain received text.

import { HoldpointError, isHoldpointError } from "@holdpoint/hub"

export type FailureKind = "refused_address" | "timeout" | "network" | "too_large" | "aborted"

export interface Failure {
  readonly kind: FailureKind
  /** For `network`: the system's error code, such as ECONNREFUSED. */
  readonly code?: string
}

/** The failure in an error; undefined when the error does not come from a request. */
export function failureOf(error: unknown): Failure | undefined {
  if (isHoldpointError(error)) return isFailure(error.cause) ? error.cause : undefined
  return error instanceof Error && /^(?:Abort|Timeout)Error$/.test(error.name) ? { kind: "aborted" } : undefined
}

export function fetchError(kind: FailureKind, message: string, code?: string): HoldpointError {
  const cause: Failure = code === undefined ? { kind } : { kind, code }
  return new HoldpointError(kind === "refused_address" ? "unsafe_address" : "provider_unavailable", message, { cause })
}

/** The error to throw for a failed request. An aborted request throws the signal's reason, as every fetch does. */
export function toFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const ownError = causesOf(error).find(isHoldpointError)
  if (ownError !== undefined) return ownError
  const code = causesOf(error).map(codeOf).find(Boolean)
  if (code?.endsWith("_TIMEOUT"))
    return fetchError("timeout", "The provider took too long to answer. Try again later.", code)
  return fetchError(
    "network",
    `The provider could not be reached, or its response was cut off (${code ?? "no code"}).`,
    code,
  )
}

function causesOf(error: unknown): readonly unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown }).code
  return typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : undefined
}

function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "kind" in value
}
