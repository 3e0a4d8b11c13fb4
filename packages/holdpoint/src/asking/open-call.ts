// One call that is being worked on: its journal, and the writes by which it is kept, handed on or put away. Many may be held
// at once, so what they share is written as functions over the little that each has of its own.

import { sealBindings } from "../core/seal-bindings.ts"
import type { CallParts, CallState } from "./call-state.ts"
import { hold, inTurn, isSure, letGo, removeCall, write } from "./call-state.ts"
import type { Stored } from "./entries.ts"
import { removeEntries } from "./entries.ts"
import type { Journal } from "./journal.ts"
import { thisProcess } from "./process-id.ts"
import type { Call } from "./records.ts"
import type { Waiting } from "./run.ts"

export interface OpenCall {
  readonly id: string
  readonly journal: Journal
  /** How often it was answered with a question before this request. */
  readonly round: number
  /** How often it was given up before: what is asked now is asked anew. */
  readonly generation: number
  /** Its client was sent away before, and has called again. */
  readonly wasSentAway: boolean
  /** This request has waited for another one that never answered. */
  readonly hasWaited: boolean
  /** Another request has it now: this one may read what was answered and done, and does nothing itself. */
  readonly isGuest: boolean
  /** What came of it, when that is known and never reached its client. */
  readonly answer: Answer | undefined
  /** Its handler runs: no other request may have it until it is answered, however long that takes. */
  work(): void
  /** Writes the journal down, so that it is there whatever happens next. `questionMs`: how long a person has for it. */
  save(questionMs?: number): Promise<void>
  /** The request is being answered with a question: the number of the round that the client will bring back. */
  advance(questionMs: number, parting?: Parting): Promise<number>
  /** Its client will bring nothing back: kept until the same is called again, which is known by this. */
  sendAway(knownBy: string | undefined, questionMs: number): Promise<void>
  /** The run waits for these questions, and no client comes back for it: it is resumed when one of them is settled. */
  pause(waiting: readonly Pick<Waiting, "elicitation" | "lifetimeMs">[]): Promise<void>
  /**
   * The call is over. What is known of it is kept until it is delivered, if its client could come again. False when another
   * request has gone on with it meanwhile.
   */
  finish(answer?: Answer): Promise<boolean>
  /** Its client has what it was answered with: the same call, made again, is another. */
  delivered(): Promise<void>
  /** Its client is gone and has no answer: the same call, made again, takes this one up. */
  lost(): Promise<void>
  /** Its client has come again for the answer while it is worked on. */
  found(): Promise<void>
  /** The request ended without an answer: the same state may come again. */
  release(): Promise<void>
  /** Its client waits no more: what was done is kept for the same call, made again. */
  giveUp(): Promise<void>
  /** The same call for another run of its handler within the same request. */
  restart(): OpenCall
}

export interface Answer {
  readonly value: unknown
}

/** How its client is left behind with a question. */
export interface Parting {
  /** There is something to show to a person; else the client comes back at once. */
  readonly isShown: boolean
  /** The links that it is given. */
  readonly links: readonly string[]
  /** The client can only come back to this process. */
  readonly isTied: boolean
}

export interface CallStart {
  readonly record: Call
  readonly journal: Journal
  readonly stored: Stored
  readonly isStored: boolean
  /** False for one that is taken before its handler is known to run. */
  readonly isWorking: boolean
  readonly isGuest?: boolean
  readonly hasWaited?: boolean
  readonly answer?: Answer | undefined
}

export function openCall(parts: CallParts, start: CallStart): OpenCall {
  const { record, journal, stored, isStored, isWorking, isGuest = false, hasWaited = false, answer } = start
  const { id, round, generation = 0, isSentAway: wasSentAway = false } = record
  const state: CallState = {
    ...{ parts, id, round, generation, wasSentAway, hasWaited, isGuest, record, journal, stored, isStored, isWorking },
    ...{ answer, isEnded: answer !== undefined, since: parts.runtime.now() },
    ...{ isLost: false, isOver: false, queue: undefined },
  }
  const call: CallState & OpenCall = Object.assign(Object.create(methods) as OpenCall, state)
  if (isStored && !isGuest) hold(call)
  return call
}

/** Written once for all calls. */
const methods: Omit<OpenCall, keyof CallState> & ThisType<CallState & OpenCall> = {
  work() {
    this.isWorking = true
  },
  save(questionMs = 0) {
    return save(this, questionMs)
  },
  advance(questionMs, parting = { isShown: true, links: [], isTied: false }) {
    return advance(this, questionMs, parting)
  },
  sendAway(knownBy, questionMs) {
    return sendAway(this, knownBy, questionMs)
  },
  pause(waiting) {
    return pause(this, waiting)
  },
  finish(answer) {
    return finish(this, answer)
  },
  delivered() {
    return settling(this, delivered(this))
  },
  lost() {
    return settling(this, lost(this))
  },
  found() {
    return settling(this, found(this))
  },
  release() {
    return release(this)
  },
  giveUp() {
    return giveUp(this)
  },
  restart() {
    this.journal = this.journal.restart()
    return this
  },
}

/** Beyond a question's own time: for a person who finishes late. */
export const graceMs = 10 * 60_000

const untilAnswered = ({ parts, record }: CallState, questionMs: number): number =>
  Math.max(record.expiresAt, parts.runtime.now() + questionMs + graceMs)

const withoutLease = ({ lease: _lease, ...rest }: Call): Call => rest

/** As it is for the request that takes it. */
export const withoutParting = ({ isUnheard: _isUnheard, parted: _parted, waitsFor: _waitsFor, ...rest }: Call): Call =>
  rest

function settling(state: CallState, work: Promise<void>): Promise<void> {
  const { settling: all } = state.parts
  const done = work.finally(() => all.delete(done))
  all.add(done)
  return done
}

function save(state: CallState, questionMs: number): Promise<void> {
  return write(state, ({ record }) => ({ ...record, expiresAt: untilAnswered(state, questionMs) }))
}

async function advance(state: CallState, questionMs: number, { isShown, links, isTied }: Parting): Promise<number> {
  letGo(state)
  const { runtime, lifetimeMs } = state.parts
  const parted = { at: runtime.now(), isShown, ...(isTied ? { process: thisProcess() } : {}) }
  await write(state, ({ record }) => ({
    ...withoutLease(record),
    ...{ parted, waitsFor: links, round: record.round + 1 },
    expiresAt: Math.max(untilAnswered(state, questionMs), runtime.now() + lifetimeMs),
  }))
  return state.record.round
}

async function pause(state: CallState, waiting: Parameters<OpenCall["pause"]>[0]): Promise<void> {
  letGo(state)
  const lives = waiting.map(({ lifetimeMs }) => lifetimeMs)
  const { runtime, lifetimeMs } = state.parts
  await write(state, ({ record }) => ({
    ...withoutLease(record),
    waitsFor: waiting.map(({ elicitation }) => elicitation),
    dueAt: runtime.now() + Math.min(...lives),
    expiresAt: Math.max(untilAnswered(state, Math.max(...lives)), runtime.now() + lifetimeMs),
  }))
}

async function sendAway(state: CallState, knownBy: string | undefined, questionMs: number): Promise<void> {
  if (knownBy === undefined) return void (await remove(state))
  letGo(state)
  await write(state, ({ record }) => ({
    ...{ ...withoutLease(record), knownBy, isSentAway: true, round: 0 },
    expiresAt: state.parts.runtime.now() + questionMs + graceMs,
  }))
}

export async function release(state: CallState): Promise<void> {
  letGo(state)
  if (state.isStored && !state.isLost) await write(state, ({ record }) => withoutLease(record), { isBare: true })
}

async function giveUp(state: CallState): Promise<void> {
  if (state.record.knownBy === undefined || !state.journal.giveUp()) return void (await remove(state))
  letGo(state)
  await write(state, ({ record }) => ({
    ...{ ...withoutLease(record), generation: (record.generation ?? 0) + 1 },
    expiresAt: untilAnswered(state, state.parts.resumeMs - graceMs),
  }))
}

async function finish(state: CallState, answer: Answer | undefined): Promise<boolean> {
  const { record, isStored, isGuest, parts } = state
  const canComeAgain = record.knownBy !== undefined || record.round > 0
  if (!isStored || isGuest || state.isLost || state.isOver || !canComeAgain) return remove(state)
  Object.assign(state, { isEnded: true, isWorking: false, since: parts.runtime.now() })
  if (answer === undefined) return true
  const sealed = parts.sealer.seal(sealBindings.call(record), { answer: JSON.stringify(answer) })
  try {
    const expiresAt = parts.runtime.now() + parts.resumeMs
    const removeAll = () => removeEntries({ ...state, call: record })
    // In one commit, unless another request may have them by now.
    const early = isSure(state) ? removeAll() : undefined
    await Promise.all([write(state, (now) => ({ ...now.record, sealed, expiresAt }), { isBare: true }), early])
    await removeAll()
    return true
  } catch (error) {
    if (state.isLost) return false
    throw error
  }
}

/** Nothing of it is needed any more. */
function remove(state: CallState): Promise<boolean> {
  const removing = inTurn(state, async () => {
    if (!state.isLost && !state.isOver && state.isStored && !state.isGuest) {
      const isRemoved = removeCall(state)
      // In one commit, unless another request may have them by now.
      if (isSure(state) || (await isRemoved)) await removeEntries({ ...state, call: state.record })
      state.isLost = !(await isRemoved)
    }
    state.isOver = true
    return !state.isLost && !state.isGuest
  })
  // While it can be read, it is known to be this request's.
  return removing.finally(() => letGo(state))
}

async function delivered(state: CallState): Promise<void> {
  if (!state.isEnded || state.isLost || state.isGuest) return
  const { record, parts } = state
  if (record.round === 0 || record.sealed?.fields.answer === undefined) return void (await remove(state))
  const expiresAt = parts.runtime.now() + answerMs
  const forget = ({ record: { knownBy: _knownBy, ...rest } }: CallState): Call => ({ ...withoutLease(rest), expiresAt })
  await ifOurs(state, write(state, forget, { isBare: true }))
  letGo(state)
}

/** A request with a state whose answer was lost on its way is sent again within this. */
const answerMs = 2 * 60_000

async function lost(state: CallState): Promise<void> {
  if (state.isOver || state.isLost || state.isGuest) return
  if (!state.isStored) state.record = { ...state.record, isUnheard: true }
  else await ifOurs(state, leave(state))
}

async function found(state: CallState): Promise<void> {
  if (state.isOver || state.isLost || state.isGuest || state.isEnded) return
  const heard = ({ isUnheard: _isUnheard, ...rest }: Call): Call => rest
  if (!state.isStored) state.record = heard(state.record)
  else
    await ifOurs(
      state,
      write(state, ({ record }) => heard(record), { isBare: true }),
    )
}

function leave(state: CallState): Promise<void> {
  const { record, round } = state
  const isKept = record.sealed?.fields.answer !== undefined
  if (state.isEnded) return isKept || round > 0 ? release(state) : giveUp(state)
  const isParted = record.parted !== undefined
  return write(
    state,
    (now) => (isParted ? { ...withoutParting(now.record), round } : { ...now.record, isUnheard: true }),
    { isBare: true },
  )
}

/** Nothing is lost when another request has it. */
async function ifOurs(state: CallState, writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!state.isLost) throw error
  }
}
