// Reads a task, polls it until the agent waits for a person or the task has ended, and cancels it.

import { askingOf, pause } from "@holdpoint/calls/internal"
import type { Attempt, RemoteTask } from "./attempt.ts"
import { optionsOf } from "./deliver.ts"
import type { Failure } from "./failure.ts"
import { judgeFailure } from "./failure.ts"
import type { Snapshot } from "./snapshot.ts"
import { hasMessage, toSnapshot } from "./snapshot.ts"
import { followStream } from "./stream.ts"

export type TaskStatus = { readonly kind: "seen"; readonly snapshot: Snapshot; readonly hasMessage: boolean } | Failure

/** Requests the current state of the task, and whether the task has a message with this id. */
export async function readTask(attempt: Attempt, { id }: RemoteTask, messageId = ""): Promise<TaskStatus> {
  const { peer, signal } = attempt
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(peer.settings.limits.readMs)])
  try {
    const { client } = await peer.connection.open()
    const task = await client.getTask({ tenant: "", id }, optionsOf(deadline))
    return { kind: "seen", snapshot: toSnapshot(task), hasMessage: messageId !== "" && hasMessage(task, messageId) }
  } catch (error) {
    signal.throwIfAborted()
    const failure = judgeFailure(error)
    // The agent may have moved: the next request fetches its card again.
    if (failure.kind === "unreached") peer.connection.drop()
    return failure
  }
}

/**
 * Why polling stopped. `turn`: the agent waits for a person, or the task has ended. `gone`: the agent does not know the
 * task. `vanished`: the agent has been out of reach for too long. `excess`: it answered with more than is read.
 */
export type TurnResult =
  | { readonly kind: "turn"; readonly snapshot: Snapshot }
  | { readonly kind: "gone" }
  | { readonly kind: "too-long" }
  | { readonly kind: "refused" | "vanished" | "excess"; readonly message: string }

export interface PollOptions {
  readonly task: RemoteTask
  /**
   * The mark of the state that the person has already answered. Polling continues while the task stays in that state.
   */
  readonly mark: string | undefined
  /** Stops the polling, which then rejects. */
  readonly signal: AbortSignal
  /** Whether a person has to act first, so that the limit of the agent's work does not run. */
  readonly isHeld?: boolean
}

export async function pollTask(
  attempt: Attempt,
  { task, mark, signal, isHeld = false }: PollOptions,
): Promise<TurnResult> {
  const { runtime, limits } = attempt.peer.settings
  const startedAt = runtime.now()
  let reachedAt = startedAt
  let falseAlarms = 0
  for (let pauseMs = limits.pollMs; ; pauseMs = Math.min(pauseMs * 2, limits.mostPollMs)) {
    signal.throwIfAborted()
    const status = await readTask(attempt, task)
    const now = runtime.now()
    if (status.kind === "gone" || status.kind === "refused" || status.kind === "excess") return status
    if (status.kind === "seen") {
      reachedAt = now
      const { snapshot } = status
      if (snapshot.state !== "working" && snapshot.mark !== mark) return { kind: "turn", snapshot }
    } else if (now - reachedAt > limits.unreachedMs) return { kind: "vanished", message: status.message }
    if (!isHeld && now - startedAt > limits.workMs) return { kind: "too-long" }
    // An event that changed nothing does not make the next poll come sooner than it would without a stream.
    if (falseAlarms > 0) await pause(runtime, pauseMs, signal)
    if (await waitForChange(attempt, { task, pauseMs, signal })) falseAlarms++
  }
}

interface ChangeWait extends Pick<PollOptions, "task" | "signal"> {
  readonly pauseMs: number
}

/**
 * Waits before the next poll: for an event of the task's stream, at most `mostPollMs`, or without a stream for
 * `pauseMs`. Resolves to whether there was an event.
 */
async function waitForChange(attempt: Attempt, { task, pauseMs, signal }: ChangeWait): Promise<boolean> {
  const { runtime, limits } = attempt.peer.settings
  const { stream } = attempt
  if (stream !== undefined && !stream.isOver) {
    const pauseEnd = new AbortController()
    const pauseSignal = AbortSignal.any([signal, pauseEnd.signal])
    try {
      return await Promise.race([
        stream.changed().then(() => true),
        pause(runtime, limits.mostPollMs, pauseSignal).then(() => false),
      ])
    } finally {
      pauseEnd.abort()
    }
  }
  await pause(runtime, pauseMs, signal)
  // If the agent cannot be reached, the next poll reports the failure.
  const connection = await attempt.peer.connection.open().catch(() => undefined)
  if (connection?.isStreaming !== true) return false
  const streamEnd = new AbortController()
  const options = optionsOf(AbortSignal.any([attempt.signal, streamEnd.signal]))
  attempt.stream = followStream(connection.client.resubscribeTask({ tenant: "", id: task.id }, options), streamEnd)
  return false
}

/** Cancels a task at the agent. A failure is reported, not thrown. */
export async function cancelTask(
  { peer, ask }: Pick<Attempt, "peer" | "ask">,
  { id }: Pick<RemoteTask, "id">,
): Promise<void> {
  const { connection, settings } = peer
  try {
    const { client } = await connection.open()
    await client.cancelTask(
      { tenant: "", id, metadata: undefined },
      optionsOf(AbortSignal.timeout(settings.limits.readMs)),
    )
  } catch (error) {
    if (!isOver(error)) askingOf(ask).report(`cancelling a task of ${settings.name}`, error)
  }
}

/** Whether the error means that the task has already ended, or that the agent no longer knows it. */
const isOver = (error: unknown): boolean =>
  error instanceof Error &&
  "reason" in error &&
  ["TASK_NOT_FOUND", "TASK_NOT_CANCELABLE"].includes(String(error.reason))
