// Error texts for people and logs when a model fails. Never the provider's own text, which may contain a key.

import { HoldpointError, isHoldpointError } from "@holdpoint/hub"

/** Returns what to tell people and other models about the error of a model. */
export function modelErrorWords(error: unknown): string {
  const status = statusOf(error)
  if (status === undefined)
    return "The model could not be used. Try again. If the error persists, tell the operator of this agent."
  if (status === 401 || status === 403)
    return "The model's provider refused the credentials of this agent. Tell the operator of the agent."
  if (status === 429) return "The model is busy, or its quota is used up. Try again in a moment."
  return `The model's provider answered with an error (HTTP ${status}). Try again. If the error persists, tell the operator of this agent.`
}

/** The error for the log: of a model's error only the kind and HTTP status, unless HOLDPOINT_DEBUG is set. */
export function toReported(error: unknown): unknown {
  if (isHoldpointError(error) || process.env.HOLDPOINT_DEBUG) return error
  const kind = error instanceof Error ? error.name : typeof error
  const status = statusOf(error)
  const failure = status === undefined ? kind : `${kind}, HTTP ${status}`
  return new HoldpointError(
    "provider_unavailable",
    `The model failed (${failure}). Set HOLDPOINT_DEBUG=1 to see the original error.`,
  )
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined
  const { statusCode, lastError } = error as { readonly statusCode?: unknown; readonly lastError?: unknown }
  return typeof statusCode === "number" ? statusCode : statusOf(lastError)
}
