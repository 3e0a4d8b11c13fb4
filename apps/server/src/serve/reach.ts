// How people are reached besides the inbox: the outlets of a server, and the directory that leads to their addresses.

import { type HubOptions, inbox } from "@holdpoint/sdk"
import { signedInPeople } from "@holdpoint/sdk/identity"
import { createDirectory, type DirectorySource, type LastingOutlet } from "@holdpoint/sdk/outlets"

/** An outlet of the server, with the addresses that it knows of people. */
export interface Way {
  readonly outlet: LastingOutlet
  readonly people: DirectorySource
}

/** People with a role are those who signed in with it. */
export function reachBy(
  ways: readonly Way[],
  needs: Parameters<typeof signedInPeople>[0],
): Pick<HubOptions, "outlets" | "directory"> {
  return {
    outlets: [inbox(), ...ways.map(({ outlet }) => outlet)],
    directory: createDirectory([signedInPeople(needs), ...ways.map(({ people }) => people)]),
  }
}
