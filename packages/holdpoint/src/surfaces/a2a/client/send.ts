// Messages to the agent as effects of the run: what came of each is in the journal before anything relies on it. A
// message whose fate is unknown is sent again only when the agent says that it has not arrived.

import type { Part } from "@a2a-js/sdk"
import { idFor, isDone } from "../../../asking/on-behalf.ts"
import { pause } from "../../../asking/pause.ts"
import { HoldpointError, isHoldpointError } from "../../../core/error.ts"
import type { Attempt, RemoteTask } from "./attempt.ts"
import { type Delivered, deliver, optionsOf } from "./deliver.ts"
import { judgeFailure } from "./failure.ts"
import { lookAt } from "./look.ts"
import { textPart } from "./parts.ts"
import { hasMessage } from "./snapshot.ts"

/** What came of the message that gives the task. */
export type Begun =
  | Delivered
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unreached"; readonly message: string }
  /** It is unknown whether the agent has begun. */
  | { readonly kind: "lost" }
  /** The account was refused, so that nothing was begun. */
  | { readonly kind: "account" }

/** How often a task is given again because the account was refused. */
const mostAccounts = 5

/** Gives the task. Throws `connection_needed` when the account has to be connected again: the next run goes on then. */
export async function giveTask(attempt: Attempt): Promise<Exclude<Begun, { kind: "account" }>> {
  const { ask } = attempt
  for (let number = 1; number <= mostAccounts; number++) {
    const key = `task ${number}`
    const isOld = await isDone(ask, key)
    const messageId = await idFor(ask, key)
    const begun = await ask.once(key, ({ again }) => begin(attempt, messageId, again), { repeatable: true })
    if (begun.kind !== "account") return begun
    if (!isOld) break
  }
  throw new HoldpointError("connection_needed", "The agent refused the account. Connect it again.")
}

async function begin(attempt: Attempt, messageId: string, again: boolean): Promise<Begun> {
  try {
    const known = again ? await findTask(attempt, messageId) : undefined
    if (known !== undefined) return known
    return await deliver(attempt, { messageId, parts: [textPart(attempt.call.text)] })
  } catch (error) {
    attempt.signal.throwIfAborted()
    if (isHoldpointError(error) && error.code === "connection_needed") return { kind: "account" }
    const failure = judgeFailure(error)
    if (failure.kind === "gone") return { kind: "refused", message: "The agent does not know the task." }
    if (failure.kind !== "lost") return failure
    return (await findTask(attempt, messageId)) ?? { kind: "lost" }
  }
}

/**
 * The task of a message that was sent and maybe not received. Undefined when the agent has no such task. An agent that
 * lists no tasks, as those of 0.3, cannot tell.
 */
async function findTask({ peer, signal }: Attempt, messageId: string): Promise<Begun | undefined> {
  const { lines, settings } = peer
  try {
    const { client } = await lines.open()
    const until = AbortSignal.any([signal, AbortSignal.timeout(settings.limits.readMs)])
    const { tasks } = await client.listTasks(
      { tenant: "", contextId: "", status: 0, pageToken: "", pageSize: 100, statusTimestampAfter: undefined },
      optionsOf(until),
    )
    const found = tasks.find((task) => hasMessage(task, messageId))
    return found && { kind: "task", task: { id: found.id, context: found.contextId, agent: settings.address } }
  } catch (error) {
    signal.throwIfAborted()
    judgeFailure(error)
    return { kind: "lost" }
  }
}

export interface Answering {
  readonly key: string
  readonly task: RemoteTask
  readonly parts: readonly Part[]
  /** The mark of the state that this answers. */
  readonly mark: string
}

/** What came of a message to a task. `sent`: the agent has it, or has gone on without it. */
export type Answered =
  | { readonly kind: "sent" }
  | Extract<Delivered, { kind: "reply" }>
  | { readonly kind: "refused" | "vanished"; readonly message: string }

export async function sendAnswer(attempt: Attempt, answering: Answering): Promise<Answered> {
  const messageId = await idFor(attempt.ask, answering.key)
  return attempt.ask.once(answering.key, ({ again }) => answer(attempt, { ...answering, messageId, again }), {
    repeatable: true,
  })
}

interface Sending extends Answering {
  readonly messageId: string
  readonly again: boolean
}

async function answer(attempt: Attempt, { messageId, again, task, parts, mark }: Sending): Promise<Answered> {
  const { peer, signal } = attempt
  const { runtime, limits } = peer.settings
  const since = runtime.now()
  let isUnsure = again
  for (let pauseMs = limits.pollMs; ; pauseMs = Math.min(pauseMs * 2, limits.mostPollMs)) {
    const look = isUnsure ? await lookAt(attempt, task, messageId) : undefined
    if (look?.kind === "seen" && (look.hasMessage || look.snapshot.mark !== mark)) return { kind: "sent" }
    if (look === undefined || look.kind === "seen") {
      try {
        const delivered = await deliver(attempt, { messageId, parts, task })
        return delivered.kind === "reply" ? delivered : { kind: "sent" }
      } catch (error) {
        signal.throwIfAborted()
        const failure = judgeFailure(error)
        if (failure.kind === "gone") return { kind: "sent" }
        if (failure.kind === "refused") return orMovedOn(attempt, { task, mark, message: failure.message })
      }
    }
    // What follows the task learns the same from the agent.
    if (look?.kind === "gone") return { kind: "sent" }
    const problem = look !== undefined && "message" in look ? look.message : "It does not answer."
    if (runtime.now() - since > limits.unreachedMs) return { kind: "vanished", message: problem }
    isUnsure = true
    await pause(runtime, pauseMs, signal)
  }
}

interface RefusedAnswer extends Pick<Answering, "task" | "mark"> {
  readonly message: string
}

/** An agent that has gone on in the meantime refuses answers to what it asked before. */
async function orMovedOn(attempt: Attempt, { task, mark, message }: RefusedAnswer): Promise<Answered> {
  const look = await lookAt(attempt, task)
  return look.kind === "seen" && look.snapshot.mark !== mark ? { kind: "sent" } : { kind: "refused", message }
}
