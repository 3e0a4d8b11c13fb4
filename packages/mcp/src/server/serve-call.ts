// Serves one request of a handler that may ask: the client's replies, the run, and the answer. Loaded with the first
// call.

import { runCall } from "@holdpoint/calls"
import type { OpenCall, RunStart } from "@holdpoint/calls/internal"
import { createRun } from "@holdpoint/calls/internal"
import type { Elicitation } from "@holdpoint/hub"
import { isStoreFailure } from "@holdpoint/hub/internal"
import type { Ask } from "./ask.ts"
import { toAsk } from "./ask.ts"
import { carrier } from "./carrier.ts"
import { attachCall, noteClientGone } from "./delivery.ts"
import { holdRetry } from "./hold-retry.ts"
import type { McpRequest } from "./request.ts"
import { askerOf } from "./request.ts"
import { answerStill, toFailure, toStoreFailure } from "./result.ts"

type Handler = (ask: Ask) => Promise<unknown>

// The functions here await nothing that takes long, because a suspended async function keeps its variables in memory,
// and many calls are held at the same time.

export async function serveCall(request: McpRequest, handler: Handler): Promise<unknown> {
  const { claimed } = request.incoming
  if (claimed === undefined) return runHandler(startOf(request), handler)
  attachCall(request, claimed)
  if (claimed.answer !== undefined) {
    request.incoming.isAnswered = true
    return claimed.answer.value
  }
  claimed.startWorking()
  return addReplies(request, claimed).then(
    (open) => {
      if (open.length === 0) return runHandler(startOf(request), handler)
      request.incoming.isAnswered = true
      return answerStill(createRun(startOf(request)), open)
    },
    async (error: unknown) => {
      await claimed.release()
      throw error
    },
  )
}

function startOf(request: McpRequest): RunStart<McpRequest> {
  const { surface, context, incoming } = request
  return {
    ...{ asking: surface, carrier, request, asker: askerOf(request), signal: context.mcpReq.signal },
    ...(incoming.claimed === undefined ? {} : { call: incoming.claimed }),
  }
}

function runHandler(start: RunStart<McpRequest>, handler: Handler): Promise<unknown> {
  const { request } = start
  return runCall(start, (run) => handler(toAsk(run))).then(
    (end) => {
      noteAnswered(request)
      return "failure" in end ? toFailure(request, end.failure) : end.answer
    },
    (error: unknown) => {
      noteAnswered(request)
      if (!isStoreFailure(error)) throw error
      return toStoreFailure(request, error)
    },
  )
}

function noteAnswered({ surface, incoming }: McpRequest): void {
  incoming.isAnswered = true
  if (incoming.isLost === true) noteClientGone(surface, incoming)
}

/**
 * Adds the client's replies to the journal. Returns the questions that the call still waits for, if its client called
 * again only to wait.
 */
async function addReplies({ connection, context }: McpRequest, call: OpenCall): Promise<readonly Elicitation[]> {
  call.journal.addReplies(context.mcpReq.inputResponses ?? {})
  // This request has already waited for the hold time, so its handler runs at once.
  if (call.hasWaited) return []
  return holdRetry(connection, call, context)
}
