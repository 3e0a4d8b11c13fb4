// Calls that are gone on with: which of them a request may have, and for how long it alone has it. A state is spent when its
// request was answered; what a dead worker had can be had again.

import type { Principal } from "../core/principal.ts"
import { sealBindings } from "../core/seal-bindings.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import type { CallParts, CallState } from "./call-state.ts"
import { keyOf } from "./digest.ts"
import { readJournal, toStored } from "./entries.ts"
import { createJournal } from "./journal.ts"
import type { Answer, CallStart, OpenCall } from "./open-call.ts"
import { openCall, release, withoutParting } from "./open-call.ts"
import type { Call, Parted } from "./records.ts"
import { callKind, entryKind } from "./records.ts"
import type { Life } from "./worker.ts"
import { createWorker, isGone, leaseMs, renewMs } from "./worker.ts"

export interface Calls {
  /** Nothing is written until something has to be remembered. */
  begin(opening: Opening): OpenCall
  /** Takes the same call up, if its result never reached its client and none waits for it any more; else begins one. */
  open(opening: Opening): Promise<OpenCall>
  /** The round that a client brings back, for this request alone. Undefined when it is spent or worked on elsewhere. */
  claim(claimed: {
    readonly id: string
    readonly round: number
    readonly caller: Principal
  }): Promise<OpenCall | undefined>
  /** A call that no client comes back for. It is written down before anything of it runs. */
  start(opening: Opening & { readonly kind: string; readonly input: unknown }): Promise<OpenCall>
  /** Of calls of this kind: those to look at by then. */
  due(kind: string, before: number): Promise<readonly Call[]>
  /** For this process alone, with its input. Undefined when it is over, or another worker has it. */
  wake(id: string, kind: string): Promise<Woken | undefined>
  /** What it has is given to others. */
  close(): Promise<void>
}

export interface Woken {
  readonly call: OpenCall
  readonly input: unknown
}

export interface Opening {
  /** If it is a new one. */
  readonly id: string
  readonly caller: Principal
  /** By which the same call is recognised. */
  readonly knownBy?: string | undefined
}

export interface CallsOptions {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
  readonly strict: boolean
  readonly lifetimeMs: number
  readonly resumeMs: number
  /** Whether a link was done. */
  readonly isDone: (elicitation: string) => Promise<boolean>
  readonly report: (doing: string, error: unknown) => void
}

export function createCalls(options: CallsOptions): Calls {
  const { storage, sealer, runtime, strict, lifetimeMs, resumeMs, isDone, report } = options
  const records = storage.records(callKind)
  const held = new Map<string, CallState>()
  /** Taken for a request that came to no handler. */
  const dropIdle = (): void => {
    for (const state of held.values())
      if (!state.isWorking && runtime.now() >= state.since + renewMs)
        release(state).catch((error: unknown) => report("giving a call back", error))
  }
  const onBeat = (): boolean => {
    dropIdle()
    return held.size > 0
  }
  const worker = createWorker({ storage, runtime, report, onBeat })
  const parts: CallParts = {
    ...{ records, sealer, runtime, strict, lifetimeMs, resumeMs, worker, held, settling: new Set() },
    entries: storage.records(entryKind),
  }
  const sleep = (until: number): Promise<void> =>
    new Promise((resolve) => runtime.after(Math.max(until - runtime.now(), 1), resolve))
  const newLease = () => ({ holder: runtime.newId(), worker: worker.id })
  const isUsable = (record: Call | undefined, caller: Principal): record is Call =>
    record !== undefined && record.owner === keyOf(caller) && runtime.now() < record.expiresAt

  /** Of the request that has the call. */
  const lifeOf = async ({ lease }: Call): Promise<Life> => {
    if (lease === undefined) return { is: "dead" }
    if (lease.worker !== worker.id) return worker.lifeOf(lease.worker)
    const state = held.get(lease.holder)
    if (state === undefined) return { is: "dead" }
    const until = state.since + leaseMs
    if (state.isWorking) return { is: "alive", until: Math.max(until, runtime.now()) }
    return runtime.now() < until ? { is: "alive", until } : { is: "dead" }
  }

  /** Undefined when another request was faster. */
  const take = async (record: Call, how: Pick<CallStart, "isWorking" | "hasWaited">): Promise<OpenCall | undefined> => {
    const taken = { ...withoutParting(record), version: record.version + 1, lease: newLease() }
    const [isOurs, early] = await Promise.all([records.replace(taken), readJournal(parts, record), worker.ready()])
    if (!isOurs) return undefined
    // The request that had it may have written until now.
    const kept = record.isUnheard === true ? await readJournal(parts, record) : early
    if (record.lease !== undefined) held.delete(record.lease.holder)
    return openCall(parts, { ...kept, ...how, record: taken, isStored: true, answer: answerOf(record) })
  }

  /** Whether a worker lives that may be on another machine: it says so again, or its time is over. */
  const isDead = async (record: Call): Promise<boolean> => {
    const life = await lifeOf(record)
    if (life.is !== "maybe") return life.is === "dead"
    await sleep(runtime.now() < life.renewsBy ? life.renewsBy : life.until)
    const later = await lifeOf(record)
    return later.is === "maybe" && later.until > life.until ? false : isDead(record)
  }

  const answerOf = (record: Call): Answer | undefined => {
    if (record.sealed?.fields.answer === undefined) return undefined
    return JSON.parse(sealer.open(sealBindings.call(record), record.sealed).answer ?? "{}") as Answer
  }

  /** A client that is gone waits for nothing: the request that works on its call is let to end an effect, and no more. */
  const isIdle = async (record: Call): Promise<boolean> => {
    const { journal } = await readJournal(parts, record)
    if (![...journal.entries.values()].some(({ kind }) => kind === "started")) return true
    if ((await lifeOf(record)).is === "dead") return true
    await sleep(runtime.now() + lookMs)
    return false
  }

  /** The client was answered with a question, and does not come back with its answer. */
  const isLeft = async (record: Call, { at, isShown, process }: Parted): Promise<boolean> => {
    if (process !== undefined && isGone(process)) return true
    const { waitsFor: links = [] } = record
    if (isShown) return links.length > 0 && (await Promise.all(links.map(isDone))).every(Boolean)
    if (runtime.now() < at + returnMs) await sleep(at + returnMs)
    return (await records.get(record.id))?.version === record.version
  }

  /** Whether no request and no client has it: what the same call, made again, takes up. */
  const isFree = async (record: Call): Promise<boolean> => {
    if (record.lease === undefined) return record.parted === undefined || isLeft(record, record.parted)
    return record.isSentAway === true ? (await lifeOf(record)).is === "dead" : isDead(record)
  }

  /** Undefined for a call that another request or client has, and which is another call. */
  const goOn = async (record: Call, caller: Principal): Promise<OpenCall | undefined> => {
    const isUnheard = record.lease !== undefined && record.isUnheard === true
    const free = isUnheard ? await isIdle(record) : await isFree(record)
    const taken = free ? await take(record, { isWorking: true }) : undefined
    if (taken !== undefined) return taken
    if (!free && !isUnheard && record.isSentAway !== true) return undefined
    const now = await records.get(record.id)
    if (!isUsable(now, caller)) return undefined
    if (free || isUnheard) return goOn(now, caller)
    const kept = await readJournal(parts, now)
    return openCall(parts, { ...kept, record: now, isStored: true, isWorking: true, isGuest: true })
  }

  const oneOf = async (same: readonly Call[], caller: Principal): Promise<OpenCall | undefined> => {
    for (const record of same) {
      const call = await goOn(record, caller)
      if (call !== undefined) return call
    }
    return undefined
  }

  /** Under way for so long that its client may have given it up; calls that are made side by side are not. */
  const isLong = ({ lease, createdAt }: Call): boolean =>
    lease !== undefined && runtime.now() >= createdAt + impatienceMs

  const begin: Calls["begin"] = ({ id, caller, knownBy }) => {
    const now = runtime.now()
    const record: Call = {
      ...{ id, tenant: caller.tenant, version: 1, owner: keyOf(caller), round: 0, lease: newLease() },
      ...(knownBy === undefined ? {} : { knownBy }),
      ...{ createdAt: now, expiresAt: now + resumeMs },
    }
    const journal = createJournal([], { strict })
    return openCall(parts, { record, journal, stored: toStored(), isStored: false, isWorking: true })
  }

  const claim = async (
    { id, round, caller }: Parameters<Calls["claim"]>[0],
    hasWaited = false,
  ): Promise<OpenCall | undefined> => {
    const record = await records.get(id)
    if (!isUsable(record, caller) || record.round !== round) return undefined
    const life = await lifeOf(record)
    if (record.isUnheard === true && life.is !== "dead" && !(await isIdle(record))) return claim({ id, round, caller })
    // What is known already can be had by any number of requests.
    if (life.is === "dead" || record.isUnheard === true || record.sealed?.fields.answer !== undefined)
      return (await take(record, { isWorking: false, hasWaited })) ?? claim({ id, round, caller }, hasWaited)
    const isHere = held.get(record.lease?.holder ?? "")?.isWorking === true
    if (hasWaited || isHere) return undefined
    // Its worker may be dead: then it can be had when its time is over.
    await sleep(life.until)
    return claim({ id, round, caller }, true)
  }

  return {
    begin,
    async start({ id, caller, kind, input }) {
      const now = runtime.now()
      const record: Call = {
        ...{ id, tenant: caller.tenant, version: 1, owner: keyOf(caller), round: 0, lease: newLease(), kind },
        ...{ dueAt: now, createdAt: now, expiresAt: now + lifetimeMs },
      }
      const sealed = sealer.seal(sealBindings.call(record), { input: JSON.stringify(input) })
      const journal = createJournal([], { strict })
      const start = { record: { ...record, sealed }, journal, stored: toStored(), isStored: false, isWorking: true }
      const call = openCall(parts, start)
      await call.save()
      return call
    },
    due: async (kind, before) =>
      (await records.list({ dueBefore: before, limit: mostDue })).filter((record) => record.kind === kind),
    async wake(id, kind) {
      const record = await records.get(id)
      if (record?.kind !== kind || record.sealed === undefined || runtime.now() >= record.expiresAt) return undefined
      if ((await lifeOf(record)).is !== "dead") return undefined
      const { waitsFor: _waitsFor, ...running } = record
      const call = await take({ ...running, dueAt: runtime.now() }, { isWorking: true })
      const input: unknown = JSON.parse(sealer.open(sealBindings.call(record), record.sealed).input ?? "null")
      return call === undefined ? undefined : { call, input }
    },
    claim: (claimed) => claim(claimed),
    async open(opening) {
      const { caller, knownBy } = opening
      if (knownBy === undefined) return begin(opening)
      const same = async () =>
        (await records.list({ tenant: caller.tenant, owner: knownBy, limit: mostSame })).filter((record) =>
          isUsable(record, caller),
        )
      const first = await same()
      const found = await oneOf(first, caller)
      if (found !== undefined || !first.some(isLong)) return found ?? begin(opening)
      // What takes the first request back may arrive after this one.
      await sleep(runtime.now() + overtakenMs)
      return (await oneOf((await same()).filter(isLong), caller)) ?? begin(opening)
    },
    async close() {
      await Promise.allSettled(parts.settling)
      held.clear()
      await worker.close()
    },
  }
}

/** A client that has nothing to show comes back at once; this is long for that. */
const returnMs = 5_000

/** No client gives a call up sooner. */
const impatienceMs = 5_000

/** By so much a call may overtake what took the one before it back. */
const overtakenMs = 3_000

/** So often is looked whether an effect is over. */
const lookMs = 500

/** More than this are not looked at in one go. */
const mostDue = 10_000

/** Calls with the same arguments that are under way, of which one may be gone on with. */
const mostSame = 20
