// The stored records of push notifications: one record for each configuration, with the last delivered change. The
// notifications are not stored: each contains the current status of the task.

import type { AttemptResult } from "@holdpoint/fetching"
import type { Due } from "@holdpoint/hub/internal"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

/**
 * A push configuration of a client for one task. `sealed` contains the address, which may include a secret, the token
 * and the credentials.
 */
export interface A2aPushConfig extends KeptRecord, Due {
  readonly task: string
  /** The id of the configuration, chosen by the client or generated. Unique within its task. */
  readonly config: string
  /** The digest of the receiver's origin, so that a slow receiver does not delay the others. */
  readonly receiver: string
  /** The protocol version of the notifications, from the request that registered the configuration. */
  readonly protocol: string
  /** The number of the last delivered change of the task. 0 before the first. */
  readonly told: number
  /** The highest number of a change of which a process was notified. */
  readonly heard: number
  /** Whether all changes, including the end of the task, are delivered. */
  readonly isOver: boolean
  readonly dueAt: number
  readonly last?: AttemptResult
  /** The change of the last failed attempt. */
  readonly tried?: TriedChange
  readonly createdAt: number
  readonly expiresAt: number
}

/** A change of a task, and whether it is the last. */
export interface TriedChange {
  readonly number: number
  readonly isOver: boolean
}

export const a2aPushKind: RecordKind<A2aPushConfig> = {
  name: "a2a_push",
  owner: ({ task }) => task,
  dueAt: ({ isOver, dueAt }) => (isOver ? undefined : dueAt),
  expiresAt: ({ expiresAt }) => expiresAt,
}
