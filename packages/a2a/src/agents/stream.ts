// Streams a task, and waits for its next state: first the task, then the text of its run, then each state in which the
// run stops. The stream ends when the task needs an answer in a message. A question that is answered elsewhere does not
// end the stream, because the task continues without a message.

import { type StreamResponse, type Task, TaskState } from "@a2a-js/sdk"
import { brokenOffWords, hasEnded, isEnd } from "@holdpoint/agents/internal"
import { followTask, runStops } from "./follow.ts"
import type { A2aParts, A2aVisit, KnownTask } from "./parts.ts"
import { type ReadOptions, readTask } from "./read-task.ts"
import { createReplyUpdates } from "./reply-updates.ts"
import { isInterrupted, type RunNow, stateOf, statusOf } from "./state.ts"

export interface StreamOptions extends ReadOptions {
  readonly knownTask: KnownTask
  /** Whether the client resubscribes to a task. Then the stream stays open even if the task already needs input. */
  readonly isRepeated?: boolean
}

export async function* streamTask(
  parts: A2aParts,
  { signal }: A2aVisit,
  { knownTask, isRepeated = false, ...options }: StreamOptions,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { task: ids } = knownTask
  const first = await readTask(parts, knownTask, options)
  yield { payload: { $case: "task", value: first.task } }
  if (endsStream(first.now) && !(isRepeated && !hasEnded(first.now.run))) return
  const reply = createReplyUpdates(ids)
  for (const chunk of first.chunks) reply.add(chunk)
  reply.take()
  // The version of the run when its state was last sent. The first event contains the state of a task that needs input.
  let sentVersion = isInterrupted(stateOf(first.now)) ? first.now.run.version : undefined
  const hasEndChunk = first.chunks.some(({ chunk }) => isEnd(chunk))
  for await (const step of followTask(parts, { run: first.now.run, after: reply.chunk, hasEndChunk, signal })) {
    const updates = step.kind === "chunk" ? reply.add(step.chunk) : reply.flush()
    for (const value of updates) yield { payload: { $case: "artifactUpdate", value } }
    if (step.kind === "chunk" || step.now.run.version === sentVersion) continue
    sentVersion = step.now.run.version
    const failure = step.now.run.status === "failed" ? (reply.failure ?? brokenOffWords) : undefined
    const status = statusOf(ids, step.now, failure)
    const update = { taskId: ids.id, contextId: ids.context, status, metadata: undefined }
    yield { payload: { $case: "statusUpdate", value: update } }
    if (endsStream(step.now)) return
  }
}

const endsStream = (now: RunNow): boolean => hasEnded(now.run) || stateOf(now) === TaskState.TASK_STATE_INPUT_REQUIRED

export interface WaitOptions extends ReadOptions {
  /** Set after an answer: a run that still waits at this version is about to resume, so its pause is ignored. */
  readonly wokenAfter?: number | undefined
}

/**
 * Resolves with the task when it has ended or waits for people, or when the client disconnects. Reads the log only
 * once, at the end.
 */
export async function waitForTask(
  parts: A2aParts,
  { signal }: A2aVisit,
  knownTask: KnownTask,
  { wokenAfter, ...options }: WaitOptions,
): Promise<Task> {
  for await (const run of runStops(parts, knownTask.run, signal)) {
    if (run.version === wokenAfter) continue
    const { task, now } = await readTask(parts, { ...knownTask, run }, { ...options, isRead: true })
    if (hasEnded(run) || isInterrupted(stateOf(now))) return task
  }
  return (await readTask(parts, knownTask, options)).task
}
