// What is written of calls, so that any process can go on with them: the call, each thing asked or done in it, and the
// workers that have calls in their memory.

import type { KeptRecord, RecordKind } from "../ports/records.ts"

/** A call that has asked or done something. What came of that is in its journal. */
export interface Call extends KeptRecord {
  /** Who calls, as a key; the id alone is no authority. */
  readonly owner: string
  /** How often it was answered with a question. What a client brings back names the round it is of. */
  readonly round: number
  /** The one request that has it in its memory, and the worker that serves it. None while it waits for people elsewhere. */
  readonly lease?: { readonly holder: string; readonly worker: string }
  /** What the same call is recognised by when it is made again, for as long as its client brings nothing else back. */
  readonly knownBy?: string
  /** Its client was answered in words, and told to call again. */
  readonly isSentAway?: boolean
  /** Its client is gone while a request still works on it. */
  readonly isUnheard?: boolean
  /** Its client was answered with a question, and has not come back. */
  readonly parted?: Parted
  /** How often its client gave it up: what people were asked before that is asked anew. */
  readonly generation?: number
  /** Of a call that no client comes back for: what resumes it, with its input in `sealed`. */
  readonly kind?: string
  /** The questions that it waits for. Of a call that a client comes back for: the links that it was given. */
  readonly waitsFor?: readonly string[]
  /** When it has to be looked at, if nothing happens before. */
  readonly dueAt?: number
  readonly createdAt: number
  readonly expiresAt: number
}

export interface Parted {
  readonly at: number
  /** The client has something to show to a person; else it comes back at once. */
  readonly isShown: boolean
  /** The client's connection ends with this process. */
  readonly process?: ProcessId
}

export const callKind: RecordKind<Call> = {
  name: "call",
  owner: ({ knownBy }) => knownBy,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** One entry of a journal, sealed. */
export interface KeptEntry extends KeptRecord {
  readonly call: string
  /** Entries are read in this order. */
  readonly order: number
  readonly expiresAt: number
}

export const entryKind: RecordKind<KeptEntry> = {
  name: "journal_entry",
  owner: ({ call }) => call,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** A process, or a part of one, that has calls in its memory. */
export interface KeptWorker extends KeptRecord {
  /** It lives until then at least, if it lives: it says so again long before. */
  readonly until: number
  readonly process: ProcessId
}

/** Which process on which machine. Without a machine it cannot be looked up. */
export interface ProcessId {
  readonly machine?: string
  readonly pid: number
  /** Another one for each start. */
  readonly boot: string
}

export const workerKind: RecordKind<KeptWorker> = {
  name: "worker",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ until }) => until,
}
