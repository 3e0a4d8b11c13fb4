// The stream of a task. An event is only a signal to read the task again. A broken stream does no harm, because the
// task is polled anyway.

import type { StreamResponse } from "@a2a-js/sdk"
import { TaskState } from "@a2a-js/sdk"

export interface TaskStream {
  /**
   * Resolves at the next event that says that the agent no longer works: it waits for a person, or the task has ended.
   * Also resolves at the end of the stream.
   */
  changed(): Promise<void>
  readonly isOver: boolean
  close(): void
}

/** Follows a stream of a task's events from the next unread event on. `streamEnd` is aborted to close the stream. */
export function followStream(events: AsyncIterator<StreamResponse>, streamEnd: AbortController): TaskStream {
  let isOver = false
  const read = async (): Promise<void> => {
    try {
      for (;;) {
        const { done, value } = await events.next()
        if (done === true) break
        if (isStop(value)) return
      }
    } catch {
      // The connection broke, or this process closed the stream.
    }
    isOver = true
  }
  let reading: Promise<void> | undefined
  return {
    changed() {
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
    get isOver() {
      return isOver
    },
    close: () => streamEnd.abort(),
  }
}

function isStop({ payload }: StreamResponse): boolean {
  if (payload?.$case !== "statusUpdate" && payload?.$case !== "task") return false
  const state = payload.value.status?.state
  return state !== TaskState.TASK_STATE_WORKING && state !== TaskState.TASK_STATE_SUBMITTED
}
