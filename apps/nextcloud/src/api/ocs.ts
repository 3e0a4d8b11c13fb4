// OCS: answers wrapped in an envelope whose own status may tell of an error although HTTP says 200.

import { kindOf, nextcloudError } from "./error.ts"
import type { NcRequest, Nextcloud } from "./nextcloud.ts"
import { fieldsOf } from "./read.ts"

export interface OcsAnswer {
  readonly data: unknown
  readonly headers: Headers
  /** Of the envelope: 200, or 100 in version 1. */
  readonly status: number
}

/** `path` is below /ocs/v2.php: `/apps/spreed/api/v4/room`. */
export async function ocs(nextcloud: Nextcloud, request: NcRequest): Promise<OcsAnswer> {
  const { doing, accept = [] } = request
  const answer = await nextcloud.send({
    ...request,
    path: `/ocs/v2.php${request.path}`,
    query: { ...request.query, format: "json" },
    headers: { accept: "application/json", "ocs-apirequest": "true", ...request.headers },
    accept: [...accept, 304],
  })
  // Nothing to read: a long poll that ended, a deletion, what has not changed.
  if (answer.bytes.byteLength === 0) return { data: undefined, headers: answer.headers, status: answer.status }
  const envelope = fieldsOf(answer.json(), doing).object("ocs")
  const meta = envelope.object("meta")
  const status = meta.number("statuscode")
  const isFine = status === 100 || (status >= 200 && status < 300) || accept.includes(status)
  if (!isFine) throw ocsError(status, meta.maybeText("message"), doing)
  return { data: envelope.raw.data, headers: answer.headers, status }
}

/** Codes of OCS that are no status of HTTP. */
export function ocsError(status: number, said: string | undefined, doing: string): Error {
  const facts = { status, doing, ...(said === undefined ? {} : { said }) }
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
