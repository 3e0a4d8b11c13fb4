// Requests that wait for the end of a question. A wait ends by an event, after a time, or when the client disconnects
// or the server stops. After a wait, only a shared timer remains in memory.

import type { Hub, Runtime } from "@holdpoint/hub"

export interface Waits {
  /** Resolves when the question has ended, the time has passed, the client has disconnected, or the server stops. */
  wait(id: string, options: { readonly ms: number; readonly disconnected: AbortSignal }): Promise<void>
  /** Ends all waits. Their requests are answered with the current state of the question. */
  close(): void
}

interface WaitParts {
  readonly hub: Pick<Hub, "wait" | "leave">
  readonly runtime: Pick<Runtime, "after" | "now">
}

/** The length of a time slot. Waits that end in the same slot share a timer and a signal. */
const slotMs = 100

interface Slot {
  readonly timeLimit: AbortController
  readonly cancelTimer: () => void
}

export function createWaits({ hub, runtime }: WaitParts): Waits {
  const slots = new Map<number, Slot>()
  let isClosed = false

  const openSlot = (number: number): Slot => {
    const timeLimit = new AbortController()
    const end = (): void => {
      slots.delete(number)
      timeLimit.abort()
    }
    const slot = { timeLimit, cancelTimer: runtime.after(number * slotMs - runtime.now(), end) }
    slots.set(number, slot)
    return slot
  }
  const signalAfter = (ms: number): AbortSignal => {
    const number = Math.ceil((runtime.now() + ms) / slotMs)
    return (slots.get(number) ?? openSlot(number)).timeLimit.signal
  }

  return {
    async wait(id, { ms, disconnected }) {
      if (isClosed || disconnected.aborted) return
      const timeLimit = signalAfter(ms)
      try {
        await hub.wait(id, { signal: [disconnected, timeLimit], onAbort: "leave" })
      } catch (error) {
        if (!timeLimit.aborted && !disconnected.aborted) throw error
        hub.leave(id)
      }
    },
    close() {
      isClosed = true
      for (const { timeLimit, cancelTimer } of slots.values()) {
        cancelTimer()
        timeLimit.abort()
      }
      slots.clear()
    },
  }
}
