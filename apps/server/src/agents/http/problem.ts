// Refusals of the run API as problem documents (RFC 9457).

import type { Problem, Refusal } from "@holdpoint/sdk"

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
}

/** A refusal of the hub as a problem document. */
export const refusalProblem = ({ code, message, problems }: Refusal, status: number): Response =>
  problem({ status, code, detail: message, ...(problems === undefined ? {} : { problems }) })
