// The authorization server's records, so that any process can serve the next request.

import type { Sealed } from "@holdpoint/hub/internal"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

/** An artifact of the authorization server: a code, a token, a grant or a session. */
export interface Artifact extends KeptRecord {
  readonly kind: string
  /** The hash of the name of a group, such as a grant, that is removed together. Empty when there is none. */
  readonly group: string
  readonly consumedAt?: number
  readonly expiresAt?: number
  readonly sealed: Sealed
}

export const artifactKind: RecordKind<Artifact> = {
  name: "artifact",
  owner: ({ group }) => (group === "" ? undefined : group),
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}
