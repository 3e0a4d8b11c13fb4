// Which of several calls shows a question to their client. Calls that one client makes side by side may come to wait for
// the same question: the first of them shows it, wherever they are served, and the others only wait.

import { digestOf } from "../../asking/digest.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { outletEntry } from "../../hub/entries.ts"
import type { Entry } from "../../ports/trail.ts"
import { digestOfCall } from "./incoming.ts"
import type { McpRun } from "./request.ts"
import { identityOf } from "./request.ts"

const mostRead = 1_000

/** What the trail says of prompts for this client. */
export const viaOf = ({ request }: McpRun): string => {
  const { connection, client } = request
  const { tenant, issuer, subject } = identityOf(request).principal
  const { caller, session } = connection
  return `mcp ${digestOf([tenant, issuer, subject, caller.clientId, session, client.name]).slice(0, 16)}`
}

/**
 * True when this call has to show it: of all that find out at the same time, the first in the trail. A prompt that is a
 * request of ours is open until its call says that it is `gone`. Of one that went with a result nobody knows how long the
 * client shows it: then only calls that were under way already leave it to the first.
 */
export async function isFirstToPrompt(run: McpRun, elicitation: Elicitation, by: "push" | "round"): Promise<boolean> {
  const { storage, runtime } = run.request.surface
  const mark = `${runtime.newId()} ${by === "push" ? 0 : run.startedAt}`
  const detail = { via: viaOf(run), code: callOf(run), message: mark }
  await storage.trail.append(outletEntry(elicitation, "shown", detail, runtime.now()))
  const entries = await storage.trail.read({ id: elicitation.id, limit: mostRead })
  return isFirstIn(entries, detail.via, mark)
}

/** The prompt is not before the person any more, and whoever waits may show it. */
export async function tellGone(run: McpRun, elicitation: Elicitation): Promise<void> {
  const { storage, runtime } = run.request.surface
  const detail = { via: viaOf(run), code: callOf(run) }
  await storage.trail.append(outletEntry(elicitation, "not_shown", detail, runtime.now()))
}

/** The same call, made again, is taken for one whose client has forgotten the first. */
function isFirstIn(entries: readonly Entry[], via: string, mark: string): boolean {
  let shown: { readonly at: number; readonly call: string | undefined } | undefined
  for (const { kind, at, detail } of entries) {
    if (detail.via !== via) continue
    const { code: call } = detail
    if (kind === "not_shown" && shown?.call === call) shown = undefined
    if (kind !== "shown") continue
    const startedAt = Number(detail.message?.split(" ")[1])
    const isTogether = shown !== undefined && shown.call !== call && startedAt < shown.at
    if (detail.message === mark) return !isTogether
    if (!isTogether) shown = { at, call }
  }
  return true
}

const callOf = ({ request: { incoming } }: McpRun): string =>
  digestOf([incoming.method, incoming.name, digestOfCall(incoming)]).slice(0, 16)
