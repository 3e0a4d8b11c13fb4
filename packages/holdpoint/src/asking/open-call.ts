// One call that is being worked on: its journal, and the writes by which it is kept, handed on or put away. Many may be held
// at once, so what they share is written as functions over the little that each has of its own.

import { HoldpointError } from "../core/error.ts"
import { places } from "../core/place.ts"
import type { Records } from "../ports/records.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Journal, JournalEntry } from "./journal.ts"
import { createJournal } from "./journal.ts"
import type { Call } from "./records.ts"

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
  advance(questionMs: number): Promise<number>
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

/** What all calls have in common. */
export interface CallBook {
  readonly records: Records<Call>
  readonly sealer: Sealer
  readonly runtime: Runtime
  readonly strict: boolean
  /** How long the same arguments count as the same call, where a client brings nothing else back. */
  readonly resumeMs: number
  /** Keeps the lease of this call until it is let go. */
  hold(state: CallState): void
  letGo(state: CallState): void
}

export interface CallState {
  readonly book: CallBook
  readonly holder: string | undefined
  record: Call
  journal: Journal
  isStored: boolean
  isLost: boolean
  isOver: boolean
  queue: Promise<unknown> | undefined
}

export interface CallStart {
  readonly isStored: boolean
  readonly wasParked?: boolean
  readonly wasLeft?: boolean
}

export function openCall(book: CallBook, record: Call, start: CallStart): OpenCall {
  const { isStored, wasParked = false, wasLeft = false } = start
  const journal = createJournal(readJournal(book, record), book.strict)
  const state: CallState = {
    ...{ book, record, journal, isStored, holder: record.lease?.holder },
    ...{ isLost: false, isOver: false, queue: undefined },
  }
  const opened: { -readonly [K in keyof OpenCall]: OpenCall[K] } = {
    id: record.id,
    journal,
    round: record.round,
    wasParked,
    wasLeft,
    work: () => book.hold(state),
    save: () => write(state, sealed),
    advance: (questionMs) => advance(state, questionMs),
    finish: () => finish(state),
    release: () => release(state),
    park: (id) => park(state, id),
    restart() {
      // What was there and is lost has to be asked for anew; what was answered before does not count any more.
      const kept = [...state.journal.entries.values()].filter(({ isOptional }) => isOptional !== true)
      state.journal = createJournal(kept, book.strict)
      opened.journal = state.journal
      return opened
    },
  }
  return opened
}

function readJournal({ sealer }: Pick<CallBook, "sealer">, record: Call): readonly JournalEntry[] {
  if (record.sealed === undefined) return []
  return JSON.parse(sealer.open(places.call(record), record.sealed).journal ?? "[]") as readonly JournalEntry[]
}

/** Its process is alive. */
export function renew(state: CallState, until: number): Promise<void> {
  const { holder } = state
  return holder === undefined
    ? Promise.resolve()
    : write(state, ({ record }) => ({ ...record, lease: { holder, until } }))
}

/** With the journal of another record, as a call of its own: to be kept before that one is gone. */
export function withJournalOf(book: CallBook, record: Call, from: Call): Call {
  const journal = JSON.stringify(readJournal(book, from))
  return { ...record, sealed: book.sealer.seal(places.call(record), { journal }) }
}

const sealed = ({ book, record, journal }: CallState): Call => ({
  ...record,
  sealed: book.sealer.seal(places.call(record), { journal: journal.toText() }, record.sealed),
})

const withoutLease = ({ lease: _lease, ...rest }: Call): Call => rest

async function advance(state: CallState, questionMs: number): Promise<number> {
  state.book.letGo(state)
  await write(state, (now) => {
    const { book, record } = now
    // A call lasts as long as what it asks, whatever it was given at first.
    const expiresAt = Math.max(record.expiresAt, book.runtime.now() + questionMs + graceMs)
    return withoutLease({ ...sealed(now), round: record.round + 1, expiresAt })
  })
  return state.record.round
}

/** Beyond a question's own time: for whoever finishes late. */
export const graceMs = 10 * 60_000

function finish(state: CallState): Promise<boolean> {
  const { book, holder } = state
  book.letGo(state)
  return inTurn(state, async () => {
    const calls = book.records
    if (!state.isLost && !state.isOver && state.isStored && !(await calls.remove(state.record))) {
      // As below: if only its keys were changed, it is still ours to remove.
      await meet(state)
      state.isLost = !state.isStored || holder === undefined || state.record.lease?.holder !== holder
      state.isLost ||= !(await calls.remove(state.record))
    }
    state.isOver = true
    return !state.isLost
  })
}

async function release(state: CallState): Promise<void> {
  state.book.letGo(state)
  if (state.isStored && !state.isLost) await write(state, ({ record }) => withoutLease(record))
}

async function park(state: CallState, id: string): Promise<void> {
  const { book, journal, record } = state
  const { tenant, owner, createdAt } = record
  const expiresAt = book.runtime.now() + book.resumeMs
  const next: Call = { id, tenant, owner, version: 1, round: 0, createdAt, expiresAt }
  const kept = { ...next, sealed: book.sealer.seal(places.call(next), { journal: journal.toText() }) }
  const calls = book.records
  const other = await calls.get(id)
  // The same was called twice at once: whoever comes last is gone on with.
  await (other === undefined ? calls.insert(kept) : calls.replace({ ...kept, version: other.version + 1 }))
  await finish(state)
}

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

function write(state: CallState, change: (state: CallState) => Call): Promise<void> {
  return inTurn(state, async () => {
    if (state.isOver) return
    if (state.isLost) throw takenOver()
    if (await tryWrite(state, change(state))) return
    // Its keys were changed meanwhile; or, where nobody has it alone, the same was called twice at once: then both go
    // on, each with what the other has done.
    await meet(state)
    state.isLost = state.record.lease?.holder !== state.holder || !(await tryWrite(state, change(state)))
    if (state.isLost) throw takenOver()
  })
}

async function tryWrite(state: CallState, next: Call): Promise<boolean> {
  const calls = state.book.records
  const written = state.isStored ? { ...next, version: state.record.version + 1 } : next
  const isOurs = await (state.isStored ? calls.replace(written) : calls.insert(written))
  if (isOurs) state.record = written
  state.isStored ||= isOurs
  return isOurs
}

async function meet(state: CallState): Promise<void> {
  const { book, journal } = state
  const other = await book.records.get(state.record.id)
  state.isStored = other !== undefined
  if (other === undefined) return
  state.record = other
  for (const entry of readJournal(book, other)) if (isTheirs(journal.get(entry.key), entry)) journal.set(entry)
}

/** Who began an effect first does it. */
function isTheirs(ours: JournalEntry | undefined, theirs: JournalEntry): boolean {
  if (ours === undefined) return true
  if (ours.kind !== "started") return false
  return theirs.kind === "done" || (theirs.kind === "started" && theirs.by !== ours.by)
}

function takenOver(): HoldpointError {
  return new HoldpointError(
    "already_settled",
    "Another request has gone on with this call meanwhile; this one stops here, and nothing it did is lost.",
  )
}
