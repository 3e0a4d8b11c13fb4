// The background of revocation: wakes for the nearest one that is due, whoever wrote it, and tries it again.

import { createAlarm } from "./alarm.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import type { VaultParts } from "./parts.ts"
import { revocationKind } from "./records.ts"
import { retryRevocation } from "./revoke.ts"

export interface Outbox {
  /** Tries all that is due now. */
  work(): Promise<void>
  stop(): void
}

const pageSize = 50

export function createOutbox(parts: VaultParts, changes: ConnectionChanges): Outbox {
  const { runtime } = parts.tools
  const revocations = parts.storage.records(revocationKind)
  const { revokeFirstMs, revokeLookMs } = parts.pace
  const alarm = createAlarm(runtime, () => parts.background("giving back grants", work))
  let isStopped = false

  const work = async (): Promise<void> => {
    // Armed first: whatever fails below is looked at again.
    alarm.arm(runtime.now() + revokeLookMs)
    const due = await revocations.list({ dueBefore: runtime.now(), limit: pageSize })
    for (const one of due) {
      // Whoever comes next goes on: a provider that does not answer must not keep a process from ending.
      if (isStopped) return
      try {
        await retryRevocation(parts, one)
      } catch (error) {
        parts.report("giving back a grant", error)
      }
    }
    const [next] = await revocations.list({ dueBefore: Number.MAX_SAFE_INTEGER, limit: 1 })
    if (next !== undefined) alarm.arm(Math.max(next.dueAt, runtime.now() + 1_000))
  }

  // Every node hears of a disconnection, and the one that survives finishes it.
  const deafen = changes.listen(({ kind }) => {
    if (kind === "disconnected") alarm.arm(runtime.now() + revokeFirstMs)
  })
  parts.background("giving back grants", work)

  return {
    work,
    stop() {
      isStopped = true
      deafen()
      alarm.stop()
    },
  }
}
