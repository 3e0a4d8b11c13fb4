// One attempt to send one event: asks the receiver, then judges its answer. Received text is never read or kept.

import { retryAfterOf } from "../../fetching/answer.ts"
import { failureOf } from "../../fetching/failure.ts"
import type { Fetch } from "../../ports/fetch.ts"
import type { AttemptResult } from "./records.ts"
import { type Signed, toHeaders } from "./sign.ts"

export interface Attempt extends Signed {
  readonly url: string
  readonly secrets: readonly string[]
  readonly signal: AbortSignal
}

/** `gone`: the receiver wants no more events. `stopped`: this process stopped waiting for the answer. */
export type Judged =
  | { readonly kind: "accepted" | "gone"; readonly result: AttemptResult }
  | { readonly kind: "failed"; readonly result: AttemptResult; readonly retryAfterMs?: number }
  | { readonly kind: "stopped" }

/** The guarded fetch limits the time. Redirects are not followed: the address that a person confirmed is the receiver. */
export async function send(fetch: Fetch, { url, secrets, signal, ...signed }: Attempt): Promise<Judged> {
  const headers = await toHeaders(secrets, signed)
  try {
    const response = await fetch(url, { method: "POST", headers, body: signed.body, redirect: "manual", signal })
    await response.body?.cancel()
    return judge(response, signed.at)
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" }
    const failure = failureOf(error)
    if (failure === undefined) throw error
    return { kind: "failed", result: { at: signed.at, problem: failure.code ?? failure.kind } }
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
