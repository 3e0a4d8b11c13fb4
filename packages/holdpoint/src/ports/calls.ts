// The records behind calls that wait for people: what a protocol server and the built-in authorization server remember
// between one request and the next, so that any process can serve the next one.

import type { Sealed } from "../core/sealed.ts"
import type { KeptRecord } from "./records.ts"

/**
 * A call that was answered with a question and will come again. Filed under the person who calls; due when it expires.
 * Its journal holds what people answered and what was done once, and is sealed.
 */
export interface Call extends KeptRecord {
  /** Who calls, as a key; the id alone is no authority. */
  readonly owner: string
  /** How often it was answered with a question. What a client brings back names the round it is of. */
  readonly round: number
  /** The one request that works on this round now. It may take as long as this, and then it counts as dead. */
  readonly lease?: { readonly holder: string; readonly until: number }
  readonly createdAt: number
  readonly expiresAt: number
  readonly sealed?: Sealed
}

/** What is remembered of a client's session: the rest stands in its id. Only of those that were given links, or ended. */
export interface ClientSession extends KeptRecord {
  /** Questions that this client was given, and of whose end it will be told. */
  readonly prompts: readonly string[]
  readonly isEnded: boolean
  readonly expiresAt: number
}

/** Something that the authorization server keeps: a code, a token, a grant, a session. Filed under what it goes with. */
export interface Artifact extends KeptRecord {
  readonly kind: string
  /** The grant or the session that this goes with, and is revoked with. */
  readonly group: string
  readonly consumedAt?: number
  readonly expiresAt?: number
  readonly sealed: Sealed
}
