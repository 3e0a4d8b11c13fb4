// What notifications keep: one record for each configuration, with how far its receiver was told. The notifications
// themselves are not kept: each says what its task is at the time.

import type { KeptRecord, RecordKind } from "@holdpoint/sdk/storage"
import type { AttemptResult } from "@holdpoint/sdk/webhooks"

/**
 * Where a client is told of a task. `sealed` holds the address, which may have a secret in it, the token and the
 * credentials.
 */
export interface A2aPushConfig extends KeptRecord {
  readonly task: string
  /** The id that the client chose or was given, unique within its task. */
  readonly config: string
  /** The digest of the receiver's origin: what waits for one receiver does not hold up the others. */
  readonly receiver: string
  /** The protocol version of the request that registered it, in which notifications are written. */
  readonly protocol: string
  /** The number of the change of the task that was told last; 0 before the first. */
  readonly told: number
  /** The highest number of a change that a process has heard of. */
  readonly heard: number
  /** Attempts to tell of the current change. */
  readonly attempts: number
  /** Whether nothing is left to be told. */
  readonly isOver: boolean
  /** When a process has to look at the task again; under a lease, when the lease ends. */
  readonly dueAt: number
  readonly lease?: { readonly holder: string; readonly until: number }
  readonly last?: AttemptResult
  readonly createdAt: number
  readonly expiresAt: number
}

export const a2aPushKind: RecordKind<A2aPushConfig> = {
  name: "a2a_push",
  owner: ({ task }) => task,
  dueAt: ({ isOver, dueAt }) => (isOver ? undefined : dueAt),
  expiresAt: ({ expiresAt }) => expiresAt,
}
