// What the composition root returns, and what it passes to mounts.

import type { Vault } from "@holdpoint/accounts"
import type { Addresses, Hub, Runtime, Storage } from "@holdpoint/hub"
import type { Fetch, LocalCaller as LocalCallers, Mount, ResourceServer } from "@holdpoint/hub/internal"
import type { KeyRing } from "@holdpoint/hub/sealing"
import type { StreamPlaces } from "../api/index.ts"
import type { LocalCaller } from "../http/local-callers.ts"
import type { AuthorizationServer } from "../identity/authorization/server.ts"
import type { Identity } from "../identity/identity.ts"
import type { LocalIdentity } from "../identity/local.ts"

/** The parts that are available at once, enough for `createMcp`, which also needs a name and a server. */
export interface HoldpointCore {
  readonly addresses: Addresses
  /** The given storage, wrapped so that answers are sealed before they are stored. */
  readonly storage: Storage
  readonly keys: KeyRing | (() => KeyRing)
  readonly hub: Hub
  readonly vault: Vault
  readonly runtime: Runtime
  readonly report: (activity: string, error: unknown) => void
}

/** What `mounts` receives: all parts, and who may call the mounts. */
export interface Site extends HoldpointCore {
  readonly identity: Identity | LocalIdentity
  readonly authorization?: AuthorizationServer
  /** A guarded fetch for metadata and keys. */
  readonly guardedFetch: Fetch
  /** The places of open streams: each person and each program has a number of them in this process. */
  readonly places: StreamPlaces
  /**
   * In local mode, whether a request is the person's: by their browser on a page of this server, or by the key of their
   * programs. Undefined where people sign in.
   */
  personHere(request: Request): Promise<LocalCaller | undefined>
  /**
   * The callers that a mount at this path accepts: holders of a token from the built-in authorization server, or in
   * local mode the person at this machine. Throws `invalid_config` when there is neither.
   */
  callersAt(path: string): ResourceServer | LocalCallers
}

/** Everything put together, as one fetch handler. Made by `createHoldpoint`. */
export interface Holdpoint extends Site, Mount {}

/** A Holdpoint of which only the hub is available at once. Made by `createLazyHoldpoint`. */
export interface LazyHoldpoint extends HoldpointCore, Mount {
  /** Opens the parts that would otherwise open with the first request. */
  open(): Promise<Site>
}
