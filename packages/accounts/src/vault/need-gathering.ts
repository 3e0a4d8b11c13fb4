// Combines needs that arrive at the same time: parallel calls of one person become one question that names all of them.

import type { Runtime } from "@holdpoint/hub"
import type { Need } from "@holdpoint/hub/internal"
import { unionScopes } from "@holdpoint/hub/internal"
import { gatheringKeyOf } from "./need.ts"

export interface Gathering {
  /** Returns the need with the scopes and messages of all needs that arrived in the same interval. */
  combine(need: Need, signal?: AbortSignal): Promise<Need>
}

interface NeedGroup {
  readonly needs: { readonly need: Need; readonly signal: AbortSignal | undefined }[]
  readonly ended: Promise<void>
}

export function createGathering(runtime: Runtime, gatherMs: number): Gathering {
  const groups = new Map<string, NeedGroup>()
  const begin = (key: string): NeedGroup => {
    const ended = new Promise<void>((resolve) => {
      runtime.after(gatherMs, () => {
        groups.delete(key)
        resolve()
      })
    })
    const group = { needs: [], ended }
    groups.set(key, group)
    return group
  }
  return {
    async combine(need, signal) {
      if (gatherMs === 0) return need
      const key = gatheringKeyOf(need)
      const { needs, ended } = groups.get(key) ?? begin(key)
      needs.push({ need, signal })
      await ended
      // Calls that were cancelled in the meantime are left out.
      return unionOfNeeds(
        need,
        needs.flatMap((entry) => (entry.signal?.aborted === true ? [] : [entry.need])),
      )
    },
  }
}

function unionOfNeeds(need: Need, needs: readonly Need[]): Need {
  const { message: _message, ...rest } = need
  const scopes = unionScopes(...needs.map((other) => other.scopes ?? []))
  const offers = unionScopes(...needs.map((other) => other.offers ?? []))
  const messages = new Set(needs.flatMap(({ message }) => (message === undefined ? [] : [message])))
  // Unless every need has its own message, the default message is used, which names everything.
  const haveAllMessages = needs.length > 0 && needs.every(({ message }) => message !== undefined)
  return { ...rest, scopes, offers, ...(haveAllMessages ? { message: [...messages].join(" ") } : {}) }
}
