// A call that its client does not wait for any more: it is given up as long as nothing was changed, and else brought to
// its end, so that nothing is left half done.

import { readers } from "./client.ts"
import type { Nextcloud } from "./nextcloud.ts"

export function untilGivenUp(nextcloud: Nextcloud, signal: AbortSignal): Nextcloud {
  let isChanging = false
  return {
    ...nextcloud,
    async send(request) {
      if (isChanging) return nextcloud.send(request)
      signal.throwIfAborted()
      isChanging = !readers.has(request.method ?? "GET")
      return nextcloud.send(isChanging ? request : { signal, ...request })
    },
  }
}
