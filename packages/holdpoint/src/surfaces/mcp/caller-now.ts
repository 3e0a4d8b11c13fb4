// Who calls, and what their client can be asked: for authors whose lists depend on it.

import type { ServerContext } from "@modelcontextprotocol/server"
import type { Revision } from "../../core/degrade.ts"
import type { Principal } from "../../core/principal.ts"
import { clientOf, connections } from "./surface.ts"

/** Who calls, and what their client can be asked. */
export interface CallerNow {
  /** Undefined when nobody knows who calls. */
  readonly principal?: Principal
  /** Whether it can be asked by a form, and be sent to a page. */
  readonly form: boolean
  readonly url: boolean
  readonly revision: Revision | undefined
  /** As the client calls itself. */
  readonly client?: string
  /** Of stdio, or of a client with a session. */
  readonly session?: string
}

/**
 * Who calls, and what their client can be asked, within a handler or a factory that `createMcp` serves; undefined
 * elsewhere.
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
