// Cancels the open forms of a call that its client cancelled and that no process works on. A consent that has begun
// stays open, so that the next call finds it completed.

import { digestOf } from "@holdpoint/calls/internal"
import type { RequestId } from "@modelcontextprotocol/server"
import type { Connection } from "./surface.ts"
import { principalOf } from "./surface.ts"

export async function cancelCall(connection: Connection, requestId: RequestId): Promise<void> {
  const { surface, session } = connection
  if (session === undefined) return
  const principal = principalOf(connection, "")
  const ofCall = { tenant: principal.tenant, principal, parent: parentOf(session, requestId) }
  const open = await surface.hub.list({ ...ofCall, state: "open", limit: mostOpenQuestions })
  const forms = open.filter(({ mode }) => mode === "form")
  await Promise.all(forms.map(({ id }) => surface.hub.cancel(id, callCancelledReason)))
}

export const callCancelledReason = { code: "call_cancelled" }

/** The most open questions of one call. */
const mostOpenQuestions = 200

/** The parent of the questions of one call of one session. The request id is hashed, because clients choose it. */
export const parentOf = (session: string, requestId: RequestId): string => `${parentsOf(session)}${digestOf(requestId)}`

/** The prefix that the parents of all calls of a session share. */
export const parentsOf = (session: string): string => `mcp ${session} `
