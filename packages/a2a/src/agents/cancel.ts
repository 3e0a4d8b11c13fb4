// Cancels a task by stopping its run: no further step begins. A consent that the person has begun stays open.

import type { Task } from "@a2a-js/sdk"
import { TaskNotCancelableError } from "@a2a-js/sdk/errors"
import { hasEnded } from "@holdpoint/agents/internal"
import { followTask } from "./follow.ts"
import type { A2aParts, A2aVisit, KnownTask } from "./parts.ts"
import { readTask } from "./read-task.ts"

/** How long the response waits for a tool that ignores the stop. The task ends in any case. */
const waitMs = 10_000

export async function cancelTask(parts: A2aParts, { signal }: A2aVisit, knownTask: KnownTask): Promise<Task> {
  const { runs, conversations, runtime } = parts
  const { run } = knownTask
  if (hasEnded(run)) throw new TaskNotCancelableError("This task has ended already.")
  await runs.stop(run.id)
  // If the process that began the run died before it could start the run, no process ends the run.
  if (!(await runs.isKnown(run.id)))
    await conversations.change(run.id, (now) => (hasEnded(now) ? undefined : { ...now, status: "stopped" }))
  const leave = new AbortController()
  const cancel = runtime.after(waitMs, () => leave.abort())
  try {
    const following = { run, after: 0, signal: AbortSignal.any([signal, leave.signal]) }
    for await (const step of followTask(parts, following)) if (step.kind === "stop" && hasEnded(step.now.run)) break
  } finally {
    cancel()
  }
  return (await readTask(parts, knownTask)).task
}
