// What the composition root returns, and what it gives to mounts.

import type { Addresses } from "../core/addresses.ts"
import type { Hub } from "../hub/hub.ts"
import type { AuthorizationServer } from "../identity/authorization/server.ts"
import type { Identity } from "../identity/identity.ts"
import type { LocalIdentity } from "../identity/local.ts"
import type { Fetch } from "../ports/fetch.ts"
import type { Mount } from "../ports/mount.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"
import type { KeyRing } from "../sealing/key-ring.ts"
import type { CallerCheck, Callers } from "../surfaces/mcp/settings.ts"
import type { Vault } from "../vault/vault.ts"

/** There at once, and all that `createMcp` needs besides a name and a server. */
export interface HoldpointCore {
  readonly addresses: Addresses
  /** With sealed answers. */
  readonly storage: Storage
  readonly keys: KeyRing | (() => KeyRing)
  readonly hub: Hub
  readonly vault: Vault
  readonly runtime: Runtime
  readonly report: (doing: string, error: unknown) => void
}

/** What is given to `mounts`: all parts, and who may call them. */
export interface Site extends HoldpointCore {
  readonly identity: Identity | LocalIdentity
  readonly authorization?: AuthorizationServer
  /** Guarded, for metadata and keys. */
  readonly guardedFetch: Fetch
  /**
   * Who may call what is mounted at this path: who holds a token of the built-in authorization server for it, in local
   * mode the person at this machine. Throws `invalid_config` where neither is.
   */
  callersAt(path: string): Exclude<Callers, CallerCheck | "anonymous">
}

/** Everything put together, as one fetch handler. Made by `createHoldpoint`. */
export interface Holdpoint extends Site, Mount {}

/** The same, of which only the hub is there at once. Made by `createLazyHoldpoint`. */
export interface LazyHoldpoint extends HoldpointCore, Mount {
  /** Opens what is opened with the first request otherwise. */
  open(): Promise<Site>
}
