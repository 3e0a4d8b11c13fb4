// `elicitation/track` of the drafts of url mode: a client waits for a question it was given. Never part of a released
// revision, and answered wherever a client of the older ones asks.

import type { McpServer, Server, ServerContext, StandardSchemaV1 } from "@modelcontextprotocol/server"
import { ProtocolError } from "@modelcontextprotocol/server"
import type { Outcome } from "../../core/elicitation.ts"
import { canAnswer } from "../../core/principal.ts"
import { memberOf } from "./client.ts"
import type { Connection } from "./surface.ts"
import { connections, principalOf } from "./surface.ts"

/** By hand: the SDK's compiler of schemas takes longer to start than a whole server. */
const trackParams: StandardSchemaV1<unknown, { readonly elicitationId: string }> = {
  "~standard": {
    version: 1,
    vendor: "holdpoint",
    validate(given) {
      const elicitationId = memberOf(given, "elicitationId")
      if (typeof elicitationId === "string") return { value: { elicitationId } }
      return { issues: [{ message: "must be text", path: ["elicitationId"] }] }
    },
  },
}

export function serveTrack(product: McpServer | Server): void {
  const server = "server" in product ? product.server : product
  server.setRequestHandler("elicitation/track", { params: trackParams }, async ({ elicitationId }, context) => {
    const connection = connections.getStore()
    if (connection === undefined) throw unknown()
    return track(connection, elicitationId, context)
  })
}

async function track(connection: Connection, id: string, context: ServerContext): Promise<Record<string, unknown>> {
  const { surface } = connection
  const elicitation = await surface.hub.get(id)
  // A stranger learns no more than that there is nothing here for them.
  if (elicitation === undefined || !canAnswer(elicitation, principalOf(connection, ""))) throw unknown()
  const { watchProgress } = await import("./progress.ts")
  const watch = watchProgress({ surface, context }, elicitation)
  try {
    const outcome = await surface.hub.wait(id, { signal: context.mcpReq.signal, onAbort: "leave" })
    await watch.settled(outcome)
    return toTracked(outcome)
  } finally {
    watch.stop()
  }
}

function toTracked(outcome: Outcome): Record<string, unknown> {
  if (outcome.status === "completed") return { status: "complete" }
  if (outcome.status === "expired") throw new ProtocolError(-32_001, "The question was not answered in time")
  const { reason } = outcome
  const words = reason?.message ?? reason?.code
  return { status: "failed", error: words === undefined ? outcome.status : `${outcome.status}: ${words}` }
}

const unknown = (): ProtocolError => new ProtocolError(-32_602, "Unknown elicitationId")
