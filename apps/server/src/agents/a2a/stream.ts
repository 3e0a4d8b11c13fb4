// The stream of a task, and the wait for its next state: the task as it is, then what its run says, then each state in
// which it stops. A question that a message answers ends the stream. One that is answered elsewhere does not: the task
// goes on by itself.

import { type StreamResponse, type Task, TaskState } from "@a2a-js/sdk"
import { hasEnded } from "../conversations.ts"
import { isEnd } from "../run-log.ts"
import { followTask, runStops } from "./follow.ts"
import type { A2aParts, A2aVisit, KnownTask } from "./parts.ts"
import { brokenOff, type ReadOptions, readTask } from "./read-task.ts"
import { createReplyUpdates } from "./reply-updates.ts"
import { isInterrupted, type RunNow, stateOf, statusOf } from "./state.ts"

export interface StreamOptions extends ReadOptions {
  readonly knownTask: KnownTask
  /** Whether the client reads on in a task that it knows: then it waits also while the task needs input. */
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
  // What the first event said already.
  let toldVersion = isInterrupted(stateOf(first.now)) ? first.now.run.version : undefined
  const isSaid = first.chunks.some(({ chunk }) => isEnd(chunk))
  for await (const step of followTask(parts, { run: first.now.run, after: reply.chunk, isSaid, signal })) {
    const updates = step.is === "chunk" ? reply.add(step.chunk) : reply.flush()
    for (const value of updates) yield { payload: { $case: "artifactUpdate", value } }
    if (step.is === "chunk" || step.now.run.version === toldVersion) continue
    toldVersion = step.now.run.version
    const failure = step.now.run.status === "failed" ? (reply.failure ?? brokenOff) : undefined
    const status = statusOf(ids, step.now, failure)
    const update = { taskId: ids.id, contextId: ids.context, status, metadata: undefined }
    yield { payload: { $case: "statusUpdate", value: update } }
    if (endsStream(step.now)) return
  }
}

const endsStream = (now: RunNow): boolean => hasEnded(now.run) || stateOf(now) === TaskState.TASK_STATE_INPUT_REQUIRED

export interface WaitOptions extends ReadOptions {
  /** The version of the run before it was woken by an answer: until it has changed, its pause is an old one. */
  readonly wokenAfter?: number | undefined
}

/**
 * The task when it has ended or waits for people, or when the client has left. What the run says meanwhile is read
 * once, at its end.
 */
export async function waitForTask(
  parts: A2aParts,
  { signal }: A2aVisit,
  known: KnownTask,
  { wokenAfter, ...options }: WaitOptions,
): Promise<Task> {
  for await (const run of runStops(parts, known.run, signal)) {
    if (run.version === wokenAfter) continue
    const { task, now } = await readTask(parts, { ...known, run }, { ...options, isRead: true })
    if (hasEnded(run) || isInterrupted(stateOf(now))) return task
  }
  return (await readTask(parts, known, options)).task
}
