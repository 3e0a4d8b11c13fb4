// One run of a handler that may ask: what the client brought along, the handler itself, and what came of it. Loaded with
// the first call.

import type { ServerContext } from "@modelcontextprotocol/server"
import type { OpenCall } from "../../asking/open-call.ts"
import { isRefusal } from "../../asking/refusal.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { isSettled } from "../../core/elicitation.ts"
import { isHoldpointError } from "../../core/error.ts"
import type { Ask } from "./ask.ts"
import { createAsk } from "./ask.ts"
import { waitAtPages } from "./at-pages.ts"
import { answerStill, answerWaiting, toFailure } from "./result.ts"
import type { Connection, Incoming } from "./surface.ts"
import type { Turn } from "./turn.ts"
import { createTurn } from "./turn.ts"

export async function play(
  connection: Connection,
  incoming: Incoming,
  context: ServerContext,
  handler: (ask: Ask) => Promise<unknown>,
  isSecond = false,
): Promise<unknown> {
  const { claimed } = incoming
  claimed?.work()
  if (claimed !== undefined && !isSecond) {
    const open = await goOn(connection, claimed, context)
    if (open.length > 0) return answerStill(createTurn(connection, context, incoming), open)
  }
  const turn = createTurn(connection, context, incoming)
  const ended = handler(createAsk(turn)).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  const run = await Promise.race([ended, turn.stopped.then((waiting) => ({ waiting }))])
  turn.end()
  const call = await turn.opened()
  const first = judged(run, call)
  // Nobody hears the answer: the same state may come again, and finds what was done.
  if (turn.signal.aborted && (incoming.claimed !== undefined || "error" in first)) {
    await call?.release()
    throw "error" in first ? first.error : turn.signal.reason
  }
  if ("waiting" in first) return answerWaiting(turn, first.waiting)
  if ("value" in first) {
    await endCall(turn, call)
    return first.value
  }
  const { error } = first
  // The account was lost while it was being used: run again, the handler asks for it.
  if (isHoldpointError(error) && error.code === "connection_needed" && !isSecond) {
    const again = call === undefined ? incoming : { ...incoming, claimed: call.restart() }
    return play(connection, again, context, handler, true)
  }
  await endCall(turn, call)
  if (isRefusal(error) || isHoldpointError(error)) return toFailure(turn, error)
  throw error
}

/** What the client brought along; and, if it only came to wait, what it still waits for. */
async function goOn(connection: Connection, call: OpenCall, context: ServerContext): Promise<readonly Elicitation[]> {
  call.journal.bring(context.mcpReq.inputResponses ?? {})
  // It has waited long enough for one request.
  if (call.wasLeft) return []
  try {
    return await waitAtPages(connection, call, context)
  } catch (error) {
    await call.release()
    throw error
  }
}

/** A run that went another way than before has failed, whatever came of it. */
function judged<Run extends object>(run: Run, call: OpenCall | undefined): Run | { readonly error: unknown } {
  if ("error" in run) return run
  try {
    call?.journal.check()
    return run
  } catch (error) {
    return { error }
  }
}

/** Forms that a call leaves open are of no use to anybody any more; a consent that was begun is. */
async function endCall({ surface: { hub, report } }: Turn, call: OpenCall | undefined): Promise<void> {
  try {
    // Whoever has gone on with it needs them.
    if ((await call?.finish()) === false) return
    for (const entry of call?.journal.entries.values() ?? []) {
      const left = entry.kind === "asked" ? await hub.get(entry.elicitation) : undefined
      if (left?.mode === "form" && !isSettled(left.status)) await hub.cancel(left.id, { code: "call_over" })
    }
  } catch (error) {
    // What came of the call counts, and is told all the same.
    report("putting away a call that is over", error)
  }
}
