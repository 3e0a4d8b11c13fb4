// The current caller and the capabilities of their client, for authors whose lists depend on them.

import type { Principal } from "@holdpoint/hub"
import type { Revision } from "@holdpoint/hub/forms"
import type { ServerContext } from "@modelcontextprotocol/server"
import { clientOf, connections } from "./surface.ts"

/** The current caller and the capabilities of their client. */
export interface CallerNow {
  /** The caller. Undefined when the caller is anonymous. */
  readonly principal?: Principal
  /** Whether the client supports forms (`form`) and links (`url`). */
  readonly form: boolean
  readonly url: boolean
  readonly revision: Revision | undefined
  /** The name that the client reports. */
  readonly client?: string
  /** The id of the session, for stdio and for clients with a session. */
  readonly session?: string
}

/**
 * Returns the current caller and the capabilities of their client inside a handler or factory that `createMcp` serves;
 * undefined elsewhere.
 */
export function callerNow(context?: ServerContext): CallerNow | undefined {
  const connection = connections.getStore()
  if (connection === undefined) return undefined
  const { principal } = connection.caller
  const { form, url, revision, name } = context === undefined ? connection.client() : clientOf(connection, context)
  return {
    ...{ form, url, revision },
    ...(principal === undefined ? {} : { principal }),
    ...(name === undefined ? {} : { client: name }),
    ...(connection.session === undefined ? {} : { session: connection.session }),
  }
}
