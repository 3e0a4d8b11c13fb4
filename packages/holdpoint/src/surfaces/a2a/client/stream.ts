// The stream of a task. It only tells that something has changed: what counts is what the agent says when it is asked for
// the task. A stream that breaks does no harm, because the task is looked at anyway.

import type { StreamResponse } from "@a2a-js/sdk"
import { TaskState } from "@a2a-js/sdk"

export interface TaskStream {
  /** Resolves at the next event after which the agent may wait for a person or have ended, or at the end of the stream. */
  changed(): Promise<void>
  readonly isOver: boolean
  close(): void
}

/** Reads on in a stream whose first events were read. */
export function readOn(events: AsyncIterator<StreamResponse>, over: AbortController): TaskStream {
  let isOver = false
  const read = async (): Promise<void> => {
    try {
      for (;;) {
        const { done, value } = await events.next()
        if (done === true) break
        if (isStop(value)) return
      }
    } catch {
      // Broken off, or closed here.
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
    close: () => over.abort(),
  }
}

function isStop({ payload }: StreamResponse): boolean {
  if (payload?.$case !== "statusUpdate" && payload?.$case !== "task") return false
  const state = payload.value.status?.state
  return state !== TaskState.TASK_STATE_WORKING && state !== TaskState.TASK_STATE_SUBMITTED
}
