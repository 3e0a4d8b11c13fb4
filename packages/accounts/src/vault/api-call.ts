// Makes one API call that the provider's data describes. The caller interprets the status, except that 429, 5xx and
// no response are returned as `unavailable`.

import { jsonOf, judgeAvailability, toReason, type Unavailable } from "@holdpoint/fetching/internal"
import type { ApiCall } from "@holdpoint/hub/internal"
import type { Tools } from "./kind.ts"

/**
 * `body` is the parsed JSON, or undefined when the response was not JSON: an HTML page with status 200 does not count
 * as a result.
 */
export type ApiAnswer = { readonly kind: "answered"; readonly status: number; readonly body: unknown } | Unavailable

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

/** Whether this status means success for this call. */
export function isSuccess(call: Pick<ApiCall, "accepts">, status: number): boolean {
  return call.accepts?.includes(status) ?? (status >= 200 && status < 300)
}
