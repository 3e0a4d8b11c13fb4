// The in-memory state of a call in one request. Its writes run one after another, each as a compare-and-set. They fail
// when another request has taken over the call.

import type { Runtime } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { isStoreFailure } from "@holdpoint/hub/internal"
import type { Records } from "@holdpoint/hub/storage"
import type { Journal } from "./journal.ts"
import type { EntryParts, StoredJournal } from "./journal-entries.ts"
import { writeEntries } from "./journal-entries.ts"
import type { OpenCall } from "./open-call.ts"
import type { Call } from "./records.ts"
import type { Worker } from "./worker.ts"

/** The stores, settings and worker that all calls of one process share. */
export interface CallParts extends EntryParts {
  readonly records: Records<Call>
  readonly runtime: Runtime
  readonly worker: Worker
  /** The least time for which the store keeps a call that waits for its client or for a person. */
  readonly lifetimeMs: number
  /** How long the same arguments count as the same call. */
  readonly resumeMs: number
  /** The calls that this worker has in memory, by the holder of their lease. */
  readonly stateByHolder: Map<string, CallState>
  /** Writes in progress that no request waits for. */
  readonly backgroundWrites: Set<Promise<unknown>>
  /** Aborts when this process closes. */
  readonly closing: AbortSignal
  readonly report: (activity: string, error: unknown) => void
}

export interface CallState
  extends Pick<OpenCall, "id" | "round" | "generation" | "wasSentAway" | "hasWaited" | "isGuest" | "answer"> {
  readonly parts: CallParts
  /** Whether a request that makes the call again has its id. */
  readonly isOnly: boolean
  readonly stored: StoredJournal
  /** The holder of the lease that this request has, or had. */
  readonly holder: string | undefined
  record: Call
  journal: Journal
  isStored: boolean
  /** When this request took the call, or when its handler ended. */
  activeSince: number
  isWorking: boolean
  isLost: boolean
  /** Whether a write has failed in a way that leaves open whether it took effect. */
  isUncertain: boolean
  /** Whether the handler has ended. */
  isEnded: boolean
  /** Whether the call was removed from the store. */
  isRemoved: boolean
  queue: Promise<unknown> | undefined
  /** The last work that was left to the background, and whether it was done. */
  leaving: Promise<boolean> | undefined
}

export function registerState(state: CallState): void {
  const { parts, holder, record } = state
  if (holder === undefined || record.lease === undefined) return
  parts.stateByHolder.set(holder, state)
  parts.worker.keepBeating()
}

export function unregisterState({ parts, holder }: CallState): void {
  if (holder !== undefined) parts.stateByHolder.delete(holder)
}

/** Whether it is certain that no other request has taken the call. */
export const isLeaseCertain = ({ parts, record }: CallState): boolean =>
  parts.worker.isLeaseCertain() && record.isUnheard !== true

export async function removeCall(state: CallState): Promise<boolean> {
  const { records } = state.parts
  if (await records.remove(state.record)) return true
  const storedCall = await records.get(state.record.id)
  if (storedCall === undefined) return state.isUncertain
  return isOwnWrite(state, storedCall) && records.remove(storedCall)
}

/**
 * Whether this request was the last to write the stored call. If so, the call differs from the one in memory because
 * the encryption keys were rotated, or because a write took effect although it was reported as failed.
 */
const isOwnWrite = ({ holder }: CallState, storedCall: Call | undefined): storedCall is Call =>
  storedCall !== undefined && holder !== undefined && storedCall.writer === holder

/** Runs the writes of one call one after another, because each builds on the version before. */
export function enqueueWrite<T>(state: CallState, step: () => Promise<T>): Promise<T> {
  const attempt = async (): Promise<T> => {
    try {
      return await step()
    } catch (error) {
      state.isUncertain ||= isStoreFailure(error)
      throw error
    }
  }
  const result = state.queue === undefined ? attempt() : state.queue.then(attempt)
  const leave = (): void => {
    if (state.queue === settled) state.queue = undefined
  }
  const settled: Promise<void> = result.then(leave, leave)
  state.queue = settled
  return result
}

/** Writes the call and its journal; with `isBare`, only the call. */
export function write(
  state: CallState,
  change: (state: CallState) => Call,
  { isBare = false }: { readonly isBare?: boolean } = {},
): Promise<void> {
  return enqueueWrite(state, async () => {
    if (state.isRemoved || state.isGuest) return
    if (state.isLost) throw takenOverError()
    const nextCall = change(state)
    if (isBare) return writeCall(state, nextCall)
    const writeJournal = () => writeEntries({ ...state, call: nextCall })
    // Writes the call and its journal in one commit, unless another request may have taken the call.
    const isNew = !state.isStored && state.record.isUnheard !== true
    if (isLeaseCertain(state) || isNew) return void (await Promise.all([writeCall(state, nextCall), writeJournal()]))
    await writeCall(state, state.record)
    await writeJournal()
    // A request that takes the call later has read the journal. One that took it earlier makes this write fail.
    await writeCall(state, nextCall)
  })
}

/** Writes only the journal. Returns false when the call must be written too. */
export function writeJournal(state: CallState): Promise<boolean> {
  return enqueueWrite(state, async () => {
    if (state.isRemoved || state.isGuest) return true
    if (state.isLost || !state.isStored || !isLeaseCertain(state)) return false
    await writeEntries({ ...state, call: state.record })
    return isLeaseCertain(state)
  })
}

async function writeCall(state: CallState, nextCall: Call): Promise<void> {
  const { records, worker, runtime } = state.parts
  const [isWritten] = await Promise.all([
    tryWrite(state, nextCall),
    nextCall.lease === undefined ? undefined : worker.ready(),
  ])
  if (isWritten) return
  const storedCall = await records.get(nextCall.id)
  if (isOwnWrite(state, storedCall)) {
    state.record = storedCall
    state.isStored = true
  } else if (storedCall === undefined && runtime.now() >= state.record.expiresAt) prepareReinsert(state)
  else state.isLost = true
  state.isLost ||= !(await tryWrite(state, nextCall))
  if (state.isLost) throw takenOverError()
}

/** Prepares to insert the call and its journal again: retention removed the call while a request worked on it. */
function prepareReinsert(state: CallState): void {
  state.isStored = false
  for (const key of state.journal.entries.keys()) state.journal.changed.add(key)
}

async function tryWrite(state: CallState, nextCall: Call): Promise<boolean> {
  const { records } = state.parts
  const isInsert = !state.isStored
  const { holder: writer = "" } = state
  const versioned = { ...nextCall, version: isInsert ? 1 : state.record.version + 1, writer }
  const isWritten = await (isInsert ? records.insert(versioned) : records.replace(versioned))
  if (!isWritten) return false
  state.record = versioned
  state.isStored = true
  if (isInsert) registerState(state)
  return true
}

function takenOverError(): HoldpointError {
  return new HoldpointError(
    "already_settled",
    "Another request has taken over this call. This one stops here; nothing it did is lost.",
  )
}
