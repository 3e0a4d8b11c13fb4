// One call of a tool, from the first request to the result for the model. Each request is an effect of the run, so that
// any process can continue the call where it stopped.

import type { Ask } from "@holdpoint/calls"
import { HoldpointError } from "@holdpoint/hub"
import type { CallToolResult } from "@modelcontextprotocol/client"
import type { Attempt, PeerParts } from "./attempt.ts"
import { followPushed } from "./follow-pushed.ts"
import { followRounds } from "./follow-rounds.ts"
import { visitLinks } from "./links.ts"
import { sendFirst } from "./send.ts"
import type { ToolCall } from "./settings.ts"
import type { ToolResponse } from "./tool-response.ts"
import { excessWords, lostWords, notVisitedWords, stillNeededWords, unreachedWords } from "./words.ts"

/** The most retries of a call after the person has visited the pages that the call needs. */
const mostRetries = 3

export async function callTool(peer: PeerParts, ask: Ask, call: ToolCall): Promise<CallToolResult> {
  const { settings } = peer
  const notes: string[] = []
  let attempt: Attempt = { peer, ask, call, notes }
  for (let retries = 0; ; retries++) {
    const response = await tryCall(attempt)
    if (response.kind !== "links") return toResult(attempt, response)
    if (retries === mostRetries) return toFailure(attempt, stillNeededWords(settings))
    if (!(await visitLinks(attempt, response.links))) return toFailure(attempt, notVisitedWords(settings))
    // The scopes are nested, because the next attempt is valid only after the visits of this one.
    attempt = { ...attempt, ask: attempt.ask.scope(`again ${retries + 1}`) }
  }
}

async function tryCall(attempt: Attempt): Promise<ToolResponse> {
  const first = await sendFirst(attempt)
  return first.kind === "push" ? followPushed(attempt, first.upstream) : followRounds(attempt, first)
}

function toResult(attempt: Attempt, response: Exclude<ToolResponse, { kind: "links" }>): CallToolResult {
  const { peer, call, notes } = attempt
  switch (response.kind) {
    case "result":
      return { ...response.result, content: [...response.result.content, ...notes.map(toText)] }
    case "error":
      return toFailure(attempt, response.message)
    case "excess":
      return toFailure(attempt, excessWords(peer.settings, call.name, response.message))
    case "unreached":
      throw new HoldpointError("provider_unavailable", unreachedWords(peer.settings, call.name, response.message))
    case "lost":
      throw new HoldpointError("effect_unknown", lostWords(peer.settings, call.name))
    case "input":
    case "push":
      throw new Error(`A call cannot end as ${response.kind}.`)
  }
}

const toFailure = ({ notes }: Attempt, message: string): CallToolResult => ({
  isError: true,
  content: [message, ...notes].map(toText),
})

const toText = (text: string) => ({ type: "text" as const, text })
