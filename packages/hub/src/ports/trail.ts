// The trail: the append-only log of what happened, used for auditing, for resuming a watch and for waking waiters. An
// entry never contains the content of an answer.

import type { Account, Owner } from "../core/connection.ts"
import type { AskingClient, Context, Mode, Requester, Status } from "../core/elicitation.ts"
import type { Problem } from "../core/error.ts"
import type { Audience, PrincipalId } from "../core/principal.ts"
import type { ProcessId } from "./process.ts"

/** One step in the trail. `revision` is the elicitation's revision after the step; absent when nothing changed. */
export interface Entry {
  /** Increases in commit order across all elicitations and processes. */
  readonly position: number
  readonly id: string
  readonly tenant: string
  /** The stream, task or call that the elicitation belongs to. */
  readonly parent?: string
  readonly revision?: number
  readonly kind: EntryKind
  /** The elicitation's status after the step; absent on refusals of unknown ids. */
  readonly status?: Status
  readonly at: number
  readonly detail: EntryDetail
}

/** An entry of the trail before the store gives it its position. */
export type NewEntry = Omit<Entry, "position">

export type EntryKind =
  | "asked"
  | "joined"
  | "widened"
  | "released"
  // A person said Yes, and more people have to say Yes.
  | "voted"
  // People with another role may answer too.
  | "escalated"
  // People who have not answered are reminded.
  | "reminded"
  | "opened"
  | "accepted"
  | "completed"
  | "declined"
  | "cancelled"
  | "expired"
  | "failed"
  | "unsupported"
  | "shown"
  | "not_shown"
  // An outlet was added that has to show the question.
  | "owed"
  | "refused"
  // A call began, finished or failed an effect after the answer. Does not change the question.
  | "effect"
  // The asking call waits, will retry, or gave up.
  | "asker"
  // A person edited the arguments of a call when they approved it; `detail.message` names them. Follows `completed`.
  | "edited"
  // A client cancelled a call: `id` is the `parent` of the call's questions.
  | "call_cancelled"
  // About a run of an agent: `id` is its id, `parent` that of its questions, and `detail.code` its new status or
  // `begun`.
  | "run"
  // A run's call of a tool: `id` and `parent` are as for `run`, and `detail.code` is begun, done, failed or denied.
  | "call"
  // About a connection: `id` is its id, and there is no revision.
  | "connected"
  | "narrowed"
  | "refreshed"
  | "reauth_needed"
  | "disconnected"
  // About a session: `id` is its hash.
  | "signed_in"
  | "signed_out"
  // About a program with a key: `id` is its id, and `detail.message` its name.
  | "program_added"
  | "program_removed"
  // About a program's webhook endpoint: `id` is the program's, and `detail.code` says what became of the endpoint.
  | "webhook"

export interface EntryDetail {
  readonly audience?: Audience
  readonly by?: PrincipalId
  /** The outlet or surface concerned. */
  readonly via?: string
  /** A refusal's or reason's code. */
  readonly code?: string
  readonly message?: string
  /** For an invalid answer: the problems by field, without the answer itself. */
  readonly problems?: readonly Problem[]
  readonly expiresAt?: number
  /** The role that may answer too. */
  readonly escalatedTo?: string
  /** For `reminded`: the number of the reminder, from 1. */
  readonly reminder?: number
  /** When the next reminder or the escalation is due. */
  readonly nextAt?: number
  /** When deliveries are due, by outlet name. */
  readonly owed?: Readonly<Record<string, number>>
  /** For `asked`: the names of the outlets that live in the asking process and have no deliveries. */
  readonly here?: readonly string[]
  /** For `asked` and `widened`: the question and its requester. */
  readonly question?: AskedQuestion
  /** For `asked`: fields that look like secrets and were allowed by the author, each with the reason. */
  readonly allowed?: Readonly<Record<string, string>>
  /** For `asked`: the W3C `traceparent` of the request that asked. */
  readonly trace?: string
  /** For `asked`, `joined`, and an `asker` that waits: the process that waits for the answer. */
  readonly process?: ProcessId
  /** For entries about a connection. */
  readonly connection?: ConnectionFacts
  /** For `call`: which call it is, without its arguments and its result. */
  readonly call?: CallFacts
}

export interface CallFacts {
  /** Unique among the calls of the run. */
  readonly id: string
  /** The id that the model gave the call. */
  readonly toolId: string
  readonly tool: string
  /** The agent that made the call, if it is not the one that the person talks to. */
  readonly agent?: string
}

export interface ConnectionFacts {
  readonly provider: string
  readonly owner: Owner
  readonly version: number
  readonly account?: Account
  readonly scopes?: readonly string[]
}

export interface AskedQuestion {
  readonly mode: Mode
  readonly message: string
  readonly fields?: readonly string[]
  readonly url?: string
  readonly requester: Requester
  readonly client?: AskingClient
  readonly context: Context
  /** How many people have to say Yes, if more than one. */
  readonly approvals?: number
  readonly notBy?: PrincipalId
}

/** The append-only record of everything that happened, which also wakes other processes. */
export interface Trail {
  /**
   * Appends an entry about a step that changes no elicitation: a refusal, a delivery. Durable when the promise
   * resolves.
   */
  append(entry: NewEntry): Promise<void>
  /** Reads entries in order of position. After position n was read, no entry with a lower position appears. */
  read(query: TrailQuery): Promise<readonly Entry[]>
  /** The newest position, 0 for none. */
  end(): Promise<number>
  /**
   * Calls back after each commit, of this process or another, with the new entries. Every entry is passed once, in
   * order of position. A process that was cut off gets the entries that it missed when it is connected again.
   */
  subscribe(listener: (entries: readonly Entry[]) => void): () => void
}

/** All given conditions must hold. */
export interface TrailQuery {
  readonly id?: string
  readonly tenant?: string
  readonly parent?: string
  readonly afterPosition?: number
  readonly afterRevision?: number
  readonly limit: number
}
