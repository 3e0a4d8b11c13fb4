// One call that is being worked on: its journal, and the writes by which it is kept, handed on or put away. Many may be held
// at once, so what they share is written as functions over the little that each has of its own.

import { HoldpointError } from "../core/error.ts"
import type { Records } from "../ports/records.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { EntryParts, Stored } from "./entries.ts"
import { removeEntries, writeEntries } from "./entries.ts"
import type { Journal } from "./journal.ts"
import type { Call } from "./records.ts"
import type { Waiting } from "./run.ts"
import type { Worker } from "./worker.ts"

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
  /** Its handler runs: no other request may have it until it is answered, however long that takes. */
  work(): void
  /** Writes the journal down, so that it is there whatever happens next. `questionMs`: how long a person has for it. */
  save(questionMs?: number): Promise<void>
  /** The request is being answered with a question: the number of the round that the client will bring back. */
  advance(questionMs: number): Promise<number>
  /** Its client will bring nothing back: kept until the same is called again, which is known by this. */
  sendAway(knownBy: string | undefined, questionMs: number): Promise<void>
  /** The run waits for these questions, and no client comes back for it: it is resumed when one of them is settled. */
  pause(waiting: readonly Pick<Waiting, "elicitation" | "lifetimeMs">[]): Promise<void>
  /** The call is over. False when another request has gone on with it meanwhile. */
  finish(): Promise<boolean>
  /** The request ended without an answer: the same state may come again. */
  release(): Promise<void>
  /** Its client waits no more: what was done is kept for the same call, made again. */
  giveUp(): Promise<void>
  /** The same call for another run of its handler within the same request. */
  restart(): OpenCall
}

/** What all calls have in common. */
export interface CallParts extends EntryParts {
  readonly records: Records<Call>
  readonly runtime: Runtime
  readonly worker: Worker
  /** How long a call is kept that is never resumed. */
  readonly lifetimeMs: number
  /** How long the same arguments count as the same call. */
  readonly resumeMs: number
  /** What this worker has in its memory, by holder. */
  readonly held: Map<string, CallState>
}

export interface CallState
  extends Pick<OpenCall, "id" | "round" | "generation" | "wasSentAway" | "hasWaited" | "isGuest"> {
  readonly parts: CallParts
  readonly stored: Stored
  record: Call
  journal: Journal
  isStored: boolean
  /** When this request got it. */
  readonly since: number
  isWorking: boolean
  isLost: boolean
  isOver: boolean
  queue: Promise<unknown> | undefined
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
}

export function openCall(parts: CallParts, start: CallStart): OpenCall {
  const { record, journal, stored, isStored, isWorking, isGuest = false, hasWaited = false } = start
  const { id, round, generation = 0, isSentAway: wasSentAway = false } = record
  const state: CallState = {
    ...{ parts, id, round, generation, wasSentAway, hasWaited, isGuest, record, journal, stored, isStored, isWorking },
    ...{ since: parts.runtime.now(), isLost: false, isOver: false, queue: undefined },
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
  advance(questionMs) {
    return advance(this, questionMs)
  },
  sendAway(knownBy, questionMs) {
    return sendAway(this, knownBy, questionMs)
  },
  pause(waiting) {
    return pause(this, waiting)
  },
  finish() {
    return finish(this)
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

function hold(state: CallState): void {
  const { parts, record } = state
  if (record.lease === undefined) return
  parts.held.set(record.lease.holder, state)
  parts.worker.stay()
}

function letGo({ parts, record }: CallState): void {
  if (record.lease !== undefined) parts.held.delete(record.lease.holder)
}

/** Beyond a question's own time: for a person who finishes late. */
export const graceMs = 10 * 60_000

const untilAnswered = ({ parts, record }: CallState, questionMs: number): number =>
  Math.max(record.expiresAt, parts.runtime.now() + questionMs + graceMs)

const withoutLease = ({ lease: _lease, ...rest }: Call): Call => rest

function save(state: CallState, questionMs: number): Promise<void> {
  return write(state, ({ record }) => ({ ...record, expiresAt: untilAnswered(state, questionMs) }))
}

async function advance(state: CallState, questionMs: number): Promise<number> {
  letGo(state)
  const { runtime, lifetimeMs } = state.parts
  await write(state, ({ record: { knownBy: _knownBy, ...record } }) => ({
    // What its client brings back is what it is known by from now on.
    ...withoutLease(record),
    round: record.round + 1,
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
  if (knownBy === undefined) return void (await finish(state))
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
  if (state.record.knownBy === undefined) return void (await finish(state))
  if (!state.journal.giveUp()) return void (await finish(state))
  letGo(state)
  await write(state, ({ record }) => ({
    ...{ ...withoutLease(record), generation: (record.generation ?? 0) + 1 },
    expiresAt: untilAnswered(state, state.parts.resumeMs - graceMs),
  }))
}

function finish(state: CallState): Promise<boolean> {
  letGo(state)
  return inTurn(state, async () => {
    if (!state.isLost && !state.isOver && state.isStored && !state.isGuest) {
      const { worker } = state.parts
      const isRemoved = removeCall(state)
      // In one commit, unless another request may have them by now.
      if (worker.isSure() || (await isRemoved)) await removeEntries({ ...state, call: state.record })
      state.isLost = !(await isRemoved)
    }
    state.isOver = true
    return !state.isLost && !state.isGuest
  })
}

async function removeCall(state: CallState): Promise<boolean> {
  const { records } = state.parts
  if (await records.remove(state.record)) return true
  const other = await records.get(state.record.id)
  return isStillOurs(state, other) && records.remove(other)
}

/** Only its keys were changed. */
const isStillOurs = ({ record }: CallState, other: Call | undefined): other is Call =>
  other !== undefined && other.lease?.holder === record.lease?.holder

/** One write after the other: each builds on the version before. */
function inTurn<T>(state: CallState, step: () => Promise<T>): Promise<T> {
  const run = state.queue === undefined ? step() : state.queue.then(step)
  const done = run.then(nothing, nothing)
  state.queue = done
  void done.then(() => {
    if (state.queue === done) state.queue = undefined
  })
  return run
}

const nothing = (): void => {}

/** `isBare`: without what is new in the journal. */
function write(
  state: CallState,
  change: (state: CallState) => Call,
  { isBare = false }: { readonly isBare?: boolean } = {},
): Promise<void> {
  return inTurn(state, async () => {
    if (state.isOver || state.isGuest) return
    if (state.isLost) throw takenOver()
    const next = isBare ? change(state) : withoutBlob(change(state))
    const entries = async (): Promise<void> => {
      if (!isBare) await writeEntries({ ...state, call: next })
    }
    // In one commit, unless another request may have the call by now.
    const early = state.parts.worker.isSure() || !state.isStored ? entries() : undefined
    await Promise.all([writeCall(state, next), early])
    await entries()
  })
}

/** The journal is in records of its own by now. */
function withoutBlob(call: Call): Call {
  const { sealed, ...bare } = call
  return sealed?.fields.journal === undefined ? call : bare
}

async function writeCall(state: CallState, next: Call): Promise<void> {
  const { records, worker, runtime } = state.parts
  const [isOurs] = await Promise.all([tryWrite(state, next), next.lease === undefined ? undefined : worker.ready()])
  if (isOurs) return
  const other = await records.get(next.id)
  if (isStillOurs(state, other)) state.record = other
  else if (other === undefined && runtime.now() >= state.record.expiresAt) anew(state)
  else state.isLost = true
  state.isLost ||= !(await tryWrite(state, next))
  if (state.isLost) throw takenOver()
}

/** It was forgotten while it was worked on, and perhaps its entries with it. */
function anew(state: CallState): void {
  state.isStored = false
  for (const key of state.journal.entries.keys()) state.journal.changed.add(key)
}

async function tryWrite(state: CallState, next: Call): Promise<boolean> {
  const { records } = state.parts
  const isFirst = !state.isStored
  const written = { ...next, version: isFirst ? 1 : state.record.version + 1 }
  const isOurs = await (isFirst ? records.insert(written) : records.replace(written))
  if (!isOurs) return false
  state.record = written
  state.isStored = true
  if (isFirst) hold(state)
  return true
}

function takenOver(): HoldpointError {
  return new HoldpointError(
    "already_settled",
    "Another request has gone on with this call meanwhile; this one stops here, and nothing it did is lost.",
  )
}
