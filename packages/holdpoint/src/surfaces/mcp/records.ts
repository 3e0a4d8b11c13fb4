// What is kept of clients, so that any process can serve the next request of a session.

import type { KeptRecord, RecordKind } from "../../ports/records.ts"

/** What is remembered of a client's session: the rest stands in its id. Only of those that were given links, or ended. */
export interface ClientSession extends KeptRecord {
  /** Questions that this client was given, and of whose end it will be told. */
  readonly prompts: readonly string[]
  readonly isEnded: boolean
  readonly expiresAt: number
}

/** A call of a session that some process works on. */
export interface CallUnderWay extends KeptRecord {
  readonly session: string
  readonly expiresAt: number
}

export const callUnderWayKind: RecordKind<CallUnderWay> = {
  name: "call_under_way",
  owner: ({ session }) => session,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

export const clientSessionKind: RecordKind<ClientSession> = {
  name: "client_session",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}
