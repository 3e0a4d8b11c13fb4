// Retries revocations in the background: wakes for the nearest due one, including those of other processes.

import type { ConnectionChanges } from "./connection-changes.ts"
import type { VaultParts } from "./parts.ts"
import { openRevocations } from "./revoke.ts"

export interface Outbox {
  /** Tries all due revocations now. */
  work(): Promise<void>
  stop(): void
}

export function createOutbox(parts: VaultParts, changes: ConnectionChanges): Outbox {
  const { runtime } = parts.tools
  const due = openRevocations(parts, { looks: true })
  // Every node is notified of a disconnection, so that a surviving node finishes it.
  const unsubscribe = changes.listen(({ kind }) => {
    if (kind === "disconnected") due.arm(runtime.now() + parts.vaultTimes.revokeFirstMs)
  })
  due.arm(runtime.now())
  return {
    work: due.sweep,
    stop() {
      unsubscribe()
      due.stop()
    },
  }
}
