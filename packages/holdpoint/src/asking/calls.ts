// Which call a request may continue, and how long it holds the lease. A request state is used up once its request was
// answered; the calls of a dead worker can be taken over.

import type { Principal } from "../core/principal.ts"
import { sealBindings } from "../core/seal-bindings.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import type { CallParts, CallState } from "./call-state.ts"
import { keyOf } from "./digest.ts"
import { readJournal, toStored } from "./entries.ts"
import type { Journal } from "./journal.ts"
import { createJournal } from "./journal.ts"
import type { Answer, CallStart, OpenCall } from "./open-call.ts"
import { openCall, release, withoutHandover } from "./open-call.ts"
import type { Call, StoredHandover } from "./records.ts"
import { callKind, entryKind } from "./records.ts"
import type { Life } from "./worker.ts"
import { createWorker, isGone, leaseMs, renewMs } from "./worker.ts"

export interface Calls {
  /** Begins a new call. Nothing is written until there is something to remember. */
  begin(opening: Opening): OpenCall
  /**
   * Continues the same call if its result never reached its client and no client waits for it; otherwise begins a new
   * one.
   */
  open(opening: Opening): Promise<OpenCall>
  /**
   * Takes the lease of the call whose round a client brings back. Undefined when the round is used up, or another
   * request works on the call.
   */
  claim(claimed: {
    readonly id: string
    readonly round: number
    readonly caller: Principal
  }): Promise<OpenCall | undefined>
  /** Starts a call that no client comes back for. It is stored before its handler runs. */
  start(opening: Opening & { readonly kind: string; readonly input: unknown }): Promise<OpenCall>
  /** Whether a call of this id is stored. */
  has(id: string): Promise<boolean>
  /** Lists the calls of this kind that are due before this time. */
  due(kind: string, before: number): Promise<readonly Call[]>
  /**
   * Takes the lease of a call that no client comes back for, and returns it with its input. Undefined when the call is
   * over or another worker has it.
   */
  wake(id: string, kind: string): Promise<Woken | undefined>
  /** Gives up all leases, so that other processes can continue the calls. */
  close(): Promise<void>
}

export interface Woken {
  readonly call: OpenCall
  readonly input: unknown
}

export interface Opening {
  /** The id of the call if it is new. */
  readonly id: string
  readonly caller: Principal
  /** The digest by which the same call is recognised when it is made again. */
  readonly knownBy?: string | undefined
}

export interface CallsOptions {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
  readonly strict: boolean
  readonly lifetimeMs: number
  readonly resumeMs: number
  /** Whether a link was completed. */
  readonly isDone: (elicitation: string) => Promise<boolean>
  readonly report: (doing: string, error: unknown) => void
}

export function createCalls(options: CallsOptions): Calls {
  const { storage, sealer, runtime, strict, lifetimeMs, resumeMs, isDone, report } = options
  const records = storage.records(callKind)
  const held = new Map<string, CallState>()
  /** Releases calls that were taken for a request which never reached a handler. */
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

  /** Whether the request that has the lease of the call is alive. */
  const lifeOf = async ({ lease }: Call): Promise<Life> => {
    if (lease === undefined) return { is: "dead" }
    if (lease.worker !== worker.id) return worker.lifeOf(lease.worker)
    const state = held.get(lease.holder)
    if (state === undefined) return { is: "dead" }
    const until = state.since + leaseMs
    if (state.isWorking) return { is: "alive", until: Math.max(until, runtime.now()) }
    return runtime.now() < until ? { is: "alive", until } : { is: "dead" }
  }

  /**
   * Takes the lease of the call. Undefined when another request was faster. `idle` is the journal of a call whose
   * request is alive: it may have written until now.
   */
  const take = async (
    record: Call,
    how: Pick<CallStart, "isWorking" | "hasWaited">,
    idle?: Journal,
  ): Promise<OpenCall | undefined> => {
    const taken = { ...withoutHandover(record), version: record.version + 1, lease: newLease() }
    const early = idle === undefined ? readJournal(parts, record) : undefined
    const [isOurs] = await Promise.all([records.replace(taken), early, worker.ready()])
    if (!isOurs) return undefined
    const kept = await (early ?? readJournal(parts, record, idle))
    if (record.lease !== undefined) held.delete(record.lease.holder)
    return openCall(parts, { ...kept, ...how, record: taken, isStored: true, answer: answerOf(record) })
  }

  /**
   * Whether the call's worker is dead. A worker on another machine is watched until it renews its lease, or until the
   * lease expires.
   */
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

  /**
   * The journal of a call whose client is gone, if the call can be taken over: the request that works on it may finish
   * its current effect, and nothing more.
   */
  const readIdle = async (record: Call): Promise<Journal | undefined> => {
    const { journal } = await readJournal(parts, record)
    if (![...journal.entries.values()].some(({ kind }) => kind === "started")) return journal
    if ((await lifeOf(record)).is === "dead") return journal
    await sleep(runtime.now() + lookMs)
    return undefined
  }

  /** Whether the client was answered with a question and will not come back with an answer. */
  const isLeft = async (record: Call, { at, isShown, process }: StoredHandover): Promise<boolean> => {
    if (process !== undefined && isGone(process)) return true
    const { waitsFor: links = [] } = record
    if (isShown) return links.length > 0 && (await Promise.all(links.map(isDone))).every(Boolean)
    if (runtime.now() < at + returnMs) await sleep(at + returnMs)
    return (await records.get(record.id))?.version === record.version
  }

  /** Whether neither a request nor a client has the call, so that the same call, made again, continues it. */
  const isFree = async (record: Call): Promise<boolean> => {
    if (record.lease === undefined) return record.parted === undefined || isLeft(record, record.parted)
    return record.isSentAway === true ? (await lifeOf(record)).is === "dead" : isDead(record)
  }

  /** Continues a stored call. Undefined when another request or client has it, so that this one is a separate call. */
  const continueCall = async (record: Call, caller: Principal): Promise<OpenCall | undefined> => {
    const isUnheard = record.lease !== undefined && record.isUnheard === true
    const idle = isUnheard ? await readIdle(record) : undefined
    const free = isUnheard ? idle !== undefined : await isFree(record)
    const taken = free ? await take(record, { isWorking: true }, idle) : undefined
    if (taken !== undefined) return taken
    if (!free && !isUnheard && record.isSentAway !== true) return undefined
    const now = await records.get(record.id)
    if (!isUsable(now, caller)) return undefined
    if (free || isUnheard) return continueCall(now, caller)
    const kept = await readJournal(parts, now)
    return openCall(parts, { ...kept, record: now, isStored: true, isWorking: true, isGuest: true })
  }

  const oneOf = async (same: readonly Call[], caller: Principal): Promise<OpenCall | undefined> => {
    for (const record of same) {
      const call = await continueCall(record, caller)
      if (call !== undefined) return call
    }
    return undefined
  }

  /**
   * Whether the call has run for so long that its client may have given it up. Calls made at the same time are not that
   * old.
   */
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
    const idle = record.isUnheard === true ? await readIdle(record) : undefined
    if (record.isUnheard === true && idle === undefined) return claim({ id, round, caller })
    // A known answer may be delivered to any number of requests.
    if (life.is === "dead" || idle !== undefined || record.sealed?.fields.answer !== undefined)
      return (await take(record, { isWorking: false, hasWaited }, idle)) ?? claim({ id, round, caller }, hasWaited)
    const isHere = held.get(record.lease?.holder ?? "")?.isWorking === true
    if (hasWaited || isHere) return undefined
    // The worker may be dead: then the call can be taken when the lease expires.
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
    has: async (id) => (await records.get(id)) !== undefined,
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
      // The cancellation of the first request may arrive after this request.
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

/** How long a client that has nothing to show may take to come back. */
const returnMs = 5_000

/** The shortest time after which a client gives up a call. */
const impatienceMs = 5_000

/** How much later than this call the cancellation of the previous one may arrive. */
const overtakenMs = 3_000

/** The interval at which a running effect is checked. */
const lookMs = 500

/** The most calls that one query for due calls returns. */
const mostDue = 10_000

/** The most unfinished calls with the same arguments among which one to continue is searched. */
const mostSame = 20
