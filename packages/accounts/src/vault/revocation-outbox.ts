// Retries revocations in the background: wakes for the nearest due one, including those of other processes.

import { createAlarm } from "./alarm.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import type { VaultParts } from "./parts.ts"
import { revocationKind } from "./records.ts"
import { retryRevocation } from "./revoke.ts"

export interface Outbox {
  /** Tries all due revocations now. */
  work(): Promise<void>
  stop(): void
}

const pageSize = 50

export function createOutbox(parts: VaultParts, changes: ConnectionChanges): Outbox {
  const { runtime } = parts.tools
  const revocations = parts.storage.records(revocationKind)
  const { revokeFirstMs, revokeLookMs } = parts.vaultTimes
  const alarm = createAlarm(runtime, () => parts.background("revoking grants", work))
  let isStopped = false

  const work = async (): Promise<void> => {
    // Armed first, so that a failure below is retried.
    alarm.arm(runtime.now() + revokeLookMs)
    const dueRevocations = await revocations.list({ dueBefore: runtime.now(), limit: pageSize })
    for (const revocation of dueRevocations) {
      // The rest is left to another process: a provider that does not answer must not block shutdown.
      if (isStopped) return
      try {
        await retryRevocation(parts, revocation)
      } catch (error) {
        parts.report("revoking a grant", error)
      }
    }
    const [nextRevocation] = await revocations.list({ dueBefore: Number.MAX_SAFE_INTEGER, limit: 1 })
    if (nextRevocation !== undefined) alarm.arm(Math.max(nextRevocation.dueAt, runtime.now() + 1_000))
  }

  // Every node is notified of a disconnection, so that a surviving node finishes it.
  const unsubscribe = changes.listen(({ kind }) => {
    if (kind === "disconnected") alarm.arm(runtime.now() + revokeFirstMs)
  })
  parts.background("revoking grants", work)

  return {
    work,
    stop() {
      isStopped = true
      unsubscribe()
      alarm.stop()
    },
  }
}
