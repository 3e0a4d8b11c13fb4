// MCP as a carrier of questions: which call a request continues, how its client is asked, and how the request is
// answered.

import type { Carrier } from "@holdpoint/calls"
import type { Prompting, Suspended } from "@holdpoint/calls/internal"
import { applyLateNo, remember } from "@holdpoint/calls/internal"
import type { Outcome } from "@holdpoint/hub"
import { parentOf } from "./cancel.ts"
import { channelOf } from "./channel.ts"
import type { UrlWay } from "./client.ts"
import { attachCall } from "./delivery.ts"
import { fitsClient } from "./prompt.ts"
import { pushAndWait } from "./push.ts"
import type { McpRequest, McpRun } from "./request.ts"
import { identityOf } from "./request.ts"
import type { McpWaiting } from "./result.ts"
import { answerWaiting } from "./result.ts"
import { askInRound } from "./rounds.ts"

export const carrier: Carrier<McpRequest> = {
  async resume({ request }) {
    const { id, repeatDigest, principal } = identityOf(request)
    const isOnly = request.connection.call !== undefined
    const call = await request.surface.calls.open({ id, caller: principal, knownBy: repeatDigest, isOnly })
    attachCall(request, call)
    return call
  },
  address({ request }, call) {
    const { connection, context, incoming } = request
    const { session, parent = session === undefined ? `mcp ${call.id}` : parentOf(session, context.mcpReq.id) } =
      connection
    const { principal } = identityOf(request)
    return {
      audience: principal,
      context: { trigger: "mcp_elicitation", tool: incoming.name.slice(0, 200) },
      ...{ parent, page: call.id },
    }
  },
  prompt,
  suspend: (run, waiting) => answerWaiting(run, waiting as readonly McpWaiting[]),
}

async function prompt(run: McpRun, prompting: Prompting): Promise<Outcome | Suspended> {
  const { surface, client } = run.request
  const { question, call, askedEntry } = prompting
  const { mode, form, options } = question
  const { urlWay } = options as { readonly urlWay?: UrlWay }
  const hasPage = surface.addresses !== undefined && run.asker.caller !== undefined
  const isShownWhole = options.detail === undefined
  const needs = { mode, hasPage, fitsClient: isShownWhole && (form === undefined || fitsClient(form, client)) }
  const channel = channelOf({ ...needs, ...(urlWay === undefined ? {} : { urlWay }) }, client, surface.settings)
  if (run.request.connection.canAsk === false) return { status: "unsupported", reason: { code: "not_askable" } }
  if (channel.method === "none") return unsupported(question.key, client.form ? "unfit" : "no_elicitation")
  if (channel.method !== "push") return askInRound(run, prompting, channel)
  // True when the client gave up an earlier call while the person was on the page, and the person has finished since.
  const isDone = mode === "url" && askedEntry !== undefined && (await isCompleted(run, askedEntry.elicitation))
  if (!isDone) return pushAndWait(run, prompting, channel)
  return remember(call, askedEntry, await applyLateNo(run, askedEntry.elicitation, { status: "completed" }))
}

const isCompleted = async ({ asking }: McpRun, id: string): Promise<boolean> =>
  (await asking.hub.get(id))?.status === "completed"

function unsupported(key: string, code: "unfit" | "no_elicitation"): Outcome {
  const message =
    code === "unfit"
      ? `it cannot show the form of “${key}”`
      : "it declares no elicitation, and there is no page to send the user to"
  return { status: "unsupported", reason: { code, message } }
}
