// What people and logs are told when a model cannot be used. Never what its provider wrote, which may hold a key.

import { HoldpointError, isHoldpointError } from "@holdpoint/sdk"

/** Words for an error of a model. */
export function modelErrorWords(error: unknown): string {
  const status = statusOf(error)
  if (status === undefined) return "The model could not be used. Try again; if it stays so, tell who runs this agent."
  if (status === 401 || status === 403)
    return "The model's provider refused the credentials of this agent. Tell who runs it."
  if (status === 429) return "The model is busy, or its quota is used up. Try again in a moment."
  return `The model's provider answered with an error (HTTP ${status}). Try again; if it stays so, tell who runs this agent.`
}

/** The error for the log: which kind it was and with which status, and the whole of it only for who debugs. */
export function toReported(error: unknown): unknown {
  if (isHoldpointError(error) || process.env.HOLDPOINT_DEBUG) return error
  const kind = error instanceof Error ? error.name : typeof error
  const status = statusOf(error)
  const what = status === undefined ? kind : `${kind}, HTTP ${status}`
  return new HoldpointError(
    "provider_unavailable",
    `The model failed (${what}). HOLDPOINT_DEBUG=1 shows its own words.`,
  )
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined
  const { statusCode, lastError } = error as { readonly statusCode?: unknown; readonly lastError?: unknown }
  return typeof statusCode === "number" ? statusCode : statusOf(lastError)
}
