// The lease to refresh a connection, held by one node at a time: how it is taken, when another node's lease has ended,
// and how to wait for that node's result.

import type { Connection, ConnectionJudgement, Lease } from "@holdpoint/hub/internal"
import { transitionConnection } from "@holdpoint/hub/internal"
import type { ConnectionChanges } from "./connection-changes.ts"
import type { VaultParts } from "./parts.ts"

type LeaseParts = Pick<VaultParts, "tools" | "vaultTimes">

export function takeLease({ tools: { runtime }, vaultTimes }: LeaseParts, current: Connection): ConnectionJudgement {
  const now = runtime.now()
  const event = { type: "lease", lease: { holder: runtime.newId(), until: now + vaultTimes.leaseMs } } as const
  // `LeaseObserver` decided that the old lease has ended, so its expiry by another node's clock is ignored.
  return transitionConnection(current, event, Math.max(now, current.lease?.until ?? now))
}

export interface LeaseObserver {
  hasEnded(lease: Lease | undefined): boolean
  hasWaited(): boolean
}

/**
 * Decides when another node's lease has ended. Clocks may differ: unless the lease expired long ago, it has ended once
 * this node has observed it for a full lease duration. Two refreshes at once could cost the person their grant.
 */
export function createLeaseObserver({ tools: { runtime }, vaultTimes }: LeaseParts): LeaseObserver {
  let observation: { readonly holder: string; readonly since: number } | undefined
  return {
    hasEnded(lease) {
      if (lease === undefined) return true
      const now = runtime.now()
      if (lease.until + vaultTimes.skewMs <= now) return true
      // After the clock was set back, observation starts again, so no caller waits for the difference.
      if (observation?.holder !== lease.holder || now < observation.since)
        observation = { holder: lease.holder, since: now }
      return now >= observation.since + vaultTimes.leaseMs
    },
    hasWaited: () => observation !== undefined,
  }
}

export const holderOf = (lease: Lease | undefined): string => lease?.holder ?? ""

export interface ExpectedChange {
  /** Resolves when the connection changes, or after `ms`. */
  waitAtMost(ms: number): Promise<void>
  stop(): void
}

export function expectChange(
  { tools: { runtime } }: LeaseParts,
  changes: ConnectionChanges,
  id: string,
): ExpectedChange {
  const { promise, resolve } = Promise.withResolvers<void>()
  let cancel = (): void => {}
  const stopListening = changes.listen((change) => {
    if (change.id === id) resolve()
  })
  return {
    waitAtMost(ms) {
      cancel = runtime.after(Math.max(0, ms), resolve)
      return promise
    },
    stop() {
      cancel()
      stopListening()
    },
  }
}
