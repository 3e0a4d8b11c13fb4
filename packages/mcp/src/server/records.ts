// The stored records of clients, so that any process can serve the next request of a session.

import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

/**
 * The stored part of a client's session; the rest is sealed in its id. Exists only for sessions that received links, or
 * have ended.
 */
export interface ClientSession extends KeptRecord {
  /** The ids of the questions whose links this client received, and whose completion it will be notified of. */
  readonly prompts: readonly string[]
  readonly isEnded: boolean
  readonly expiresAt: number
}

/** A call of a session that a process works on. */
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
