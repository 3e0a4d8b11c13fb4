// An open call: the writes by which it is saved, released, suspended and ended. One object for each request that works
// on a call.

import { sealBindings, thisProcess, untilStored } from "@holdpoint/hub/internal"
import type { CallParts, CallState } from "./call-state.ts"
import {
  enqueueWrite,
  isLeaseCertain,
  registerState,
  removeCall,
  unregisterState,
  write,
  writeJournal,
} from "./call-state.ts"
import type { Journal } from "./journal.ts"
import type { StoredJournal } from "./journal-entries.ts"
import { removeEntries } from "./journal-entries.ts"
import type { Answer, Handover, OpenCall } from "./open-call.ts"
import type { Call } from "./records.ts"

export interface CallStart {
  readonly record: Call
  readonly journal: Journal
  readonly stored: StoredJournal
  readonly isStored: boolean
  /** False for a call that was claimed before its handler starts. */
  readonly isWorking: boolean
  readonly isGuest?: boolean
  readonly hasWaited?: boolean
  /** Whether a request that makes the call again has its id. */
  readonly isOnly?: boolean | undefined
  readonly answer?: Answer | undefined
}

export function openCall(parts: CallParts, start: CallStart): OpenCall {
  const call = new RequestedCall(parts, start)
  if (call.isStored && !call.isGuest) registerState(call)
  return call
}

/** The fields are not private, because the writes of call-state.ts and journal-entries.ts read and set them. */
class RequestedCall implements OpenCall, CallState {
  readonly parts: CallParts
  readonly id: string
  readonly round: number
  readonly generation: number
  readonly wasSentAway: boolean
  readonly hasWaited: boolean
  readonly isGuest: boolean
  readonly isOnly: boolean
  readonly answer: Answer | undefined
  readonly stored: StoredJournal
  readonly holder: string | undefined
  record: Call
  journal: Journal
  isStored: boolean
  isWorking: boolean
  isEnded: boolean
  activeSince: number
  isLost = false
  isUncertain = false
  isRemoved = false
  queue: Promise<unknown> | undefined
  leaving: Promise<boolean> | undefined

  constructor(parts: CallParts, start: CallStart) {
    const { record, journal, stored, isStored, isWorking, isGuest = false } = start
    const { hasWaited = false, isOnly = false, answer } = start
    const { id, round, generation = 0, isSentAway = false, lease } = record
    this.parts = parts
    this.id = id
    this.round = round
    this.generation = generation
    this.wasSentAway = isSentAway
    this.hasWaited = hasWaited
    this.isGuest = isGuest
    this.isOnly = isOnly
    this.answer = answer
    this.stored = stored
    this.holder = lease?.holder
    this.record = record
    this.journal = journal
    this.isStored = isStored
    this.isWorking = isWorking
    this.isEnded = answer !== undefined
    this.activeSince = parts.runtime.now()
  }

  get tenant(): string {
    return this.record.tenant
  }

  startWorking(): void {
    this.isWorking = true
  }

  save(questionMs = 0): Promise<void> {
    return save(this, questionMs)
  }

  keep(): Promise<void> {
    return keep(this)
  }

  advance(
    questionMs: number,
    handover: Handover = { isShown: true, links: [], isTiedToProcess: false },
  ): Promise<number> {
    return advance(this, questionMs, handover)
  }

  sendAway(knownBy: string | undefined, questionMs: number): Promise<void> {
    return sendAway(this, knownBy, questionMs)
  }

  pause(waiting: Parameters<OpenCall["pause"]>[0]): Promise<void> {
    return pause(this, waiting)
  }

  finish(answer?: Answer): Promise<boolean> {
    return finish(this, answer)
  }

  noteDelivered(): Promise<void> {
    return inBackground(this, () => removeDelivered(this))
  }

  noteLost(): Promise<void> {
    return inBackground(this, () => markAsUnheard(this))
  }

  noteHeard(): Promise<void> {
    return inBackground(this, () => markAsHeard(this))
  }

  release(): Promise<void> {
    return release(this)
  }

  giveUp(): Promise<void> {
    return giveUp(this)
  }

  restart(): OpenCall {
    this.journal = this.journal.restart()
    return this
  }

  again(): OpenCall {
    this.journal = this.journal.again()
    this.isWorking = true
    if (this.isStored && !this.isGuest) registerState(this)
    return this
  }

  leave(work: () => Promise<unknown>): void {
    this.leaving = inBackground(this, work).then(
      () => true,
      (error: unknown) => {
        this.parts.report("storing a call that is over", error)
        return false
      },
    )
  }

  async isLeft(): Promise<boolean> {
    return (await this.leaving) ?? true
  }
}

/** The time that a call is kept beyond its question's deadline, for a person who finishes late. */
export const graceMs = 10 * 60_000

const expiryAfterAnswer = ({ parts, record }: CallState, questionMs: number): number =>
  Math.max(record.expiresAt, parts.runtime.now() + questionMs + graceMs)

const withoutLease = ({ lease: _lease, ...rest }: Call): Call => rest

/** The call without the fields that a request clears when it takes the call. */
export const withoutHandover = ({ isUnheard: _isUnheard, parted: _parted, waitsFor: _waitsFor, ...rest }: Call): Call =>
  rest

async function inBackground({ parts }: CallState, work: () => Promise<unknown>): Promise<void> {
  const writing = untilStored(parts, work)
  parts.backgroundWrites.add(writing)
  try {
    await writing
  } finally {
    parts.backgroundWrites.delete(writing)
  }
}

function save(state: CallState, questionMs: number): Promise<void> {
  return write(state, ({ record }) => ({ ...record, expiresAt: expiryAfterAnswer(state, questionMs) }))
}

async function keep(state: CallState): Promise<void> {
  const isLasting = state.record.expiresAt >= expiryAfterAnswer(state, graceMs)
  return isLasting && (await writeJournal(state)) ? undefined : save(state, 0)
}

async function advance(
  state: CallState,
  questionMs: number,
  { isShown, links, isTiedToProcess }: Handover,
): Promise<number> {
  unregisterState(state)
  const { runtime, lifetimeMs } = state.parts
  const parted = { at: runtime.now(), isShown, ...(isTiedToProcess ? { process: thisProcess() } : {}) }
  await write(state, ({ record }) => ({
    ...withoutLease(record),
    ...{ parted, waitsFor: links, round: record.round + 1 },
    expiresAt: Math.max(expiryAfterAnswer(state, questionMs), runtime.now() + lifetimeMs),
  }))
  return state.record.round
}

async function pause(state: CallState, waiting: Parameters<OpenCall["pause"]>[0]): Promise<void> {
  if (waiting.length === 0) return release(state)
  unregisterState(state)
  const lifetimes = waiting.map(({ lifetimeMs }) => lifetimeMs)
  const { runtime, lifetimeMs } = state.parts
  await write(state, ({ record }) => ({
    ...withoutLease(record),
    waitsFor: waiting.map(({ elicitation }) => elicitation),
    dueAt: runtime.now() + Math.min(...lifetimes),
    expiresAt: Math.max(expiryAfterAnswer(state, Math.max(...lifetimes)), runtime.now() + lifetimeMs),
  }))
}

async function sendAway(state: CallState, knownBy: string | undefined, questionMs: number): Promise<void> {
  if (knownBy === undefined) return void (await remove(state))
  unregisterState(state)
  await write(state, ({ record }) => ({
    ...{ ...withoutLease(record), knownBy, isSentAway: true, round: 0 },
    expiresAt: state.parts.runtime.now() + questionMs + graceMs,
  }))
}

export async function release(state: CallState): Promise<void> {
  unregisterState(state)
  if (state.isLost || !(state.isStored || state.isUncertain)) return
  // After a failure of the storage, only this process may know of what it has asked, and of an effect that it has done.
  const pendingWrite = write(state, ({ record }) => withoutLease(record), { isBare: !state.isUncertain })
  await ignoreLoss(state, pendingWrite)
}

async function giveUp(state: CallState): Promise<void> {
  if (state.record.knownBy === undefined || !state.journal.giveUp()) return void (await remove(state))
  unregisterState(state)
  const pendingWrite = write(state, ({ record }) => ({
    ...{ ...withoutLease(record), generation: (record.generation ?? 0) + 1 },
    expiresAt: expiryAfterAnswer(state, state.parts.resumeMs - graceMs),
  }))
  await ignoreLoss(state, pendingWrite)
}

async function finish(state: CallState, answer: Answer | undefined): Promise<boolean> {
  const { record, isStored, isGuest, parts } = state
  const canBeRepeated = record.knownBy !== undefined || record.round > 0
  if (!isStored || isGuest || state.isLost || state.isRemoved || !canBeRepeated) return remove(state)
  state.isEnded = true
  state.isWorking = false
  state.activeSince = parts.runtime.now()
  if (answer === undefined) return true
  const sealed = parts.sealer.seal(sealBindings.call(record), { answer: JSON.stringify(answer) })
  try {
    const expiresAt = parts.runtime.now() + parts.resumeMs
    const removeAll = () => removeEntries({ ...state, call: record })
    // Removes the journal in the same commit, unless another request may have taken the call.
    const earlyRemoval = isLeaseCertain(state) ? removeAll() : undefined
    await Promise.all([
      write(state, (current) => ({ ...current.record, sealed, expiresAt }), { isBare: true }),
      earlyRemoval,
    ])
    await removeAll()
    return true
  } catch (error) {
    if (state.isLost) return false
    throw error
  }
}

/** Removes the call and its journal from the store. */
function remove(state: CallState): Promise<boolean> {
  const removal = enqueueWrite(state, async () => {
    if (!state.isLost && !state.isRemoved && state.isStored && !state.isGuest) {
      const removeAll = (): Promise<void> => removeEntries({ ...state, call: state.record })
      // Removes the call and its journal in one commit, unless another request may have taken the call.
      const isCertain = isLeaseCertain(state)
      const [isRemoved] = await Promise.all([removeCall(state), isCertain ? removeAll() : undefined])
      if (isRemoved && !isCertain) await removeAll()
      state.isLost = !isRemoved
    }
    state.isRemoved = true
    return !state.isLost && !state.isGuest
  })
  // The call stays registered until it is removed: a request that still reads it must see that it has a holder.
  return removal.then((isRemoved) => {
    unregisterState(state)
    return isRemoved
  })
}

async function removeDelivered(state: CallState): Promise<void> {
  if (!state.isEnded || state.isLost || state.isGuest) return
  const { record, parts } = state
  const isKept = record.round > 0 || state.isOnly
  if (!isKept || record.sealed?.fields.answer === undefined) return void (await remove(state))
  const expiresAt = parts.runtime.now() + (state.isOnly ? parts.resumeMs : answerMs)
  const forget = ({ record: { knownBy: _knownBy, ...rest } }: CallState): Call => ({ ...withoutLease(rest), expiresAt })
  await ignoreLoss(state, write(state, forget, { isBare: true }))
  unregisterState(state)
}

/** How long an answer is kept for a client that lost it and sends its request again. */
const answerMs = 2 * 60_000

async function markAsUnheard(state: CallState): Promise<void> {
  if (state.isRemoved || state.isLost || state.isGuest) return
  if (!state.isStored) state.record = { ...state.record, isUnheard: true }
  else await ignoreLoss(state, leaveForNextRequest(state))
}

async function markAsHeard(state: CallState): Promise<void> {
  if (state.isRemoved || state.isLost || state.isGuest || state.isEnded) return
  const withoutUnheard = ({ isUnheard: _isUnheard, ...rest }: Call): Call => rest
  if (!state.isStored) state.record = withoutUnheard(state.record)
  else
    await ignoreLoss(
      state,
      write(state, ({ record }) => withoutUnheard(record), { isBare: true }),
    )
}

function leaveForNextRequest(state: CallState): Promise<void> {
  const { record, round } = state
  const hasStoredAnswer = record.sealed?.fields.answer !== undefined
  if (state.isEnded) return hasStoredAnswer || round > 0 ? release(state) : giveUp(state)
  const isHandedOver = record.parted !== undefined
  return write(
    state,
    (current) =>
      isHandedOver ? { ...withoutHandover(current.record), round } : { ...current.record, isUnheard: true },
    { isBare: true },
  )
}

/** Ignores a failed write when another request has taken the call: that request stores the whole call. */
async function ignoreLoss(state: CallState, pendingWrite: Promise<void>): Promise<void> {
  try {
    await pendingWrite
  } catch (error) {
    if (!state.isLost) throw error
  }
}
