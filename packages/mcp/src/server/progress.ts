// Progress messages for clients that requested them, on the stream of their own request only. They are also sent while
// nothing happens, because many clients give up a silent call.

import type { Elicitation, Entry, Outcome } from "@holdpoint/hub"
import type { ProgressToken } from "@modelcontextprotocol/server"
import type { McpRequest } from "./request.ts"
import type { Step } from "./words.ts"
import { progressWords, stillWords } from "./words.ts"

type Listener = Pick<McpRequest, "surface" | "context">

/** The last progress value of each request. Progress values must only rise. */
const lastProgress = new WeakMap<object, number>()

/** How much is done, in the author's own unit. */
export interface ProgressAmount {
  readonly done: number
  /** The total amount of work, if it is known. */
  readonly total?: number
}

/** Sends a progress message. Does nothing when the client did not request progress. */
export async function sendProgress(
  listener: Listener,
  message: string,
  amount?: number | ProgressAmount,
): Promise<void> {
  const token = tokenOf(listener)
  if (token === undefined) return
  const { mcpReq } = listener.context
  const { done, total }: Partial<ProgressAmount> =
    typeof amount === "number" ? { done: amount, total: 1 } : (amount ?? {})
  const last = lastProgress.get(mcpReq.signal) ?? 0
  const progress = done === undefined || done <= last ? last + leastIncrement : done
  lastProgress.set(mcpReq.signal, progress)
  const messageParam = message === "" ? {} : { message }
  await mcpReq.notify({
    method: "notifications/progress",
    params: { progressToken: token, progress, ...messageParam, ...(total === undefined ? {} : { total }) },
  })
}

/** The increment for a message without an amount, or whose amount does not rise. */
const leastIncrement = 0.001

const tokenOf = ({ context }: Listener): ProgressToken | undefined => context.mcpReq._meta?.progressToken

export interface ProgressWatch {
  /** Reports the steps up to this outcome, which may be known before the trail entries of the steps arrive. */
  settled(outcome: Outcome): Promise<void>
  stop(): void
}

/** Reports the steps of a question while its call is held, each step once. */
export function watchProgress(listener: Listener, elicitation: Elicitation): ProgressWatch {
  if (tokenOf(listener) === undefined) return noWatch
  const { surface } = listener
  const steps = new Set<Step>()
  const sendStep = async (step: Step): Promise<void> => {
    if (steps.has(step)) return
    steps.add(step)
    await sendProgress(listener, progressWords(elicitation, step))
  }
  const reportUnsent = (error: unknown): void => surface.report("sending the progress of a question", error)
  sendStep("asked").catch(reportUnsent)
  const waitingText = stillWords(elicitation)
  const stopHeartbeat = surface.heartbeat.add(() => {
    sendProgress(listener, waitingText).catch((error: unknown) =>
      surface.report("sending a heartbeat for a held call", error),
    )
  })
  const onEntry = (entry: Entry): void => {
    for (const step of stepsOf(entry)) sendStep(step).catch(reportUnsent)
  }
  surface.followers.follow(elicitation.id, onEntry)
  return {
    async settled(outcome) {
      const { openedAt, verifiedAt } = (await surface.hub.get(elicitation.id)) ?? {}
      if (openedAt !== undefined) await sendStep("opened")
      if (verifiedAt !== undefined) await sendStep("signed in")
      if (outcome.status === "completed") await sendStep("done")
    },
    stop() {
      stopHeartbeat()
      surface.followers.unfollow(elicitation.id, onEntry)
    },
  }
}

const noWatch: ProgressWatch = { settled: async () => {}, stop: () => {} }

/**
 * The steps that a trail entry means for a waiting client. An `opened` entry that names a visitor also means that the
 * visitor has signed in.
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
