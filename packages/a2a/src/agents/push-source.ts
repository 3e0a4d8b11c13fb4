// Passes changes of tasks to push notifications, and reads the current status of a task for them.

import { hasEnded } from "@holdpoint/agents/internal"
import type { Asking } from "@holdpoint/calls"
import type { A2aParts } from "./parts.ts"
import type { A2aPush, PushedTask, PushSource } from "./push-port.ts"
import { readTask } from "./read-task.ts"
import type { A2aTask } from "./records.ts"

export const createPushSource = (parts: A2aParts): PushSource => ({
  async statusOf(id) {
    const task = await parts.tasks.get(id)
    const run = task === undefined ? undefined : await parts.conversations.get(id)
    if (task === undefined || run === undefined) return undefined
    const { task: read, now } = await readTask(parts, { task, run }, { historyLength: 0 })
    const { contextId, status } = read
    return {
      ...{ task: toPushed(task), number: now.run.version, isOver: hasEnded(now.run) },
      response: { payload: { $case: "statusUpdate", value: { taskId: id, contextId, status, metadata: undefined } } },
    }
  },
})

export const toPushed = ({ id, tenant, person, expiresAt }: A2aTask): PushedTask => ({ id, tenant, person, expiresAt })

interface ChangeListenerParts {
  readonly followers: Asking["followers"]
  readonly report: (activity: string, error: unknown) => void
}

/** Passes each change of a task to `push`. Returns an unsubscribe function. */
export function notifyChanges(parts: A2aParts, push: A2aPush, { followers, report }: ChangeListenerParts): () => void {
  const notify = async (id: string): Promise<void> => {
    const task = await parts.tasks.get(id)
    const run = task === undefined ? undefined : await parts.conversations.get(id)
    if (task !== undefined && run !== undefined) push.taskChanged({ task: toPushed(task), number: run.version })
  }
  return followers.followAll(({ kind, id }) => {
    if (kind === "run") notify(id).catch((error: unknown) => report("notifying clients of the change of a task", error))
  })
}
