// Counts the open streams of each person and each program, so that none of them can use up the memory of a server.

import type { PrincipalId } from "@holdpoint/hub"
import { toPrincipalId } from "@holdpoint/hub/internal"

/** Whose stream it is: a person's, or that of the program with this id. */
export type StreamOwner = { readonly person: PrincipalId } | { readonly program: string }

/**
 * The most streams that one owner may have open in one process. Many tabs of a browser share a stream; a program with a
 * key relays many people.
 */
export const mostStreams = { person: 100, program: 1_000 } as const

/** The place of one open stream. */
export interface StreamPlace {
  /** Frees the place. Further calls have no effect. */
  release(): void
}

/** The places of open streams in one process. */
export interface StreamPlaces {
  /** Takes a place, before anything begins. Undefined when this owner has no place left. */
  take(owner: StreamOwner): StreamPlace | undefined
}

export function createStreamPlaces(): StreamPlaces {
  const counts = new Map<string, number>()
  return {
    take(streamOwner) {
      const isPerson = "person" in streamOwner
      const owner = JSON.stringify(isPerson ? toPrincipalId(streamOwner.person) : streamOwner.program)
      const count = counts.get(owner) ?? 0
      // The oldest streams are kept: a client whose stream was ended would connect again, and push out another one.
      if (count >= (isPerson ? mostStreams.person : mostStreams.program)) return undefined
      counts.set(owner, count + 1)
      let isTaken = true
      return {
        release() {
          if (!isTaken) return
          isTaken = false
          const left = (counts.get(owner) ?? 1) - 1
          if (left === 0) counts.delete(owner)
          else counts.set(owner, left)
        },
      }
    },
  }
}
