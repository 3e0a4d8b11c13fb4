// The stored records of calls, so that any process can continue them: the call, its journal entries, and the workers
// that have calls in memory.

import type { ProcessId } from "@holdpoint/hub/internal"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

/** A call that has asked or done something. The results are in its journal. */
export interface Call extends KeptRecord {
  /** The digest of the caller. Knowing the id of a call does not grant access to it. */
  readonly owner: string
  /** How often the call was answered with a question. A client sends this number back with its answers. */
  readonly round: number
  /** The request that has the call in memory, and its worker. Undefined while no request works on the call. */
  readonly lease?: { readonly holder: string; readonly worker: string }
  /** The holder of the lease when the call was last written, by which a request recognises its own writes. */
  readonly writer?: string
  /** The digest by which the same call is recognised when it is made again without a request state. */
  readonly knownBy?: string
  /** Whether the client was answered with a text that asks it to call again. */
  readonly isSentAway?: boolean
  /** Whether the client is gone while a request still works on the call. */
  readonly isUnheard?: boolean
  /** Set while the client was answered with a question and has not come back. */
  readonly parted?: StoredHandover
  /** How often the client gave up the call. Questions asked before that are asked again. */
  readonly generation?: number
  /** For a call that no client comes back for: which carrier resumes it. Its input is in `sealed`. */
  readonly kind?: string
  /**
   * The questions that the call waits for. For a call that a client comes back for: the links that the client was
   * given.
   */
  readonly waitsFor?: readonly string[]
  /**
   * How often a process ended while it worked on the call, without progress in between: with this many finished steps
   * in its journal.
   */
  readonly interrupted?: { readonly times: number; readonly finishedSteps: number }
  /** When the call must be checked, if nothing happens before. */
  readonly dueAt?: number
  readonly createdAt: number
  readonly expiresAt: number
}

export interface StoredHandover {
  readonly at: number
  /** Whether the client has something to show to a person; if not, it comes back at once. */
  readonly isShown: boolean
  /** The process without which the client cannot come back, because its connection ends with the process. */
  readonly process?: ProcessId
}

export const callKind: RecordKind<Call> = {
  name: "call",
  owner: ({ knownBy }) => knownBy,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** One sealed entry of a journal. */
export interface StoredEntry extends KeptRecord {
  readonly call: string
  /** The position of the entry in the journal. */
  readonly order: number
  readonly expiresAt: number
}

export const entryKind: RecordKind<StoredEntry> = {
  name: "journal_entry",
  owner: ({ call }) => call,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** A process, or a part of one, that has calls in memory. */
export interface StoredWorker extends KeptRecord {
  /** When the lease of the worker expires. A living worker renews it long before. */
  readonly until: number
  readonly process: ProcessId
}

export const workerKind: RecordKind<StoredWorker> = {
  name: "worker",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ until }) => until,
}
