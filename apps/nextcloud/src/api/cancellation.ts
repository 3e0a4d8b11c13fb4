// Cancellation of a call: when the client cancels, reads are aborted; once a write has begun, the call runs to its end,
// so that nothing is left half done.

import { readMethods } from "./client.ts"
import type { Nextcloud } from "./nextcloud.ts"

export function withCancellation(nextcloud: Nextcloud, signal: AbortSignal): Nextcloud {
  let isChanging = false
  return {
    ...nextcloud,
    async send(request) {
      if (isChanging) return nextcloud.send(request)
      signal.throwIfAborted()
      isChanging = !readMethods.has(request.method ?? "GET")
      return nextcloud.send(isChanging ? request : { signal, ...request })
    },
  }
}
