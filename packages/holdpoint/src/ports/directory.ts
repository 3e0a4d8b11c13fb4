// From those who may answer to where they are reached. A directory owns that an address belongs to the person: what a
// client merely said does not count.

import type { Audience, PrincipalId } from "../core/principal.ts"

export interface Directory {
  /**
   * Addresses of one kind (`email`, `slack`), each once: of the person, of each of several, of all known people of a
   * role. Empty when none is known.
   */
  find(kind: string, audience: Audience): Promise<readonly string[]>
}

/** One place that knows people: the configuration, sign-ins, linked accounts. */
export interface DirectorySource {
  /** Of this kind, of this person. */
  addresses(kind: string, person: PrincipalId): Promise<readonly string[]>
  /** Who is known to have this role. */
  people(tenant: string, role: string): Promise<readonly PrincipalId[]>
}
