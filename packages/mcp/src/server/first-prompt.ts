// Decides which of several calls shows a question to their client. Concurrent calls of one client may wait for the same
// question: the first of them shows it, whichever process serves it, and the others only wait.

import { digestOf } from "@holdpoint/calls/internal"
import type { Elicitation, Entry } from "@holdpoint/hub"
import { outletEntry } from "@holdpoint/hub/internal"
import { digestOfCall } from "./incoming.ts"
import type { McpRun } from "./request.ts"
import { identityOf } from "./request.ts"

const mostEntries = 1_000

/** The `via` of trail entries about prompts of this client. */
export const viaOf = ({ request }: McpRun): string => {
  const { connection, client } = request
  const { tenant, issuer, subject } = identityOf(request).principal
  const { caller, session } = connection
  return `mcp ${digestOf([tenant, issuer, subject, caller.clientId, session, client.name]).slice(0, 16)}`
}

/**
 * Whether this call shows the question: true for the first call in the trail. A pushed prompt counts as shown until its
 * call uses `recordGone`. How long a client shows a prompt that came with a result is unknown, so only the calls that
 * were already running leave the prompt to the first call.
 */
export async function isFirstToPrompt(run: McpRun, elicitation: Elicitation, by: "push" | "round"): Promise<boolean> {
  const { storage, runtime } = run.request.surface
  const mark = `${runtime.newId()} ${by === "push" ? 0 : run.startedAt}`
  const detail = { via: viaOf(run), code: callOf(run), message: mark }
  await storage.trail.append(outletEntry(elicitation, "shown", detail, runtime.now()))
  const entries = await storage.trail.read({ id: elicitation.id, limit: mostEntries })
  return isFirstIn(entries, detail.via, mark)
}

/** Records that the prompt is no longer shown, so that another waiting call may show it. */
export async function recordGone(run: McpRun, elicitation: Elicitation): Promise<void> {
  const { storage, runtime } = run.request.surface
  const detail = { via: viaOf(run), code: callOf(run) }
  await storage.trail.append(outletEntry(elicitation, "not_shown", detail, runtime.now()))
}

/**
 * Whether no other call shows the question before the entry with this mark. When the same call is made again, its
 * client is assumed to no longer show the earlier prompt.
 */
function isFirstIn(entries: readonly Entry[], via: string, mark: string): boolean {
  let latest: { readonly at: number; readonly call: string | undefined } | undefined
  for (const { kind, at, detail } of entries) {
    if (detail.via !== via) continue
    const { code: call } = detail
    if (kind === "not_shown" && latest?.call === call) latest = undefined
    if (kind !== "shown") continue
    const startedAt = Number(detail.message?.split(" ")[1])
    const isTogether = latest !== undefined && latest.call !== call && startedAt < latest.at
    if (detail.message === mark) return !isTogether
    if (!isTogether) latest = { at, call }
  }
  return true
}

const callOf = ({ request: { incoming } }: McpRun): string =>
  digestOf([incoming.method, incoming.name, digestOfCall(incoming)]).slice(0, 16)
