// OCS: responses in an envelope whose own status may report an error although the HTTP status is 200.

import { kindOf, nextcloudError } from "./error.ts"
import type { NcRequest, Nextcloud } from "./nextcloud.ts"
import { fieldsOf } from "./read.ts"

export interface OcsAnswer {
  readonly data: unknown
  readonly headers: Headers
  /** The status in the envelope: 200, or 100 in version 1. */
  readonly status: number
}

/** Sends an OCS request. `path` is relative to /ocs/v2.php: `/apps/spreed/api/v4/room`. */
export async function ocs(nextcloud: Nextcloud, request: NcRequest): Promise<OcsAnswer> {
  const { activity, accept = [] } = request
  const answer = await nextcloud.send({
    ...request,
    path: `/ocs/v2.php${request.path}`,
    query: { ...request.query, format: "json" },
    headers: { accept: "application/json", "ocs-apirequest": "true", ...request.headers },
    accept: [...accept, 304],
  })
  // An empty body: a long poll that timed out, a deletion, or 304 Not Modified.
  if (answer.bytes.byteLength === 0) return { data: undefined, headers: answer.headers, status: answer.status }
  const envelope = fieldsOf(answer.json(), activity).object("ocs")
  const meta = envelope.object("meta")
  const status = meta.number("statuscode")
  const isAccepted = status === 100 || (status >= 200 && status < 300) || accept.includes(status)
  if (!isAccepted) throw ocsError(status, meta.maybeText("message"), activity)
  return { data: envelope.raw.data, headers: answer.headers, status }
}

/** The error for an OCS status, including OCS codes that are not HTTP statuses. */
export function ocsError(status: number, detail: string | undefined, activity: string): Error {
  const facts = { status, activity, ...(detail === undefined ? {} : { detail }) }
  switch (status) {
    case 996:
    case 999:
      return nextcloudError("failed", facts)
    case 997:
      return nextcloudError("unauthorized", facts)
    case 998:
      return nextcloudError("not_found", facts)
    default:
      return nextcloudError(status >= 100 && status < 200 ? "invalid" : kindOf(status), facts)
  }
}
