// What happens to connections, on this node or another, for whoever in the vault has to know at once.

import type { ConnectionFacts, Entry, Trail } from "../ports/trail.ts"

export interface ConnectionChange {
  readonly id: string
  readonly kind: Entry["kind"]
  readonly facts: ConnectionFacts
}

export interface ConnectionChanges {
  /** The result ends it. */
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
