// The roles of people as they were last seen, for votes that were given earlier. An implementation reports what an
// identity provider said, never what a client claims.

import type { PrincipalId } from "../core/principal.ts"
import type { SeenRoles } from "../core/votes.ts"

/** Finds out which roles a person had when they were last seen. */
export interface Members {
  /** Undefined when nothing is known about the person. */
  rolesOf(person: PrincipalId): Promise<SeenRoles | undefined>
}
