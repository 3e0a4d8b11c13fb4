// Progress in words, for clients that asked to be told: on the stream of their own request, and on no other.

import type { ProgressToken } from "@modelcontextprotocol/server"
import type { Elicitation } from "../../core/elicitation.ts"
import type { Entry } from "../../ports/trail.ts"
import type { Turn } from "./turn.ts"
import { progressWords } from "./words.ts"

/** How far each request has told; it only ever rises. */
const told = new WeakMap<object, number>()

/** Does nothing when the client did not ask for it. */
export async function tellProgress(turn: Turn, message: string, fraction?: number): Promise<void> {
  const token = tokenOf(turn)
  if (token === undefined) return
  const { mcpReq } = turn.context
  const last = told.get(mcpReq.signal) ?? 0
  const progress = fraction === undefined || fraction <= last ? last + step : fraction
  told.set(mcpReq.signal, progress)
  const total = fraction === undefined ? {} : { total: 1 }
  await mcpReq.notify({
    method: "notifications/progress",
    params: { progressToken: token, progress, message, ...total },
  })
}

/** Without a fraction from the author nobody knows how far it is: only that it goes on. */
const step = 0.001

const tokenOf = ({ context }: Turn): ProgressToken | undefined => context.mcpReq._meta?.progressToken

/** Tells what happens to a question while its call is held. */
export function watchProgress(turn: Turn, elicitation: Elicitation): () => void {
  if (tokenOf(turn) === undefined) return () => {}
  const { surface } = turn
  const tell = (words: string): void => {
    tellProgress(turn, words).catch((error: unknown) => surface.report("telling how a question stands", error))
  }
  tell(progressWords(elicitation, "asked"))
  return surface.followers.follow(elicitation.id, (entry) => {
    const step = stepOf(entry)
    if (step !== undefined) tell(progressWords(elicitation, step))
  })
}

function stepOf({ kind, detail }: Entry): Parameters<typeof progressWords>[1] | undefined {
  switch (kind) {
    case "opened":
      return detail.by === undefined ? "opened" : "signed in"
    case "accepted":
      return "agreed"
    case "completed":
      return "done"
    default:
      return undefined
  }
}
