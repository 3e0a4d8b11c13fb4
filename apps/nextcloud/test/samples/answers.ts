// Responses from the API documentation, where the stand-in has no recording.

import type { SampleWorld } from "./sample.ts"

/** Adds responses to those that the stand-in already has. */
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
