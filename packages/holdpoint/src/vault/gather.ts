// Combines needs that arrive at the same time: parallel calls of one person become one question that names all of them.

import { unionScopes } from "../core/connection.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Need } from "./need.ts"
import { gatheringKeyOf } from "./need.ts"

export interface Gathering {
  /** Returns the need with the scopes and messages of all needs that arrived in the same interval. */
  with(need: Need, signal?: AbortSignal): Promise<Need>
}

interface Gathered {
  readonly needs: { readonly need: Need; readonly signal: AbortSignal | undefined }[]
  readonly over: Promise<void>
}

export function createGathering(runtime: Runtime, gatherMs: number): Gathering {
  const gathered = new Map<string, Gathered>()
  const begin = (place: string): Gathered => {
    const over = new Promise<void>((resolve) => {
      runtime.after(gatherMs, () => {
        gathered.delete(place)
        resolve()
      })
    })
    const made = { needs: [], over }
    gathered.set(place, made)
    return made
  }
  return {
    async with(need, signal) {
      if (gatherMs === 0) return need
      const place = gatheringKeyOf(need)
      const { needs, over } = gathered.get(place) ?? begin(place)
      needs.push({ need, signal })
      await over
      // Calls that were cancelled in the meantime are left out.
      return union(
        need,
        needs.flatMap((one) => (one.signal?.aborted === true ? [] : [one.need])),
      )
    },
  }
}

function union(need: Need, all: readonly Need[]): Need {
  const { message: _message, ...rest } = need
  const scopes = unionScopes(...all.map((other) => other.scopes ?? []))
  const offers = unionScopes(...all.map((other) => other.offers ?? []))
  const said = new Set(all.flatMap(({ message }) => (message === undefined ? [] : [message])))
  // Unless every need has its own message, the default message is used, which names everything.
  const isAllSaid = all.length > 0 && all.every(({ message }) => message !== undefined)
  return { ...rest, scopes, offers, ...(isAllSaid ? { message: [...said].join(" ") } : {}) }
}
