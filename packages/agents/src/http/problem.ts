// Refusals of the run API as problem documents (RFC 9457).

import { isHoldpointError, type Problem, type Refusal } from "@holdpoint/hub"

export interface ProblemFacts {
  readonly status: number
  /** For programs: a stable name of the reason. */
  readonly code: string
  /** For people: what happened, why, and what to do next. */
  readonly detail: string
  readonly problems?: readonly Problem[]
  readonly [more: string]: unknown
}

export function problem({ status, code, detail, ...members }: ProblemFacts): Response {
  return Response.json(
    { type: "about:blank", title: titles[status] ?? "Error", status, code, detail, ...members },
    { status, headers: { "content-type": "application/problem+json", "cache-control": "no-store" } },
  )
}

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
}

/** The words for a request that the storage failed. What the request was to do may have taken effect. */
export const storeUnavailableText =
  "The server cannot reach its database now, so it is unknown whether this request took effect. Try again in a moment."

/** An error that the request did not cause, as a problem document. */
export function failureProblem(error: unknown): Response {
  if (isHoldpointError(error) && error.isOfStorage)
    return problem({ status: 503, code: "store_unavailable", detail: storeUnavailableText })
  return problem({ status: 500, code: "internal", detail: "The server failed to handle this request. Try again." })
}

/** A refusal of the hub as a problem document. */
export const refusalProblem = ({ code, message, problems }: Refusal, status: number): Response =>
  problem({ status, code, detail: message, ...(problems === undefined ? {} : { problems }) })
