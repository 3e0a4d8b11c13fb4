// A call that its client takes back, and that no process works on any more: its forms are cancelled; a consent that was
// begun is left alone, so that the next call finds it done.

import type { RequestId } from "@modelcontextprotocol/server"
import { digestOf } from "../../asking/digest.ts"
import type { Connection } from "./surface.ts"
import { principalOf } from "./surface.ts"

export async function cancelCall(connection: Connection, requestId: RequestId): Promise<void> {
  const { surface, session } = connection
  if (session === undefined) return
  const principal = principalOf(connection, "")
  const ofCall = { tenant: principal.tenant, principal, parent: parentOf(session, requestId) }
  const open = await surface.hub.list({ ...ofCall, state: "open", limit: mostLooked })
  const forms = open.filter(({ mode }) => mode === "form")
  await Promise.all(forms.map(({ id }) => surface.hub.cancel(id, { code: "call_cancelled" })))
}

/** A call has no more open questions than this. */
const mostLooked = 200

/** Which call of which session a question belongs to. Clients write into their ids what they like. */
export const parentOf = (session: string, requestId: RequestId): string => `${parentsOf(session)}${digestOf(requestId)}`

/** What those of all calls of a session begin with. */
export const parentsOf = (session: string): string => `mcp ${session} `
