// The directory: finds addresses for an audience. An implementation guarantees that an address belongs to the person;
// what a client claims does not count.

import type { Audience, PrincipalId } from "../core/principal.ts"

/** Finds the addresses at which an outlet reaches a person, or everyone with a role. */
export interface Directory {
  /**
   * The addresses of one kind (`email`, `slack`), each once: of one person, of several, or of all known people with a
   * role. An address that several people share is returned with the first of them. Empty when none is known.
   */
  find(kind: string, audience: Audience): Promise<readonly Reached[]>
}

/** An address, and the person who is reached there. */
export interface Reached {
  readonly address: string
  readonly person: PrincipalId
}

/** One source of people: the configuration, sign-ins or linked accounts. */
export interface DirectorySource {
  /** The person's addresses of this kind. */
  addresses(kind: string, person: PrincipalId): Promise<readonly string[]>
  /** The people known to have this role. */
  people(tenant: string, role: string): Promise<readonly PrincipalId[]>
}
