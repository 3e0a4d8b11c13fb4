// Progress messages for clients that requested them, on the stream of their own request only. They are also sent while
// nothing happens, because many clients give up a silent call.

import type { ProgressToken } from "@modelcontextprotocol/server"
import type { Elicitation, Outcome } from "../../core/elicitation.ts"
import type { Entry } from "../../ports/trail.ts"
import type { McpRequest } from "./request.ts"
import type { Step } from "./words.ts"
import { progressWords, stillWords } from "./words.ts"

type Listener = Pick<McpRequest, "surface" | "context">

/** The last progress value of each request. It must only rise. */
const told = new WeakMap<object, number>()

/** How much is done, in the author's own unit. */
export interface ProgressAmount {
  readonly done: number
  /** How much there is to do, if it is known. */
  readonly total?: number
}

/** Sends a progress message. Does nothing when the client did not request progress. */
export async function tellProgress(
  listener: Listener,
  message: string,
  amount?: number | ProgressAmount,
): Promise<void> {
  const token = tokenOf(listener)
  if (token === undefined) return
  const { mcpReq } = listener.context
  const { done, total }: Partial<ProgressAmount> =
    typeof amount === "number" ? { done: amount, total: 1 } : (amount ?? {})
  const last = told.get(mcpReq.signal) ?? 0
  const progress = done === undefined || done <= last ? last + step : done
  told.set(mcpReq.signal, progress)
  const words = message === "" ? {} : { message }
  await mcpReq.notify({
    method: "notifications/progress",
    params: { progressToken: token, progress, ...words, ...(total === undefined ? {} : { total }) },
  })
}

/** The increment when the author gives no fraction: it shows only that the call goes on. */
const step = 0.001

const tokenOf = ({ context }: Listener): ProgressToken | undefined => context.mcpReq._meta?.progressToken

export interface ProgressWatch {
  /** Reports the outcome, which may arrive before the trail entry. */
  settled(outcome: Outcome): Promise<void>
  stop(): void
}

/** Reports the steps of a question while its call is held, each step once. */
export function watchProgress(listener: Listener, elicitation: Elicitation): ProgressWatch {
  if (tokenOf(listener) === undefined) return nobodyWatches
  const { surface } = listener
  const steps = new Set<Step>()
  const tell = async (step: Step): Promise<void> => {
    if (steps.has(step)) return
    steps.add(step)
    await tellProgress(listener, progressWords(elicitation, step)).catch((error: unknown) =>
      surface.report("telling how a question stands", error),
    )
  }
  void tell("asked")
  const still = stillWords(elicitation)
  const unbeat = surface.heartbeat.add(() => {
    tellProgress(listener, still).catch((error: unknown) => surface.report("telling that a call is held", error))
  })
  const happened = (entry: Entry): void => {
    for (const step of stepsOf(entry)) void tell(step)
  }
  surface.followers.follow(elicitation.id, happened)
  return {
    async settled(outcome) {
      const { openedAt, verifiedAt } = (await surface.hub.get(elicitation.id)) ?? {}
      if (openedAt !== undefined) await tell("opened")
      if (verifiedAt !== undefined) await tell("signed in")
      if (outcome.status === "completed") await tell("done")
    },
    stop() {
      unbeat()
      surface.followers.unfollow(elicitation.id, happened)
    },
  }
}

const nobodyWatches: ProgressWatch = { settled: async () => {}, stop: () => {} }

/**
 * The steps that a trail entry means for a waiting client. The pages of this server record a visit once they know the
 * visitor.
 */
export function stepsOf({ kind, detail }: Entry): readonly Exclude<Step, "asked">[] {
  switch (kind) {
    case "opened":
      return detail.by === undefined ? ["opened"] : ["opened", "signed in"]
    case "accepted":
      return [detail.via?.startsWith("mcp") === true ? "going" : "agreed"]
    case "completed":
      return ["done"]
    default:
      return []
  }
}
