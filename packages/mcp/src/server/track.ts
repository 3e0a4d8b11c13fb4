// `elicitation/track` of the url mode drafts: a client waits for the end of a question that it received. It was never
// part of a released revision, and is answered for clients of all older revisions.

import type { Outcome } from "@holdpoint/hub"
import { canAnswer } from "@holdpoint/hub"
import { toOutcome } from "@holdpoint/hub/forms"
import type { McpServer, Server, ServerContext, StandardSchemaV1 } from "@modelcontextprotocol/server"
import { ProtocolError } from "@modelcontextprotocol/server"
import { memberOf } from "./client.ts"
import type { Connection } from "./surface.ts"
import { connections, principalOf } from "./surface.ts"

interface Tracking {
  readonly elicitationId: string
  /** The time limit in seconds. Default: as long as the question is open. */
  readonly timeout?: number
}

const mostSeconds = 7 * 24 * 60 * 60

/** A handwritten validator, because the SDK's schema compiler takes longer to start than a whole server. */
const trackParams: StandardSchemaV1<unknown, Tracking> = {
  "~standard": {
    version: 1,
    vendor: "holdpoint",
    validate(params) {
      const [elicitationId, timeout] = [memberOf(params, "elicitationId"), memberOf(params, "timeout")]
      if (typeof elicitationId !== "string") return { issues: [{ message: "must be text", path: ["elicitationId"] }] }
      if (timeout === undefined || timeout === null) return { value: { elicitationId } }
      if (typeof timeout === "number" && timeout > 0 && timeout <= mostSeconds)
        return { value: { elicitationId, timeout } }
      return { issues: [{ message: `must be seconds, up to ${mostSeconds}`, path: ["timeout"] }] }
    },
  },
}

export const trackMethod = "elicitation/track"

export function serveTrack(product: McpServer | Server): void {
  const server = "server" in product ? product.server : product
  server.setRequestHandler(trackMethod, { params: trackParams }, async (params, context) => {
    const connection = connections.getStore()
    if (connection === undefined) throw unknownId()
    return track(connection, params, context)
  })
}

async function track(
  connection: Connection,
  { elicitationId: id, timeout }: Tracking,
  context: ServerContext,
): Promise<Record<string, unknown>> {
  const { surface } = connection
  const elicitation = await surface.hub.get(id)
  // A caller outside the audience gets the same error as for an unknown question.
  if (elicitation === undefined || !canAnswer(elicitation, principalOf(connection, ""))) throw unknownId()
  const { watchProgress } = await import("./progress.ts")
  const progress = watchProgress({ surface, context }, elicitation)
  const timeLimit = new AbortController()
  const stop =
    timeout === undefined ? () => {} : surface.runtime.after(timeout * 1_000, () => timeLimit.abort(timedOut()))
  try {
    const signal = AbortSignal.any([context.mcpReq.signal, timeLimit.signal])
    // A settled question is reported without a wait: a wait fails when the answer, which this method does not return,
    // is deleted.
    const outcome = toOutcome(elicitation) ?? (await surface.hub.wait(id, { signal, onAbort: "leave" }))
    await progress.settled(outcome)
    return toTracked(outcome)
  } finally {
    stop()
    progress.stop()
  }
}

function toTracked(outcome: Outcome): Record<string, unknown> {
  if (outcome.status === "completed") return { status: "complete" }
  if (outcome.status === "expired") throw timedOut()
  const { reason } = outcome
  const text = reason?.message ?? reason?.code
  return { status: "failed", error: text === undefined ? outcome.status : `${outcome.status}: ${text}` }
}

/** The error that clients of the drafts expect. */
const timedOut = (): ProtocolError =>
  new ProtocolError(-32_001, "Elicitation timed out - user did not complete authorization")

const unknownId = (): ProtocolError => new ProtocolError(-32_602, "Unknown elicitationId")
