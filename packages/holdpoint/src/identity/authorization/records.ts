// What the authorization server keeps, so that any process can serve the next request.

import type { Sealed } from "../../core/sealed.ts"
import type { KeptRecord, RecordKind } from "../../ports/records.ts"

/** Something that the authorization server keeps: a code, a token, a grant, a session. */
export interface Artifact extends KeptRecord {
  readonly kind: string
  /** The grant or the session that this goes with, and is revoked with. */
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
