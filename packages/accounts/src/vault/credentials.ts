// The part of a connection's secrets that an author gets: what a call presents, never a refresh token.

import { inspect } from "node:util"
import type { AccountCredentials } from "@holdpoint/hub/internal"
import { withoutPin } from "./mcp-server/pin.ts"
import type { OpenedConnection } from "./opened-connections.ts"

export function toAccountCredentials({
  headers,
  fields,
  connection: { expiresAt },
}: OpenedConnection): AccountCredentials {
  const { refresh_token: _refresh, id_token: _id, ...presentableFields } = withoutPin(fields)
  return hideFromLogs({
    headers: hideFromLogs(Object.fromEntries(headers)),
    fields: hideFromLogs(presentableFields),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  })
}

/** The object reads normally, but logging or serialising it reveals nothing. */
function hideFromLogs<T extends object>(secret: T): T {
  // The redaction is on the prototype, so that `fetch`, which iterates over own properties, finds only the headers.
  return Object.assign(new Redacted(), secret)
}

class Redacted {
  toJSON(): string {
    return "[secret]"
  }

  [inspect.custom](): string {
    return "[secret]"
  }
}
