// Serves one request of a handler that may ask: the client's replies, the run, and the answer. Loaded with the first
// call.

import type { OpenCall } from "../../asking/open-call.ts"
import type { RunStart } from "../../asking/run.ts"
import { createRun } from "../../asking/run.ts"
import { runCall } from "../../asking/run-call.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { Ask } from "./ask.ts"
import { toAsk } from "./ask.ts"
import { carrier } from "./carrier.ts"
import { attachCall, noteClientGone } from "./delivery.ts"
import { holdRetry } from "./hold-retry.ts"
import type { McpRequest } from "./request.ts"
import { askerOf } from "./request.ts"
import { answerStill, toFailure } from "./result.ts"

export async function serveCall(request: McpRequest, handler: (ask: Ask) => Promise<unknown>): Promise<unknown> {
  const { surface, context, incoming } = request
  const { claimed } = incoming
  const start: RunStart<McpRequest> = {
    ...{ asking: surface, carrier, request, asker: askerOf(request), signal: context.mcpReq.signal },
    ...(claimed === undefined ? {} : { call: claimed }),
  }
  if (claimed !== undefined) {
    attachCall(request, claimed)
    if (claimed.answer !== undefined) {
      incoming.isAnswered = true
      return claimed.answer.value
    }
    claimed.work()
    const open = await takeReplies(request, claimed)
    if (open.length > 0) {
      incoming.isAnswered = true
      return answerStill(createRun(start), open)
    }
  }
  // Not awaited, because a suspended async function keeps its variables in memory, and many calls are held at the same
  // time.
  return runCall(start, (run) => handler(toAsk(run))).then(
    (end) => {
      noteAnswered(request)
      return "failure" in end ? toFailure(request, end.failure) : end.answer
    },
    (error: unknown) => {
      noteAnswered(request)
      throw error
    },
  )
}

function noteAnswered({ surface, incoming }: McpRequest): void {
  incoming.isAnswered = true
  if (incoming.isLost === true) noteClientGone(surface, incoming)
}

/**
 * Adds the client's replies to the journal. Returns the questions that the call still waits for, if its client came
 * back only to wait.
 */
async function takeReplies({ connection, context }: McpRequest, call: OpenCall): Promise<readonly Elicitation[]> {
  call.journal.bring(context.mcpReq.inputResponses ?? {})
  // This request has already waited for the hold time.
  if (call.hasWaited) return []
  try {
    return await holdRetry(connection, call, context)
  } catch (error) {
    await call.release()
    throw error
  }
}
