// One request that tells a receiver of something: asks it, then judges its answer. Received text is never read or kept.

import type { AddressOptions } from "../../fetching/address.ts"
import { createAddressRules } from "../../fetching/address.ts"
import { retryAfterOf } from "../../fetching/answer.ts"
import { failureOf } from "../../fetching/failure.ts"
import { createGuardedFetch, webhookLimits } from "../../fetching/guarded-fetch.ts"
import type { Fetch } from "../../ports/fetch.ts"
import type { AttemptResult } from "./records.ts"

/** What is sent, and where to. */
export interface Posted {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The time of the attempt. */
  readonly at: number
  readonly signal: AbortSignal
}

/**
 * What came of an attempt. `gone`: the receiver wants no more events. `stopped`: this process stopped waiting for the
 * answer.
 */
export type Judged =
  | { readonly kind: "accepted" | "gone"; readonly result: AttemptResult }
  | { readonly kind: "failed"; readonly result: AttemptResult; readonly retryAfterMs?: number }
  | { readonly kind: "stopped" }

/** Sends to addresses that others chose. Made by `createPoster`. */
export interface Poster {
  /** Why nothing may be sent to this address; undefined when it may. The host is looked up with each request. */
  problemOf(url: string): string | undefined
  /** Tries once. Redirects are not followed: the address that was registered is the receiver. */
  post(posted: Posted): Promise<Judged>
}

const longestUrl = 2_000

/** Makes what sends to addresses that others chose: public ones, and those that the operator allows besides. */
export function createPoster(network: AddressOptions = {}): Poster {
  const rules = createAddressRules(network)
  const fetch = createGuardedFetch({ ...webhookLimits, ...network })
  return {
    problemOf(given) {
      const url = given.length > longestUrl ? null : URL.parse(given)
      if (url === null) return `it is not a web address of ${longestUrl} characters at most`
      return url.hash === "" ? rules.judgeUrl(url) : "it has a fragment (#)"
    },
    post: (posted) => post(fetch, posted),
  }
}

/** One attempt with a guarded fetch, which limits the time. */
export async function post(fetch: Fetch, { url, headers, body, at, signal }: Posted): Promise<Judged> {
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

/** 2xx is accepted and 410 ends the endpoint, as Standard Webhooks says. All else is tried again. */
export function judge({ status, headers }: Pick<Response, "status" | "headers">, at: number): Judged {
  const result = { at, status }
  if (status >= 200 && status < 300) return { kind: "accepted", result }
  if (status === 410) return { kind: "gone", result }
  const retryAfterMs = retryAfterOf(headers, at)
  return { kind: "failed", result, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}
