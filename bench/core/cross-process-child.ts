// The process that waits for answers given by another process.

import { setImmediate } from "node:timers/promises"
import { serve } from "../child.ts"
import { sharedNow } from "../measure.ts"
import type { OpenHub, StoreLocation } from "./store-locations.ts"
import { openHub } from "./store-locations.ts"

let opened: OpenHub
const resumed = new Map<string, Promise<number | null>>()

const commands = {
  async open({ location }: { location: StoreLocation }): Promise<void> {
    opened = await openHub(location)
  },

  /** Resolves when the waiter is in place and has read the question: only a wake-up can resume it now. */
  async expect({ id, timeoutMs }: { id: string; timeoutMs: number }): Promise<void> {
    const waiting = opened.hub.wait(id, { signal: AbortSignal.timeout(timeoutMs), onAbort: "leave" })
    resumed.set(
      id,
      waiting.then(sharedNow, () => null),
    )
    await opened.hub.get(id)
    await setImmediate()
  },

  /** When the waiter resumed, or null if it was never woken. */
  async resumed({ id }: { id: string }): Promise<number | null> {
    const at = await resumed.get(id)
    resumed.delete(id)
    return at ?? null
  },
}

export type CrossProcessCommands = typeof commands

serve(commands, async () => {
  await opened?.close()
})
