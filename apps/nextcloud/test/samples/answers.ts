// Answers of the documented API where the stand-in has none, since nothing was recorded.

import type { SampleWorld } from "./sample.ts"

/** From now on, besides all that answers already. */
export function answering(
  { standIn }: Pick<SampleWorld, "standIn">,
  method: string,
  path: string,
  body: unknown,
): void {
  const { switches } = standIn
  const before = switches.intercept
  const headers = { "content-type": "application/json; charset=utf-8" }
  switches.intercept = (asked, at) => {
    if (asked === method && at.endsWith(path)) return { status: 200, headers, body: JSON.stringify(body) }
    return before?.(asked, at)
  }
}

export const enveloped = (data: unknown) => ({ ocs: { meta: { status: "ok", statuscode: 200, message: "OK" }, data } })
