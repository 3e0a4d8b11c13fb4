// Requests that wait for the end of a question: by events, for a time, until the client leaves or the server stops. A
// wait that is over leaves nothing behind.

import type { Hub } from "../../hub/hub.ts"
import type { Runtime } from "../../ports/runtime.ts"

export interface Waits {
  /** Resolves when the question has ended, the time is over, the client is gone, or the server stops. */
  wait(id: string, options: { readonly ms: number; readonly gone: AbortSignal }): Promise<void>
  /** Ends all waits. Their requests are answered with the question as it is. */
  close(): void
}

interface WaitParts {
  readonly hub: Pick<Hub, "wait" | "leave">
  readonly runtime: Pick<Runtime, "after">
}

export function createWaits({ hub, runtime }: WaitParts): Waits {
  const open = new Set<AbortController>()
  let isClosed = false
  return {
    async wait(id, { ms, gone }) {
      if (isClosed || gone.aborted) return
      const over = new AbortController()
      const end = (): void => over.abort()
      const cancelTimer = runtime.after(ms, end)
      gone.addEventListener("abort", end)
      open.add(over)
      try {
        await hub.wait(id, { signal: over.signal, onAbort: "leave" })
      } catch (error) {
        if (!over.signal.aborted) throw error
        hub.leave(id)
      } finally {
        cancelTimer()
        gone.removeEventListener("abort", end)
        open.delete(over)
      }
    },
    close() {
      isClosed = true
      for (const over of open) over.abort()
    },
  }
}
