// One call to a provider's API that its data describes, and reading what came back by dotted paths. What a status means
// is for the caller to say, except where nobody can know: 429, 5xx and no answer at all.

import type { Reason } from "../core/elicitation.ts"
import { isHoldpointError } from "../core/error.ts"
import type { ApiCall } from "../core/provider.ts"
import type { Tools } from "./kind.ts"

/** `body` is the parsed JSON, undefined when it was none: an HTML page with status 200 is not an answer to go by. */
export type ApiAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly body: unknown }
  | { readonly kind: "unavailable"; readonly reason: Reason; readonly retryAfterMs?: number }

export async function callApi(
  call: ApiCall,
  headers: Readonly<Record<string, string>>,
  tools: Tools,
): Promise<ApiAnswer> {
  try {
    const response = await tools.fetch(call.url, {
      method: call.method,
      headers: { accept: "application/json", ...call.headers, ...headers },
      redirect: "manual",
      ...(call.body === undefined ? {} : { body: call.body }),
    })
    const body = await jsonOf(response)
    const unavailable = judgeAvailability(response, tools.runtime.now())
    return unavailable ?? { kind: "answered", status: response.status, body }
  } catch (error) {
    return { kind: "unavailable", reason: toReason(error) }
  }
}

/** Whether this status is a yes to this call. */
export function isYes(call: Pick<ApiCall, "accepts">, status: number): boolean {
  return call.accepts?.includes(status) ?? (status >= 200 && status < 300)
}

/** The text or number at a dotted path (`user.name`, `items.0.id`); an empty text counts as absent. */
export function readPath(value: unknown, path: string): string | number | undefined {
  let found = value
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return (typeof found === "string" && found !== "") || typeof found === "number" ? found : undefined
}

/** The first path that leads to something, as people may be shown it. */
export function nameFrom(value: unknown, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const name = toLine(String(readPath(value, path) ?? ""))
    if (name !== "") return name
  }
  return undefined
}

/** Status 429 or 5xx: the provider cannot or will not say now. */
export function judgeAvailability(
  { status, headers }: Pick<Response, "status" | "headers">,
  now: number,
): Extract<ApiAnswer, { kind: "unavailable" }> | undefined {
  if (status !== 429 && status < 500) return undefined
  const retryAfterMs = retryAfterOf(headers, now)
  const reason =
    status === 429
      ? { code: "throttled", message: "The provider wants fewer requests and has to be asked again later." }
      : { code: "provider_unavailable", message: `The provider answered with status ${status}.` }
  return { kind: "unavailable", reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** RFC 9110 §10.2.3: seconds or a date. A day is the longest that anybody is believed. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? ""
  const delay = /^\d+$/.test(value)
    ? Number(value) * 1000
    : value.endsWith(" GMT")
      ? Date.parse(value) - now
      : Number.NaN
  return Number.isNaN(delay) ? undefined : Math.min(Math.max(0, delay), dayMs)
}

const dayMs = 86_400_000

/** Why a request failed, in our own words only: nothing that the other side sent. */
export function toReason(error: unknown): Reason {
  return isHoldpointError(error)
    ? { code: error.code, message: error.message }
    : { code: "provider_unavailable", message: "The provider could not be reached, or its answer broke off." }
}

/** Undefined when it is no JSON. A connection that breaks is an error, whatever had arrived by then. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** What others wrote, made fit for one line: nothing that a terminal or a page would obey, and not endless. */
function toLine(text: string): string {
  const characters = [...text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim()]
  return characters.length > 200 ? `${characters.slice(0, 199).join("")}…` : characters.join("")
}
