// The outlets of a server besides the inbox, and the directory of people's addresses for them.

import { type HubOptions, inbox } from "@holdpoint/sdk"
import { signedInPeople } from "@holdpoint/sdk/identity"
import { createDirectory, type DirectorySource, type LastingOutlet } from "@holdpoint/sdk/outlets"

/** An outlet, and the source of people's addresses for it. */
export interface ReachableOutlet {
  readonly outlet: LastingOutlet
  readonly people: DirectorySource
}

/** The outlets, and a directory that finds a role's members among the people who signed in with that role. */
export function reachBy(
  outlets: readonly ReachableOutlet[],
  needs: Parameters<typeof signedInPeople>[0],
): Pick<HubOptions, "outlets" | "directory"> {
  return {
    outlets: [inbox(), ...outlets.map(({ outlet }) => outlet)],
    directory: createDirectory([signedInPeople(needs), ...outlets.map(({ people }) => people)]),
  }
}
