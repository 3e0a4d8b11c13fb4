// The outlets of a server besides the inbox, and the directory of people's addresses for them.

import { type HubOptions, inbox } from "@holdpoint/sdk"
import { signedInPeople } from "@holdpoint/sdk/identity"
import { createDirectory, type DirectorySource, type LastingOutlet } from "@holdpoint/sdk/outlets"

/** An outlet, and the source of people's addresses for it. */
export interface Way {
  readonly outlet: LastingOutlet
  readonly people: DirectorySource
}

/** The directory finds the people with a role among those who have signed in with it. */
export function reachBy(
  ways: readonly Way[],
  needs: Parameters<typeof signedInPeople>[0],
): Pick<HubOptions, "outlets" | "directory"> {
  return {
    outlets: [inbox(), ...ways.map(({ outlet }) => outlet)],
    directory: createDirectory([signedInPeople(needs), ...ways.map(({ people }) => people)]),
  }
}
