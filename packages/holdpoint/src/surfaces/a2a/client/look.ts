// Looks at a task, follows it until the agent waits for a person or has ended, and cancels it.

import { askingOf } from "../../../asking/on-behalf.ts"
import { pause } from "../../../asking/pause.ts"
import type { Attempt, RemoteTask } from "./attempt.ts"
import { optionsOf } from "./deliver.ts"
import type { Failure } from "./failure.ts"
import { judgeFailure } from "./failure.ts"
import type { Snapshot } from "./snapshot.ts"
import { hasMessage, toSnapshot } from "./snapshot.ts"
import { readOn } from "./stream.ts"

export type Look = { readonly kind: "seen"; readonly snapshot: Snapshot; readonly hasMessage: boolean } | Failure

/** Asks the agent for the task as it is now, and whether the task has a message with this id. */
export async function lookAt(attempt: Attempt, { id }: RemoteTask, messageId = ""): Promise<Look> {
  const { peer, signal } = attempt
  const until = AbortSignal.any([signal, AbortSignal.timeout(peer.settings.limits.readMs)])
  try {
    const { client } = await peer.lines.open()
    const task = await client.getTask({ tenant: "", id }, optionsOf(until))
    return { kind: "seen", snapshot: toSnapshot(task), hasMessage: messageId !== "" && hasMessage(task, messageId) }
  } catch (error) {
    signal.throwIfAborted()
    const failure = judgeFailure(error)
    // An agent that was moved has another card.
    if (failure.kind === "unreached") peer.lines.drop()
    return failure
  }
}

/** How the agent's work ended for now: it waits or has ended, or there is no more to expect of it. */
export type Turn =
  | { readonly kind: "turn"; readonly snapshot: Snapshot }
  | { readonly kind: "gone" }
  | { readonly kind: "too-long" }
  | { readonly kind: "refused" | "vanished"; readonly message: string }

export interface Following {
  readonly task: RemoteTask
  /** The mark of the state that was answered, which is not told again. */
  readonly mark: string | undefined
  /** Ends the wait early. */
  readonly signal: AbortSignal
  /** Whether a person is expected to act first, so that the agent's own time does not run. */
  readonly isHeld?: boolean
}

export async function follow(attempt: Attempt, { task, mark, signal, isHeld = false }: Following): Promise<Turn> {
  const { runtime, limits } = attempt.peer.settings
  const since = runtime.now()
  let reachedAt = since
  for (let pauseMs = limits.pollMs; ; pauseMs = Math.min(pauseMs * 2, limits.mostPollMs)) {
    signal.throwIfAborted()
    const look = await lookAt(attempt, task)
    const now = runtime.now()
    if (look.kind === "gone") return look
    if (look.kind === "refused") return look
    if (look.kind === "seen") {
      reachedAt = now
      const { snapshot } = look
      if (snapshot.state !== "working" && snapshot.mark !== mark) return { kind: "turn", snapshot }
    } else if (now - reachedAt > limits.unreachedMs) return { kind: "vanished", message: look.message }
    if (!isHeld && now - since > limits.workMs) return { kind: "too-long" }
    await waitForChange(attempt, { task, pauseMs, signal })
  }
}

interface Waiting extends Pick<Following, "task" | "signal"> {
  readonly pauseMs: number
}

/** Waits for an event of the stream. Without a stream, or when it is silent, for a while. */
async function waitForChange(attempt: Attempt, { task, pauseMs, signal }: Waiting): Promise<void> {
  const { runtime, limits } = attempt.peer.settings
  const { stream } = attempt
  if (stream !== undefined && !stream.isOver) {
    const silent = new AbortController()
    const both = AbortSignal.any([signal, silent.signal])
    try {
      await Promise.race([stream.changed(), pause(runtime, limits.mostPollMs, both)])
    } finally {
      silent.abort()
    }
    return
  }
  await pause(runtime, pauseMs, signal)
  // An agent that cannot be reached is judged by the next look.
  const line = await attempt.peer.lines.open().catch(() => undefined)
  if (line?.isStreaming !== true) return
  const over = new AbortController()
  const options = optionsOf(AbortSignal.any([attempt.signal, over.signal]))
  attempt.stream = readOn(line.client.resubscribeTask({ tenant: "", id: task.id }, options), over)
}

/** Tells the agent that its task is not needed any more. An agent that cannot be told is only reported. */
export async function cancelTask(
  { peer, ask }: Pick<Attempt, "peer" | "ask">,
  { id }: Pick<RemoteTask, "id">,
): Promise<void> {
  const { lines, settings } = peer
  try {
    const { client } = await lines.open()
    await client.cancelTask(
      { tenant: "", id, metadata: undefined },
      optionsOf(AbortSignal.timeout(settings.limits.readMs)),
    )
  } catch (error) {
    if (!isOver(error)) askingOf(ask).report(`cancelling a task of ${settings.name}`, error)
  }
}

/** Whether the task has ended already, or is not known any more. */
const isOver = (error: unknown): boolean =>
  error instanceof Error &&
  "reason" in error &&
  ["TASK_NOT_FOUND", "TASK_NOT_CANCELABLE"].includes(String(error.reason))
