// Calls that come again: their journals in the store, and the claim by which one request at a time works on a call. A state
// is spent when its request was answered; one whose process died can be used again when its lease is over.

import { HoldpointError } from "../../core/error.ts"
import { places } from "../../core/place.ts"
import type { Principal } from "../../core/principal.ts"
import type { Call } from "../../ports/calls.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Sealer } from "../../ports/sealer.ts"
import type { Storage } from "../../ports/storage.ts"
import type { Journal, JournalEntry } from "./journal.ts"
import { createJournal } from "./journal.ts"
import { keyOf } from "./state.ts"

export interface OpenCall {
  readonly id: string
  readonly journal: Journal
  /** How often it was answered with a question before this request. */
  readonly round: number
  /** Its handler runs: no other request may have it until it is answered, however long that takes. */
  work(): void
  /** Writes the journal down, so that it is there whatever happens next. */
  save(): Promise<void>
  /** The request is being answered with a question: the number of the round that the client will bring back. */
  advance(): Promise<number>
  /** The call is over. False when another request has gone on with it meanwhile. */
  finish(): Promise<boolean>
  /** The request ended without an answer: the same state may come again. */
  release(): Promise<void>
  /** Its client will bring nothing back: kept under an id by which the same call is known when it is made again. */
  park(id: string): Promise<void>
  /** It was parked before. */
  readonly wasParked: boolean
  /** Whoever had it never answered, so that this request may have waited for it already. */
  readonly wasLeft: boolean
  /** The same call for another run of its handler within the same request. */
  restart(): OpenCall
}

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

export interface CallsParts {
  readonly storage: Pick<Storage, "calls">
  readonly sealer: Sealer
  readonly runtime: Runtime
  readonly strict: boolean
  readonly lifetimeMs: number
  /** How long the same arguments count as the same call, where a client brings nothing else back. */
  readonly resumeMs: number
  readonly report: (doing: string, error: unknown) => void
}

/** Long enough that a slow moment is not taken for a death, short enough that nobody waits long after one. */
const leaseMs = 20_000
const renewMs = 8_000

export function createCalls(parts: CallsParts): Calls {
  const { storage, sealer, runtime, strict, lifetimeMs, resumeMs } = parts
  const held = new Map<string, () => void>()
  let stopRenewing: (() => void) | undefined

  /** One timer for all of them, and none while there are none. */
  const renewLater = (): void => {
    stopRenewing ??= runtime.after(renewMs, () => {
      stopRenewing = undefined
      for (const renew of held.values()) renew()
      if (held.size > 0) renewLater()
    })
  }

  const toOpenCall = (
    first: Call,
    isStored: boolean,
    entries: readonly JournalEntry[],
    { wasParked = false, wasLeft = false } = {},
  ): OpenCall => {
    let record = first
    let stored = isStored
    let isLost = false
    let isOver = false
    let queue: Promise<unknown> = Promise.resolve()
    let journal = createJournal(entries, strict)
    const holder = record.lease?.holder
    const work = (): void => {
      if (holder === undefined) return
      held.set(holder, () => {
        const until = runtime.now() + leaseMs
        write((last) => ({ ...last, lease: { holder, until } })).catch((error: unknown) =>
          parts.report("keeping a call", error),
        )
      })
      renewLater()
    }
    const letGo = (): void => {
      if (holder !== undefined) held.delete(holder)
    }
    const tryWrite = async (next: Call): Promise<boolean> => {
      const written = stored ? { ...next, version: record.version + 1 } : next
      const isOurs = await (stored ? storage.calls.replace(written) : storage.calls.insert(written))
      if (isOurs) record = written
      stored ||= isOurs
      return isOurs
    }
    const meet = async (): Promise<void> => {
      const other = await storage.calls.get(record.id)
      stored = other !== undefined
      if (other === undefined) return
      record = other
      for (const entry of read(other)) if (journal.get(entry.key) === undefined) journal.set(entry)
    }
    /** One write after the other: each builds on the version before. */
    const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
      const run = queue.then(step)
      queue = run.catch(() => {})
      return run
    }
    const write = (change: (last: Call) => Call): Promise<void> =>
      inTurn(async () => {
        if (isOver) return
        if (isLost) throw takenOver()
        if (await tryWrite(change(record))) return
        // Its keys were changed meanwhile; or, where nobody has it alone, the same was called twice at once: then both
        // go on, each with what the other has done.
        await meet()
        isLost = record.lease?.holder !== holder || !(await tryWrite(change(record)))
        if (isLost) throw takenOver()
      })
    const sealed = (last: Call): Call => ({
      ...last,
      sealed: sealer.seal(places.calls(last), { journal: journal.toText() }, last.sealed),
    })
    const withoutLease = ({ lease: _lease, ...rest }: Call): Call => rest
    const opened: OpenCall = {
      id: record.id,
      get journal() {
        return journal
      },
      round: record.round,
      work,
      save: () => write(sealed),
      async advance() {
        letGo()
        await write((last) => withoutLease({ ...sealed(last), round: last.round + 1 }))
        return record.round
      },
      finish() {
        letGo()
        return inTurn(async () => {
          if (!isLost && !isOver && stored && !(await storage.calls.remove(record))) {
            // As above: if only its keys were changed, it is still ours to remove.
            await meet()
            isLost = !stored || holder === undefined || record.lease?.holder !== holder
            isLost ||= !(await storage.calls.remove(record))
          }
          isOver = true
          return !isLost
        })
      },
      async release() {
        letGo()
        if (stored && !isLost) await write(withoutLease)
      },
      ...{ wasParked, wasLeft },
      async park(id) {
        const { tenant, owner, createdAt } = record
        const expiresAt = runtime.now() + resumeMs
        const next = sealed({ id, tenant, owner, version: 1, round: 0, createdAt, expiresAt })
        const other = await storage.calls.get(id)
        // The same was called twice at once: whoever comes last is gone on with.
        await (other === undefined
          ? storage.calls.insert(next)
          : storage.calls.replace({ ...next, version: other.version + 1 }))
        await opened.finish()
      },
      restart() {
        // What was there and is lost has to be asked for anew; what was answered before does not count any more.
        const kept = [...journal.entries.values()].filter(({ isOptional }) => isOptional !== true)
        journal = createJournal(kept, strict)
        return opened
      },
    }
    return opened
  }

  const read = (record: Call): readonly JournalEntry[] =>
    record.sealed === undefined
      ? []
      : (JSON.parse(sealer.open(places.calls(record), record.sealed).journal ?? "[]") as readonly JournalEntry[])

  const fresh = (id: string, caller: Principal, lifeMs = lifetimeMs): Call => {
    const now = runtime.now()
    const { tenant } = caller
    return { id, tenant, version: 1, owner: keyOf(caller), round: 0, createdAt: now, expiresAt: now + lifeMs }
  }

  const isUsable = (record: Call | undefined, caller: Principal): record is Call =>
    record !== undefined && record.owner === keyOf(caller) && runtime.now() < record.expiresAt

  const claim: Calls["claim"] = async (id, round, caller) => {
    const record = await storage.calls.get(id)
    if (record === undefined || record.owner !== keyOf(caller) || record.round !== round) return undefined
    const now = runtime.now()
    if (now >= record.expiresAt) return undefined
    const { lease } = record
    if (lease !== undefined && lease.until > now) {
      // Whoever works on it is here, or it may be dead: then it can be had when its time is over.
      if (held.has(lease.holder)) return undefined
      await new Promise<void>((resolve) => runtime.after(lease.until - now, resolve))
      const again = await storage.calls.get(id)
      return again?.lease?.until === lease.until ? claim(id, round, caller) : undefined
    }
    const holder = runtime.newId()
    const claimed = { ...record, version: record.version + 1, lease: { holder, until: now + leaseMs } }
    if (await storage.calls.replace(claimed))
      return toOpenCall(claimed, true, read(claimed), { wasLeft: lease !== undefined })
    // Somebody else has it now, unless only its keys were changed.
    const again = await storage.calls.get(id)
    return again?.lease?.until === lease?.until ? claim(id, round, caller) : undefined
  }

  return {
    begin: (id, caller) => toOpenCall(fresh(id, caller), false, []),
    claim,
    async take(parked, id, caller) {
      const record = await storage.calls.get(parked)
      if (!isUsable(record, caller)) return toOpenCall(fresh(id, caller), false, [])
      const taken = toOpenCall(fresh(id, caller), false, read(record), { wasParked: true })
      // Kept before it is gone from where it was: whatever happens in between, nothing is done twice.
      await taken.save()
      if (await storage.calls.remove(record)) return taken
      await taken.finish()
      return toOpenCall(fresh(id, caller), false, [])
    },
    async resume(id, caller) {
      const record = await storage.calls.get(id)
      if (isUsable(record, caller)) return toOpenCall(record, true, read(record))
      if (record !== undefined) await storage.calls.remove(record)
      return toOpenCall(fresh(id, caller, resumeMs), false, [])
    },
    close() {
      stopRenewing?.()
      held.clear()
    },
  }
}

function takenOver(): HoldpointError {
  return new HoldpointError(
    "already_settled",
    "Another request has gone on with this call meanwhile; this one stops here, and nothing it did is lost.",
  )
}
