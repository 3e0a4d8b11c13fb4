// The right to refresh a connection, one node at a time: how it is taken, when somebody else's is over, and how to wait
// for what they write.

import type { Connection, ConnectionJudgement, Lease } from "../core/connection.ts"
import { transitionConnection } from "../core/connection.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import type { VaultParts } from "./parts.ts"

type LeaseParts = Pick<VaultParts, "tools" | "pace">

export function takeLease({ tools: { runtime }, pace }: LeaseParts, current: Connection): ConnectionJudgement {
  const now = runtime.now()
  const event = { type: "lease", lease: { holder: runtime.newId(), until: now + pace.leaseMs } } as const
  // Found to be over, whatever this node's clock thinks of the time that another node wrote down.
  return transitionConnection(current, event, Math.max(now, current.lease?.until ?? now))
}

export interface Patience {
  isOver(lease: Lease | undefined): boolean
  hasWaited(): boolean
}

/**
 * When somebody else's lease is over. Their clock may differ from ours: unless it ended long ago, it is over once we
 * have seen it for as long as leases last. Two that refresh at once would cost the person their grant.
 */
export function createPatience({ tools: { runtime }, pace }: LeaseParts): Patience {
  let seen: { readonly holder: string; readonly at: number } | undefined
  return {
    isOver(lease) {
      if (lease === undefined) return true
      const now = runtime.now()
      if (lease.until + pace.skewMs <= now) return true
      // A clock that was set back starts anew: nobody waits for as long as it was wrong.
      if (seen?.holder !== lease.holder || now < seen.at) seen = { holder: lease.holder, at: now }
      return now >= seen.at + pace.leaseMs
    },
    hasWaited: () => seen !== undefined,
  }
}

export const holderOf = (lease: Lease | undefined): string => lease?.holder ?? ""

export interface Word {
  /** Resolves when something happens to the connection, or the time is over. */
  comesWithin(ms: number): Promise<void>
  stop(): void
}

export function expectWord({ tools: { runtime } }: LeaseParts, changes: ConnectionChanges, id: string): Word {
  const { promise, resolve } = Promise.withResolvers<void>()
  let cancel = (): void => {}
  const stop = changes.listen((one) => {
    if (one.id === id) resolve()
  })
  return {
    comesWithin(ms) {
      cancel = runtime.after(Math.max(0, ms), resolve)
      return promise
    },
    stop() {
      cancel()
      stop()
    },
  }
}
