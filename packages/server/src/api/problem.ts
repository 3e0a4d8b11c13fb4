// Refusals as problem documents (RFC 9457). The code and the HTTP status come from the table `errorCodes`.

import type { ErrorCode, Problem, Refusal } from "@holdpoint/hub"
import type { QuestionEnd } from "@holdpoint/hub/internal"
import { errorCodes } from "@holdpoint/hub/internal"
import type { WireEnded, WireProblem } from "@holdpoint/hub/wire"
import { toWirePerson } from "./json.ts"

export interface ProblemOptions {
  readonly problems?: readonly Problem[]
  readonly ended?: QuestionEnd
  readonly headers?: Readonly<Record<string, string>>
}

/** Creates the refusal with this code. `detail` says what happened, why, and what to do next. */
export function toProblem(code: ErrorCode, detail: string, options: ProblemOptions = {}): Response {
  const { problems = [], ended, headers = {} } = options
  const status = errorCodes[code].http
  const body: WireProblem = {
    ...{ type: "about:blank", title: titles[status] ?? "Error", status, code, detail },
    ...(problems.length === 0 ? {} : { problems }),
    ...(ended === undefined ? {} : { ended: toEnded(ended) }),
  }
  const type = { "content-type": "application/problem+json", "cache-control": "no-store" }
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...retryOf(status), ...headers } })
}

/** Converts a refusal of the hub. */
export const toRefusal = ({ code, message, problems = [], ended }: Refusal): Response =>
  toProblem(code, message, { problems, ...(ended === undefined ? {} : { ended }) })

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
}

/** The Retry-After header by status: the seconds after which the same request may succeed. */
const retryOf = (status: number): Readonly<Record<string, string>> =>
  status === 429 ? { "retry-after": "60" } : status === 503 ? { "retry-after": "5" } : {}

function toEnded({ status, at, by, reason }: QuestionEnd): WireEnded {
  return {
    ...{ status, at: new Date(at).toISOString() },
    ...(by === undefined ? {} : { by: toWirePerson(by) }),
    ...(reason === undefined ? {} : { reason }),
  }
}
