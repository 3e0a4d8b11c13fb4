// Combines needs that arrive at the same time: parallel calls of one person become one question that names all of them.

import { unionScopes } from "../core/connection.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Need } from "./need.ts"
import { gatheringKeyOf } from "./need.ts"

export interface Gathering {
  /** Returns the need with the scopes and messages of all needs that arrived in the same interval. */
  combine(need: Need, signal?: AbortSignal): Promise<Need>
}

interface Gathered {
  readonly needs: { readonly need: Need; readonly signal: AbortSignal | undefined }[]
  readonly ended: Promise<void>
}

export function createGathering(runtime: Runtime, gatherMs: number): Gathering {
  const gathered = new Map<string, Gathered>()
  const begin = (key: string): Gathered => {
    const ended = new Promise<void>((resolve) => {
      runtime.after(gatherMs, () => {
        gathered.delete(key)
        resolve()
      })
    })
    const started = { needs: [], ended }
    gathered.set(key, started)
    return started
  }
  return {
    async combine(need, signal) {
      if (gatherMs === 0) return need
      const key = gatheringKeyOf(need)
      const { needs, ended } = gathered.get(key) ?? begin(key)
      needs.push({ need, signal })
      await ended
      // Calls that were cancelled in the meantime are left out.
      return union(
        need,
        needs.flatMap((entry) => (entry.signal?.aborted === true ? [] : [entry.need])),
      )
    },
  }
}

function union(need: Need, all: readonly Need[]): Need {
  const { message: _message, ...rest } = need
  const scopes = unionScopes(...all.map((other) => other.scopes ?? []))
  const offers = unionScopes(...all.map((other) => other.offers ?? []))
  const messages = new Set(all.flatMap(({ message }) => (message === undefined ? [] : [message])))
  // Unless every need has its own message, the default message is used, which names everything.
  const haveAllMessages = all.length > 0 && all.every(({ message }) => message !== undefined)
  return { ...rest, scopes, offers, ...(haveAllMessages ? { message: [...messages].join(" ") } : {}) }
}
