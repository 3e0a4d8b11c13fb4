// Calls that come again: their journals in the store, and the claim by which one request at a time works on a call. A state
// is spent when its request was answered; one whose process died can be used again when its lease is over.

import type { Principal } from "../core/principal.ts"
import type { Storage } from "../ports/storage.ts"
import { keyOf } from "./digest.ts"
import type { CallBook, CallState, OpenCall } from "./open-call.ts"
import { openCall, renew, withJournalOf } from "./open-call.ts"
import type { Call } from "./records.ts"
import { callKind } from "./records.ts"

export interface Calls {
  /** Nothing is written until something has to be remembered. */
  begin(id: string, caller: Principal): OpenCall
  /** The round that a client brings back, for this request alone. Undefined when it is spent or worked on elsewhere. */
  claim(id: string, round: number, caller: Principal): Promise<OpenCall | undefined>
  /** Goes on with the call that was parked under this id, as a call of its own; else begins one. */
  take(parked: string, id: string, caller: Principal): Promise<OpenCall>
  /** A call that is known by what is called, since its client brings nothing back. */
  resume(id: string, caller: Principal): Promise<OpenCall>
  close(): void
}

export interface CallsParts extends Omit<CallBook, "records" | "hold" | "letGo"> {
  readonly storage: Pick<Storage, "records">
  readonly lifetimeMs: number
  readonly report: (doing: string, error: unknown) => void
}

/** Long enough that a slow moment is not taken for a death, short enough that nobody waits long after one. */
const leaseMs = 20_000
const renewMs = 8_000

export function createCalls(parts: CallsParts): Calls {
  const { storage, runtime, lifetimeMs, resumeMs } = parts
  const records = storage.records(callKind)
  const held = new Map<string, CallState>()
  let stopRenewing: (() => void) | undefined

  /** One timer for all of them, and none while there are none. */
  const renewLater = (): void => {
    stopRenewing ??= runtime.after(renewMs, () => {
      stopRenewing = undefined
      const until = runtime.now() + leaseMs
      for (const state of held.values())
        renew(state, until).catch((error: unknown) => parts.report("keeping a call", error))
      if (held.size > 0) renewLater()
    })
  }
  const book: CallBook = {
    ...parts,
    records,
    hold(state) {
      if (state.holder === undefined) return
      held.set(state.holder, state)
      renewLater()
    },
    letGo({ holder }) {
      if (holder !== undefined) held.delete(holder)
    },
  }
  const begin = (id: string, caller: Principal, lifeMs = lifetimeMs): OpenCall =>
    openCall(book, fresh(id, caller, lifeMs), { isStored: false })

  const fresh = (id: string, caller: Principal, lifeMs: number): Call => {
    const now = runtime.now()
    const { tenant } = caller
    return { id, tenant, version: 1, owner: keyOf(caller), round: 0, createdAt: now, expiresAt: now + lifeMs }
  }

  const isUsable = (record: Call | undefined, caller: Principal): record is Call =>
    record !== undefined && record.owner === keyOf(caller) && runtime.now() < record.expiresAt

  const claim: Calls["claim"] = async (id, round, caller) => {
    const record = await records.get(id)
    if (record === undefined || record.owner !== keyOf(caller) || record.round !== round) return undefined
    const now = runtime.now()
    if (now >= record.expiresAt) return undefined
    const { lease } = record
    if (lease !== undefined && lease.until > now) {
      // Whoever works on it is here, or it may be dead: then it can be had when its time is over.
      if (held.has(lease.holder)) return undefined
      await new Promise<void>((resolve) => runtime.after(lease.until - now, resolve))
      const again = await records.get(id)
      return again?.lease?.until === lease.until ? claim(id, round, caller) : undefined
    }
    const holder = runtime.newId()
    const claimed = { ...record, version: record.version + 1, lease: { holder, until: now + leaseMs } }
    if (await records.replace(claimed)) return openCall(book, claimed, { isStored: true, wasLeft: lease !== undefined })
    // Somebody else has it now, unless only its keys were changed.
    const again = await records.get(id)
    return again?.lease?.until === lease?.until ? claim(id, round, caller) : undefined
  }

  return {
    begin,
    claim,
    async take(parked, id, caller) {
      const record = await records.get(parked)
      if (!isUsable(record, caller)) return begin(id, caller)
      const taken = withJournalOf(book, fresh(id, caller, lifetimeMs), record)
      // Kept before it is gone from where it was: whatever happens in between, nothing is done twice.
      await records.insert(taken)
      if (await records.remove(record)) return openCall(book, taken, { isStored: true, wasParked: true })
      await records.remove(taken)
      return begin(id, caller)
    },
    async resume(id, caller) {
      const record = await records.get(id)
      if (isUsable(record, caller)) return openCall(book, record, { isStored: true })
      if (record !== undefined) await records.remove(record)
      return begin(id, caller, resumeMs)
    },
    close() {
      stopRenewing?.()
      held.clear()
    },
  }
}
