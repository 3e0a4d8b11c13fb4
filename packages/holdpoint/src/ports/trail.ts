// The append-only record of what happened, which is also what wakes waiters: one list, three uses (audit, resuming a
// watch, waking). An entry never holds the content of an answer.

import type { Account, Owner } from "../core/connection.ts"
import type { AskingClient, Context, Mode, Requester, Status } from "../core/elicitation.ts"
import type { Problem } from "../core/error.ts"
import type { Audience, PrincipalId } from "../core/principal.ts"

/** `revision` is what the step made of the elicitation; entries that changed nothing have none. */
export interface Entry {
  /** Grows in the order of commits, over all elicitations and processes. */
  readonly position: number
  readonly id: string
  readonly tenant: string
  /** The stream, task or call that the elicitation belongs to. */
  readonly parent?: string
  readonly revision?: number
  readonly kind: EntryKind
  /** The elicitation's status after this; absent on refusals of unknown ids. */
  readonly status?: Status
  readonly at: number
  readonly detail: EntryDetail
}

export type NewEntry = Omit<Entry, "position">

export type EntryKind =
  | "asked"
  | "joined"
  | "widened"
  | "released"
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
  // Another outlet has to show it than those that it was asked with.
  | "owed"
  | "refused"
  // A call that has the answer began an effect, finished it, or failed to; it changes nothing of the question.
  | "effect"
  // A call that asks waits for the answer, will come again for it, or gave up.
  | "asker"
  // Its client took a call back: `id` is what the questions of that call belong to.
  | "call_cancelled"
  // Of a connection: `id` is its id, and there is no revision.
  | "connected"
  | "narrowed"
  | "refreshed"
  | "reauth_needed"
  | "disconnected"
  // Of a session: `id` is its hash.
  | "signed_in"
  | "signed_out"

export interface EntryDetail {
  readonly audience?: Audience
  readonly by?: PrincipalId
  /** The outlet or surface concerned. */
  readonly via?: string
  /** A refusal's or reason's code. */
  readonly code?: string
  readonly message?: string
  /** Of an answer that did not fit: what is wrong with which fields of the form, and nothing of the answer. */
  readonly problems?: readonly Problem[]
  readonly expiresAt?: number
  /** When a delivery has to be carried out, by the name of its outlet. */
  readonly owed?: Readonly<Record<string, number>>
  /** Of `asked`, beside `owed`: outlets of the process that asked, which keep no deliveries. */
  readonly here?: readonly string[]
  /** Of `asked` and `widened`: what was asked, by whom. */
  readonly question?: AskedQuestion
  /** Of `asked`: fields that read like a secret and were allowed by the author, each with the reason. */
  readonly allowed?: Readonly<Record<string, string>>
  /** Of what happens to a connection. */
  readonly connection?: ConnectionFacts
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
}

export interface Trail {
  /** Durable when the promise resolves. For what changes no elicitation: refusals, deliveries. */
  append(entry: NewEntry): Promise<void>
  /** In order of position, complete: once position n was read, nothing before it will appear later. */
  read(query: TrailQuery): Promise<readonly Entry[]>
  /** The newest position, 0 for none. */
  end(): Promise<number>
  /**
   * Calls back after each commit, of this process or another, with its entries in order. A process that was cut off
   * gets what it missed on reconnection. Every entry once, in order of position.
   */
  subscribe(listener: (entries: readonly Entry[]) => void): () => void
}

/** What is given must all hold. */
export interface TrailQuery {
  readonly id?: string
  readonly tenant?: string
  readonly parent?: string
  readonly afterPosition?: number
  readonly afterRevision?: number
  readonly limit: number
}
