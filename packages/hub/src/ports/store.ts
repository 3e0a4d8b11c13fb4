// The store of elicitations. It guarantees atomicity and durability and judges nothing: it never reads a clock, never
// interprets a question and never decides whether a step is allowed.

import type { Elicitation } from "../core/elicitation.ts"
import type { Principal } from "../core/principal.ts"
import type { NewRecord } from "./records.ts"
import type { NewEntry } from "./trail.ts"

/** Where questions are kept. A store owns atomicity and durability, and judges nothing. */
export interface Store {
  /**
   * Stores a new elicitation, its first trail entry and the records beside it in one durable step, unless its key is
   * taken or a limit is reached. Limits hold across all processes on the same store.
   */
  insert(first: Elicitation, entry: NewEntry, options: InsertOptions): Promise<Inserted>
  /**
   * Compare-and-set: stores `next` and the entry in one durable step if the stored revision is `next.revision - 1`,
   * else changes nothing and answers false.
   */
  replace(next: Elicitation, entry: NewEntry): Promise<boolean>
  get(id: string): Promise<Elicitation | undefined>
  /** Lists elicitations by the time of asking, oldest first by default. */
  list(query: ListQuery): Promise<readonly Elicitation[]>
  /** Open elicitations whose deadline is at or before `now`, soonest first, and the next deadline after those. */
  due(now: number, limit: number): Promise<Due>
}

/** What a store needs to insert a question, besides the question and its trail entry. */
export interface InsertOptions {
  readonly limits: PendingLimits
  /** Records to store in the same step. An existing record with the same id is left unchanged. */
  readonly beside?: readonly NewRecord[]
}

/** How many questions may be open for one person and for one tenant. */
export interface PendingLimits {
  readonly perPerson: number
  readonly perTenant: number
}

/** Whether a question was stored; if not, the question that has its key, or whose limit is reached. */
export type Inserted =
  | { readonly stored: true }
  | { readonly stored: false; readonly existing: Elicitation }
  | { readonly stored: false; readonly full: "person" | "tenant" }

/** Which questions `hub.list` returns. */
export interface ListQuery {
  readonly tenant: string
  /** Lists only the questions addressed to this person, including any that they are excluded from answering. */
  readonly principal?: Principal
  /** Lists only the questions of this stream, task or call. */
  readonly parent?: string
  readonly state: "open" | "settled" | "all"
  readonly limit: number
  /** Default: `oldest` first. */
  readonly order?: "oldest" | "newest"
  /** The last elicitation of the page before, in the same order. */
  readonly after?: { readonly createdAt: number; readonly id: string }
}

/** Open questions whose deadline has passed, and the next deadline after those. */
export interface Due {
  readonly overdue: readonly Elicitation[]
  readonly next: number | undefined
}
