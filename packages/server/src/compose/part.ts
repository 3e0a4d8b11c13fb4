// The port of a part: one surface of a server in one folder, with its outlet, its pages, its section of the account page
// and its routes. The server takes a list of parts and knows none by name.

import type { Addresses, Hub, PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import type { DirectorySource, LastingOutlet } from "@holdpoint/hub/outlets"
import type { KeyRing } from "@holdpoint/hub/sealing"
import type { AccountSection, PartPage } from "../http/site.ts"
import type { OwnLadders } from "../identity/ladder.ts"
import type { DescribedPerson } from "../identity/people.ts"
import type { Site } from "./result.ts"

/** A part of a server: a surface where questions come in, go out to people, or both. */
export interface Part {
  /** Unique on a server. The name of the part's outlet, if it has one: settings and stored deliveries refer to it. */
  readonly name: string
  /** The name for people. Default: `name`. */
  readonly title?: string | undefined
  /** How long after a question the outlet notifies people of it, without a `ladder`. Default: 0. */
  readonly delayMs?: number | undefined
  /** Called once, when the hub exists and before anything is served. Throws when the part cannot be set up. */
  open(server: PartServer): OpenPart
}

/** What a part may use of its server. */
export interface PartServer {
  readonly hub: Hub
  readonly addresses: Addresses
  readonly storage: Storage
  readonly keys: KeyRing | (() => KeyRing)
  readonly runtime: Runtime
  /** The person with their current roles, and the name and verified e-mail address of their last sign-in. */
  readonly findPerson: (person: PrincipalId) => Promise<DescribedPerson | undefined>
  /** People's own settings of how questions reach them. */
  readonly ownLadders: OwnLadders
  readonly report: (activity: string, error: unknown) => void
}

/** What an open part brings. Each member is left out by a part that has none. */
export interface OpenPart {
  /** Shows questions to people. */
  readonly outlet?: LastingOutlet | undefined
  /** Finds people's addresses for the outlet. */
  readonly directory?: DirectorySource | undefined
  /** The part's pages. Their paths must not be paths of the server or of another part. */
  readonly pages?: readonly PartPage[] | undefined
  readonly accountSection?: AccountSection | undefined
  /** Serves other requests: those of the surface's own protocol. Called once, when the server's pages are opened. */
  readonly mount?: ((site: Site) => Mount | Promise<Mount>) | undefined
  /** Begins the part's own work, such as a connection or a look at what fell due. Called when all parts are mounted. */
  readonly start?: (() => void) | undefined
  /** Ends that work. Called before the hub is closed, also when the part was never started. */
  readonly close?: (() => Promise<void>) | undefined
}
