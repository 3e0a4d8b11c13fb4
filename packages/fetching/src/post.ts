// One guarded POST to an address that others chose: sends it, then judges the status. The body of the response is never
// read.

import type { Fetch } from "@holdpoint/hub/internal"
import type { AddressOptions } from "./address.ts"
import { createAddressRules } from "./address.ts"
import { failureOf } from "./failure.ts"
import { createGuardedFetch, postLimits } from "./guarded-fetch.ts"
import { retryAfterOf } from "./response.ts"

/** A request to a receiver. */
export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The time of the attempt. */
  readonly at: number
  readonly signal: AbortSignal
}

/** The result of an attempt: the status of the response, or why there was none. */
export interface AttemptResult {
  readonly at: number
  readonly status?: number
  readonly problem?: string
}

/**
 * The outcome of an attempt. `gone`: the receiver wants no more events. `stopped`: this process stopped waiting for the
 * response.
 */
export type Judged =
  | { readonly kind: "accepted" | "gone"; readonly result: AttemptResult }
  | { readonly kind: "failed"; readonly result: AttemptResult; readonly retryAfterMs?: number }
  | { readonly kind: "stopped" }

/** Sends requests to addresses chosen by others. Made by `createPoster`. */
export interface Poster {
  /**
   * Why requests to this address are refused; undefined when they are allowed. The host is looked up only when a
   * request is sent, which can still refuse it.
   */
  problemOf(url: string): string | undefined
  /** Sends the request once. Redirects are not followed: only the registered address is the receiver. */
  post(request: PostRequest): Promise<Judged>
}

const longestUrl = 2_000

/** Creates a sender for addresses chosen by others: public ones, and those that the operator allows in addition. */
export function createPoster(network: AddressOptions = {}): Poster {
  const rules = createAddressRules(network)
  const fetch = createGuardedFetch({ ...postLimits, ...network })
  return {
    problemOf(address) {
      const url = address.length > longestUrl ? null : URL.parse(address)
      if (url === null) return `it is not a web address of at most ${longestUrl} characters`
      return url.hash === "" ? rules.judgeUrl(url) : "it has a fragment (#)"
    },
    post: (posted) => post(fetch, posted),
  }
}

/** Sends the request once with a guarded fetch, which limits the time. */
export async function post(fetch: Fetch, { url, headers, body, at, signal }: PostRequest): Promise<Judged> {
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal })
    await response.body?.cancel()
    return judge(response, at)
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" }
    const failure = failureOf(error)
    if (failure === undefined) throw error
    return { kind: "failed", result: { at, problem: failure.code ?? failure.kind } }
  }
}

/** As in Standard Webhooks: 2xx means accepted, 410 disables the endpoint, and everything else is retried. */
export function judge({ status, headers }: Pick<Response, "status" | "headers">, at: number): Judged {
  const result = { at, status }
  if (status >= 200 && status < 300) return { kind: "accepted", result }
  if (status === 410) return { kind: "gone", result }
  const retryAfterMs = retryAfterOf(headers, at)
  return { kind: "failed", result, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}
