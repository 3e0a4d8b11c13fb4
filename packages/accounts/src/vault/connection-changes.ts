// Notifies parts of the vault of every change to a connection, on this node or another.

import type { Entry } from "@holdpoint/hub"
import type { ConnectionFacts } from "@holdpoint/hub/internal"
import type { Trail } from "@holdpoint/hub/storage"

export interface ConnectionChange {
  readonly id: string
  readonly kind: Entry["kind"]
  readonly facts: ConnectionFacts
}

export interface ConnectionChanges {
  /** Returns an unsubscribe function. */
  listen(listener: (change: ConnectionChange) => void): () => void
  close(): void
}

export function createConnectionChanges(trail: Pick<Trail, "subscribe">): ConnectionChanges {
  const listeners = new Set<(change: ConnectionChange) => void>()
  const close = trail.subscribe((entries) => {
    for (const { id, kind, detail } of entries) {
      if (detail.connection === undefined) continue
      for (const listener of [...listeners]) listener({ id, kind, facts: detail.connection })
    }
  })
  return {
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close,
  }
}
