// The options of the composition root: storage, keys, who people are, what they can connect.

import type { Provider } from "../core/provider.ts"
import type { PagesOptions } from "../http/pages.ts"
import type { HubOptions } from "../hub/hub.ts"
import type { AuthorizationOptions } from "../identity/authorization/server.ts"
import type { LocalIdentityOptions } from "../identity/local.ts"
import type { IdentityProvider } from "../identity/provider.ts"
import type { Mount } from "../ports/mount.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"
import type { KeyRing } from "../sealing/key-ring.ts"
import type { ConsentOptions } from "../vault/consent/consent.ts"
import type { VaultTimes } from "../vault/times.ts"
import type { Site } from "./result.ts"

/** What `createHoldpoint` is given. The first four are all that it needs. */
export interface HoldpointOptions {
  /** As it was opened: answers in it are sealed here. Closed by the caller, afterwards. */
  readonly storage: Storage
  readonly keys: KeyRing | (() => KeyRing)
  /** How people reach it. */
  readonly publicUrl: string
  readonly people: People
  /** Accounts that people can connect: none unless given. */
  readonly providers?: readonly Provider[]
  /** What is served beside the pages. The first that handles a path answers. */
  readonly mounts?: (site: Site) => readonly Mount[] | Promise<readonly Mount[]>
  /** The built-in authorization server, for programs that call servers in the name of people who sign in here. */
  readonly authorization?: AuthorizationSettings
  /** Addresses that may be reached besides public ones. */
  readonly network?: { readonly allowLoopback?: boolean; readonly alsoAllow?: readonly string[] }
  readonly hub?: Partial<Pick<HubOptions, "limits" | "retention" | "outlets" | "directory" | "secrets">>
  readonly consent?: ConsentOptions
  readonly vaultTimes?: Partial<VaultTimes>
  readonly pages?: PageSettings
  readonly runtime?: Runtime
  readonly report?: (doing: string, error: unknown) => void
}

/** Who people are: who signs in, or the one person at this machine. */
export type People =
  | { readonly from: "providers"; readonly providers: readonly IdentityProvider[] }
  | ({ readonly from: "local" } & Pick<LocalIdentityOptions, "user" | "tenant" | "show"> &
      /** Random for each process unless given. */
      Partial<Pick<LocalIdentityOptions, "secret">>)

/** Settings of the pages. */
export type PageSettings = Partial<
  Pick<PagesOptions, "returnTargets" | "openers" | "adminRole" | "alsoHosts" | "tokens" | "choices" | "demo">
>

/** Settings of the built-in authorization server. */
export type AuthorizationSettings = Pick<
  AuthorizationOptions,
  "resources" | "clients" | "metadataDocuments" | "registration" | "requestsPerMinute"
> &
  /** Guarded like everything else unless given. */
  Partial<Pick<AuthorizationOptions, "fetch">>
