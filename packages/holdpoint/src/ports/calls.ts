// What a protocol server and the built-in authorization server remember between one request and the next, so that any
// process can serve the next one.

import type { Sealed } from "../core/sealed.ts"
import type { KeptRecord } from "./records.ts"

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
