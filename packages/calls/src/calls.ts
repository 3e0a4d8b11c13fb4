// Decides which call a request may continue, and how long the request holds the lease. What a client sends back to
// continue a call is valid until that call is answered again. The calls of a dead worker can be taken over.

import type { Principal, Runtime, Storage } from "@holdpoint/hub"
import { isStoreFailure, mostFailures, sealBindings, untilStored } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { CallParts, CallState } from "./call-state.ts"
import { personDigestOf } from "./digest.ts"
import type { Journal } from "./journal.ts"
import { createJournal } from "./journal.ts"
import { readJournal, toStoredJournal } from "./journal-entries.ts"
import type { Answer, OpenCall } from "./open-call.ts"
import type { Call, StoredHandover } from "./records.ts"
import { callKind, entryKind } from "./records.ts"
import { type CallStart, openCall, release, withoutHandover } from "./requested-call.ts"
import type { WorkerLife } from "./worker.ts"
import { createWorker, isProcessGone, leaseMs, renewMs } from "./worker.ts"

export interface Calls {
  /** Begins a new call, without storing it: a call is stored when it first asks or does something. */
  begin(opening: CallOpening): OpenCall
  /**
   * Continues the earlier call with the same `knownBy`, if its result never reached its client and no client waits for
   * it; otherwise begins a new one.
   */
  open(opening: CallOpening): Promise<OpenCall>
  /**
   * Takes the lease of a call for a client that answers the questions of this round. Undefined when the round was
   * answered before, another request works on the call, or the caller does not own it.
   */
  claim(target: {
    readonly id: string
    readonly round: number
    readonly caller: Principal
    readonly isOnly?: boolean | undefined
  }): Promise<OpenCall | undefined>
  /** Starts a call that no client comes back for, and stores it before its handler runs. */
  start(opening: CallOpening & { readonly kind: string; readonly input: unknown }): Promise<OpenCall>
  /** Whether a call of this id is stored. */
  has(id: string): Promise<boolean>
  /** Lists the calls of this kind that are due at or before this time. */
  listDue(kind: string, dueBefore: number): Promise<readonly Call[]>
  /**
   * Takes the lease of a call that no client comes back for, and returns it with its input. Undefined when the call is
   * over or another worker has it.
   */
  wake(id: string, kind: string): Promise<WokenCall | undefined>
  /** Aborts when this process closes. Work that the storage fails is not repeated then. */
  readonly closing: AbortSignal
  /** Aborts `closing`: called before the end of the running calls is awaited. */
  stopRetrying(): void
  /** Releases all leases, so that other processes can continue the calls. */
  close(): Promise<void>
}

export interface WokenCall {
  readonly call: OpenCall
  readonly input: unknown
  /** How often in a row a process ended while it worked on the same step of the call. */
  readonly interruptions: number
}

export interface CallOpening {
  /** The id of the call if it is new. */
  readonly id: string
  readonly caller: Principal
  /** The digest by which the same call is recognised when it is made again. */
  readonly knownBy?: string | undefined
  /**
   * Whether a call that is made again has the same id. Then there is never a second call: a request waits until the
   * earlier one has ended or died, and its answer is kept for longer than that takes.
   */
  readonly isOnly?: boolean | undefined
}

export interface CallsOptions {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
  readonly strict: boolean
  readonly lifetimeMs: number
  readonly resumeMs: number
  /** Whether the question behind a link was completed. */
  readonly isCompleted: (elicitation: string) => Promise<boolean>
  readonly report: (activity: string, error: unknown) => void
}

export function createCalls(options: CallsOptions): Calls {
  const { storage, sealer, runtime, strict, lifetimeMs, resumeMs, isCompleted, report } = options
  const records = storage.records(callKind)
  const stateByHolder = new Map<string, CallState>()
  /** Releases calls that have had no working handler for a while: their requests never started one, or have ended. */
  const releaseIdle = (): void => {
    for (const state of stateByHolder.values())
      if (!state.isWorking && runtime.now() >= state.activeSince + renewMs)
        release(state).catch((error: unknown) => report("releasing a call", error))
  }
  const onBeat = (): boolean => {
    releaseIdle()
    return stateByHolder.size > 0
  }
  const closer = new AbortController()
  const closing = closer.signal
  const worker = createWorker({ storage, runtime, report, onBeat })
  const parts: CallParts = {
    ...{ records, sealer, runtime, strict, lifetimeMs, resumeMs, worker, stateByHolder, backgroundWrites: new Set() },
    entries: storage.records(entryKind),
    closing,
    report,
  }
  const sleep = (until: number): Promise<void> =>
    new Promise((resolve) => runtime.after(Math.max(until - runtime.now(), 1), resolve))
  const createLease = () => ({ holder: runtime.newId(), worker: worker.id })
  const isOwnAndValid = (record: Call | undefined, caller: Principal): record is Call =>
    record !== undefined && record.owner === personDigestOf(caller) && runtime.now() < record.expiresAt

  /** Whether the request that has the lease of the call is alive. */
  const lifeOf = async ({ lease }: Call): Promise<WorkerLife> => {
    if (lease === undefined) return { state: "dead" }
    if (lease.worker !== worker.id) return worker.lifeOf(lease.worker)
    const state = stateByHolder.get(lease.holder)
    if (state === undefined) return { state: "dead" }
    const until = state.activeSince + leaseMs
    if (state.isWorking) return { state: "alive", until: Math.max(until, runtime.now()) }
    return runtime.now() < until ? { state: "alive", until } : { state: "dead" }
  }

  /**
   * Takes the lease of the call. Undefined when another request was faster. `idleJournal` is the journal as it was read
   * while the earlier request of the call was alive and could still write.
   */
  const takeCall = async (
    record: Call,
    options: Pick<CallStart, "isWorking" | "hasWaited" | "isOnly">,
    idleJournal?: Journal,
  ): Promise<OpenCall | undefined> => {
    const lease = createLease()
    const leasedRecord = {
      ...withoutHandover(record),
      version: record.version + 1,
      lease,
      writer: lease.holder,
    }
    const take = async () => {
      const earlyRead = idleJournal === undefined ? readJournal(parts, record) : undefined
      const [isTaken, early] = await Promise.all([records.replace(leasedRecord), earlyRead, worker.ready()])
      return isTaken ? (early ?? (await readJournal(parts, record, idleJournal))) : undefined
    }
    const loaded = await take().catch((error: unknown) => {
      if (isStoreFailure(error)) giveBack(record, lease.holder).catch((cause) => report("giving back a call", cause))
      throw error
    })
    if (loaded === undefined) return undefined
    if (record.lease !== undefined) stateByHolder.delete(record.lease.holder)
    return openCall(parts, { ...loaded, ...options, record: leasedRecord, isStored: true, answer: answerOf(record) })
  }

  /** Restores a call that this process may or may not have taken when the storage failed, so that others can take it. */
  const giveBack = async (record: Call, holder: string): Promise<void> => {
    const giving = untilStored(parts, async () => {
      const current = await records.get(record.id)
      if (current?.lease?.holder === holder) await records.replace({ ...record, version: current.version + 1 })
    })
    parts.backgroundWrites.add(giving)
    await giving.finally(() => parts.backgroundWrites.delete(giving))
  }

  /**
   * Whether the call's worker is dead. A worker on another machine is watched until it renews its lease, or until the
   * lease expires.
   */
  const isDead = async (record: Call): Promise<boolean> => {
    const life = await lifeOf(record)
    if (life.state !== "maybe") return life.state === "dead"
    await sleep(runtime.now() < life.renewsBy ? life.renewsBy : life.until)
    const laterLife = await lifeOf(record)
    return laterLife.state === "maybe" && laterLife.until > life.until ? false : isDead(record)
  }

  const answerOf = (record: Call): Answer | undefined => {
    if (record.sealed?.fields.answer === undefined) return undefined
    return JSON.parse(sealer.open(sealBindings.call(record), record.sealed).answer ?? "{}") as Answer
  }

  /**
   * Reads the journal of a call whose client is gone. Undefined while the request that works on the call is in the
   * middle of an effect, which that request may finish.
   */
  const readIdleJournal = async (record: Call): Promise<Journal | undefined> => {
    const { journal } = await readJournal(parts, record)
    if (![...journal.entries.values()].some(({ kind }) => kind === "started")) return journal
    if ((await lifeOf(record)).state === "dead") return journal
    await sleep(runtime.now() + effectCheckMs)
    return undefined
  }

  /** Whether the client was answered with a question and will not come back with an answer. */
  const isAbandoned = async (record: Call, { at, isShown, process }: StoredHandover): Promise<boolean> => {
    if (process !== undefined && isProcessGone(process)) return true
    const { waitsFor: links = [] } = record
    if (isShown) return links.length > 0 && (await Promise.all(links.map(isCompleted))).every(Boolean)
    if (runtime.now() < at + returnMs) await sleep(at + returnMs)
    return (await records.get(record.id))?.version === record.version
  }

  /** Counts the end of the process that worked on the call. A step that was finished since the last end resets the count. */
  const interruptionOf = async (record: Call): Promise<NonNullable<Call["interrupted"]>> => {
    const { journal } = await readJournal(parts, record)
    const finishedSteps = [...journal.entries.values()].filter(({ kind }) => kind !== "started").length
    const { interrupted } = record
    return { finishedSteps, times: interrupted?.finishedSteps === finishedSteps ? interrupted.times + 1 : 1 }
  }

  /** Whether neither a request nor a client has the call, so that the same call, made again, continues it. */
  const isFree = async (record: Call): Promise<boolean> => {
    if (record.lease === undefined) return record.parted === undefined || isAbandoned(record, record.parted)
    return record.isSentAway === true ? (await lifeOf(record)).state === "dead" : isDead(record)
  }

  /**
   * Continues a stored call. Undefined when another request or client has the call, so that this request begins a new
   * one.
   */
  const continueCall = async (record: Call, caller: Principal): Promise<OpenCall | undefined> => {
    const isUnheard = record.lease !== undefined && record.isUnheard === true
    const idleJournal = isUnheard ? await readIdleJournal(record) : undefined
    const canTake = isUnheard ? idleJournal !== undefined : await isFree(record)
    const resumedCall = canTake ? await takeCall(record, { isWorking: true }, idleJournal) : undefined
    if (resumedCall !== undefined) return resumedCall
    if (!canTake && !isUnheard && record.isSentAway !== true) return undefined
    const current = await records.get(record.id)
    if (!isOwnAndValid(current, caller)) return undefined
    if (canTake || isUnheard) return continueCall(current, caller)
    const loaded = await readJournal(parts, current)
    return openCall(parts, { ...loaded, record: current, isStored: true, isWorking: true, isGuest: true })
  }

  const continueFirstFree = async (candidates: readonly Call[], caller: Principal): Promise<OpenCall | undefined> => {
    for (const record of candidates) {
      const call = await continueCall(record, caller)
      if (call !== undefined) return call
    }
    return undefined
  }

  /**
   * Whether the call has run for so long that its client may have given it up. Concurrent calls are younger than that.
   */
  const hasRunLong = ({ lease, createdAt }: Call): boolean =>
    lease !== undefined && runtime.now() >= createdAt + impatienceMs

  /** Continues the call of this id, whatever became of its earlier requests, or begins it. */
  const openOnly = async (opening: CallOpening): Promise<OpenCall> => {
    const record = await records.get(opening.id)
    if (!isOwnAndValid(record, opening.caller)) return begin(opening)
    const canTake = record.lease === undefined || (await isDead(record))
    const call = canTake ? await takeCall(record, { isWorking: true, isOnly: true }) : undefined
    if (call !== undefined) return call
    await sleep(runtime.now() + effectCheckMs)
    return openOnly(opening)
  }

  const begin: Calls["begin"] = ({ id, caller, knownBy, isOnly }) => {
    const now = runtime.now()
    const record: Call = {
      ...{ id, tenant: caller.tenant, version: 1, owner: personDigestOf(caller), round: 0, lease: createLease() },
      ...(knownBy === undefined ? {} : { knownBy }),
      ...{ createdAt: now, expiresAt: now + resumeMs },
    }
    const journal = createJournal([], { strict })
    return openCall(parts, { record, journal, stored: toStoredJournal(), isStored: false, isWorking: true, isOnly })
  }

  const claim = async (target: Parameters<Calls["claim"]>[0], hasWaited = false): Promise<OpenCall | undefined> => {
    const { id, round, caller, isOnly } = target
    const record = await records.get(id)
    if (!isOwnAndValid(record, caller) || record.round !== round) return undefined
    const life = await lifeOf(record)
    const idleJournal = record.isUnheard === true ? await readIdleJournal(record) : undefined
    if (record.isUnheard === true && idleJournal === undefined) return claim(target)
    // A stored answer may be delivered to any number of requests.
    if (life.state === "dead" || idleJournal !== undefined || record.sealed?.fields.answer !== undefined)
      return (await takeCall(record, { isWorking: false, hasWaited, isOnly }, idleJournal)) ?? claim(target, hasWaited)
    const isWorkingHere = stateByHolder.get(record.lease?.holder ?? "")?.isWorking === true
    if (hasWaited || isWorkingHere) return undefined
    // The worker may be dead: then the call can be taken when the lease expires.
    await sleep(life.until)
    return claim(target, true)
  }

  return {
    begin,
    async start({ id, caller, kind, input }) {
      const now = runtime.now()
      const record: Call = {
        ...{
          id,
          tenant: caller.tenant,
          version: 1,
          owner: personDigestOf(caller),
          round: 0,
          lease: createLease(),
          kind,
        },
        ...{ dueAt: now, createdAt: now, expiresAt: now + lifetimeMs },
      }
      const sealed = sealer.seal(sealBindings.call(record), { input: JSON.stringify(input) })
      const journal = createJournal([], { strict })
      const callStart = {
        record: { ...record, sealed },
        journal,
        stored: toStoredJournal(),
        isStored: false,
        isWorking: true,
      }
      const call = openCall(parts, callStart)
      await call.save()
      return call
    },
    has: async (id) => (await records.get(id)) !== undefined,
    listDue: async (kind, dueBefore) =>
      (await records.list({ dueBefore, limit: mostDue })).filter((record) => record.kind === kind),
    async wake(id, kind) {
      const record = await records.get(id)
      if (record?.kind !== kind || record.sealed === undefined || runtime.now() >= record.expiresAt) return undefined
      if ((await lifeOf(record)).state !== "dead") return undefined
      const { waitsFor: _waitsFor, interrupted: _interrupted, ...others } = record
      const interrupted = record.lease === undefined ? undefined : await interruptionOf(record)
      // Stored before the step is begun again: a step that ends every process is counted by the next one.
      const takenRecord: Call = { ...others, dueAt: runtime.now(), ...(interrupted !== undefined && { interrupted }) }
      const call = await takeCall(takenRecord, { isWorking: true })
      const input: unknown = JSON.parse(sealer.open(sealBindings.call(record), record.sealed).input ?? "null")
      return call === undefined ? undefined : { call, input, interruptions: interrupted?.times ?? 0 }
    },
    // A client whose answer is refused would not send the answer again.
    claim: (target) => untilStored(parts, () => claim(target), mostFailures),
    async open(opening) {
      const { caller, knownBy, isOnly = false } = opening
      if (isOnly) return openOnly(opening)
      if (knownBy === undefined) return begin(opening)
      const listCandidates = async () =>
        (await records.list({ tenant: caller.tenant, owner: knownBy, limit: mostCandidates })).filter((record) =>
          isOwnAndValid(record, caller),
        )
      const candidates = await listCandidates()
      const continuedCall = await continueFirstFree(candidates, caller)
      if (continuedCall !== undefined || !candidates.some(hasRunLong)) return continuedCall ?? begin(opening)
      // The cancellation of the first request may arrive after this request.
      await sleep(runtime.now() + overtakenMs)
      return (await continueFirstFree((await listCandidates()).filter(hasRunLong), caller)) ?? begin(opening)
    },
    closing,
    stopRetrying: () => closer.abort(),
    async close() {
      closer.abort()
      await Promise.allSettled(parts.backgroundWrites)
      stateByHolder.clear()
      await worker.close()
    },
  }
}

/** How long a client may take to call again after an answer that contains no question to show to a person. */
const returnMs = 5_000

/** The shortest time after which a client gives up a call. */
const impatienceMs = 5_000

/** How much later than this call the cancellation of the previous one may arrive. */
const overtakenMs = 3_000

/** How long to wait before checking again whether a running effect has ended. */
const effectCheckMs = 500

/** The most calls that one query for due calls returns. */
const mostDue = 10_000

/** The most unfinished calls with the same arguments that are examined to find one to continue. */
const mostCandidates = 20
