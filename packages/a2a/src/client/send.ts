// Sends messages to the agent as effects of the run: each result is in the journal before anything relies on it. A
// message with an unknown result is sent again only when the agent has no task with it.

import type { Part } from "@a2a-js/sdk"
import { idFor, isDone, pause } from "@holdpoint/calls/internal"
import { HoldpointError, isHoldpointError } from "@holdpoint/hub"
import type { Attempt, RemoteTask } from "./attempt.ts"
import { type AgentResponse, deliver, optionsOf } from "./deliver.ts"
import { judgeFailure } from "./failure.ts"
import { textPart } from "./parts.ts"
import { readTask } from "./poll.ts"
import { hasMessage } from "./snapshot.ts"

/** The result of the message that starts the task. */
export type StartResult =
  | AgentResponse
  | { readonly kind: "refused" | "unreached" | "excess"; readonly message: string }
  /** It is unknown whether the agent has begun the task. */
  | { readonly kind: "lost" }
  /** The agent refused the account, so the task has not begun. */
  | { readonly kind: "account" }

/** The most attempts to start a task whose account the agent refuses. */
const mostAccounts = 5

/**
 * Sends the task to the agent. Throws `connection_needed` when the account must be connected again; the next run then
 * sends the task again.
 */
export async function giveTask(attempt: Attempt): Promise<Exclude<StartResult, { kind: "account" }>> {
  const { ask } = attempt
  for (let number = 1; number <= mostAccounts; number++) {
    const key = `task ${number}`
    const isStored = await isDone(ask, key)
    const messageId = await idFor(ask, key)
    const result = await ask.once(key, ({ again }) => startTask(attempt, messageId, again), { repeatable: true })
    if (result.kind !== "account") return result
    if (!isStored) break
  }
  throw new HoldpointError("connection_needed", "The agent refused the account. Connect it again.")
}

async function startTask(attempt: Attempt, messageId: string, isRepeat: boolean): Promise<StartResult> {
  try {
    const existing = isRepeat ? await findTask(attempt, messageId) : undefined
    if (existing !== undefined) return existing
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

/** The most pages of an agent's tasks that are searched for a message. */
const mostPages = 100

/**
 * Finds the task that a message started, if the message arrived. Searches all pages: other tasks may have changed
 * later. Returns undefined when the agent has no such task, and `lost` when the agent's tasks could not all be listed:
 * agents of protocol 0.3 cannot list them.
 */
async function findTask({ peer, signal }: Attempt, messageId: string): Promise<StartResult | undefined> {
  const { connection, settings } = peer
  try {
    const { client } = await connection.open()
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(settings.limits.readMs)])
    let pageToken = ""
    for (let page = 0; page < mostPages; page++) {
      const { tasks, nextPageToken } = await client.listTasks(
        { tenant: "", contextId: "", status: 0, pageToken, pageSize: 100, statusTimestampAfter: undefined },
        optionsOf(deadline),
      )
      const task = tasks.find((task) => hasMessage(task, messageId))
      if (task !== undefined)
        return { kind: "task", task: { id: task.id, context: task.contextId, agent: settings.address } }
      if (nextPageToken === "") return undefined
      pageToken = nextPageToken
    }
    return { kind: "lost" }
  } catch (error) {
    signal.throwIfAborted()
    judgeFailure(error)
    return { kind: "lost" }
  }
}

export interface AnswerMessage {
  readonly key: string
  readonly task: RemoteTask
  readonly parts: readonly Part[]
  /** The mark of the task's state that the message answers: the agent has continued when the task has another mark. */
  readonly mark: string
}

/** The result of a message to a task. `sent`: the agent has received the message, or has continued without it. */
export type AnswerResult =
  | { readonly kind: "sent" }
  | Extract<AgentResponse, { kind: "reply" }>
  | { readonly kind: "refused" | "vanished" | "excess"; readonly message: string }

export async function sendAnswer(attempt: Attempt, message: AnswerMessage): Promise<AnswerResult> {
  const messageId = await idFor(attempt.ask, message.key)
  return attempt.ask.once(message.key, ({ again }) => answer(attempt, { ...message, messageId, isRepeat: again }), {
    repeatable: true,
  })
}

interface AnswerAttempt extends AnswerMessage {
  readonly messageId: string
  readonly isRepeat: boolean
}

async function answer(
  attempt: Attempt,
  { messageId, isRepeat, task, parts, mark }: AnswerAttempt,
): Promise<AnswerResult> {
  const { peer, signal } = attempt
  const { runtime, limits } = peer.settings
  const startedAt = runtime.now()
  let mayHaveArrived = isRepeat
  for (let pauseMs = limits.pollMs; ; pauseMs = Math.min(pauseMs * 2, limits.mostPollMs)) {
    const status = mayHaveArrived ? await readTask(attempt, task, messageId) : undefined
    if (status?.kind === "excess") return status
    if (status?.kind === "seen" && (status.hasMessage || status.snapshot.mark !== mark)) return { kind: "sent" }
    if (status === undefined || status.kind === "seen") {
      try {
        const delivered = await deliver(attempt, { messageId, parts, task })
        return delivered.kind === "reply" ? delivered : { kind: "sent" }
      } catch (error) {
        signal.throwIfAborted()
        const failure = judgeFailure(error)
        if (failure.kind === "gone") return { kind: "sent" }
        if (failure.kind === "excess") return failure
        if (failure.kind === "refused") return refusedUnlessMovedOn(attempt, { task, mark, message: failure.message })
      }
    }
    // The agent does not know the task. The next poll of the task reports that.
    if (status?.kind === "gone") return { kind: "sent" }
    const problem = status !== undefined && "message" in status ? status.message : "It does not answer."
    if (runtime.now() - startedAt > limits.unreachedMs) return { kind: "vanished", message: problem }
    mayHaveArrived = true
    await pause(runtime, pauseMs, signal)
  }
}

interface RefusedAnswer extends Pick<AnswerMessage, "task" | "mark"> {
  readonly message: string
}

/** Treats a refused answer as sent if the agent has continued: it then refuses answers to its earlier question. */
async function refusedUnlessMovedOn(attempt: Attempt, { task, mark, message }: RefusedAnswer): Promise<AnswerResult> {
  const status = await readTask(attempt, task)
  return status.kind === "seen" && status.snapshot.mark !== mark ? { kind: "sent" } : { kind: "refused", message }
}
