// The options of the composition root: storage, keys, identity, providers.

import type { ConsentOptions, VaultTimes } from "@holdpoint/accounts"
import type { HubOptions, Runtime, Storage } from "@holdpoint/hub"
import type { Mount, Observer, Provider, Rung } from "@holdpoint/hub/internal"
import type { KeyRing } from "@holdpoint/hub/sealing"
import type { ProgramLimits } from "../api/index.ts"
import type { PagesOptions } from "../http/pages.ts"
import type { AuthorizationOptions } from "../identity/authorization/server.ts"
import type { LocalIdentityOptions } from "../identity/local.ts"
import type { IdentityProvider } from "../identity/provider.ts"
import type { Part } from "./part.ts"
import type { Site } from "./result.ts"

/** The options of `createHoldpoint`. Only the first four are required. */
export interface HoldpointOptions {
  /** An opened storage; Holdpoint seals the answers in it. The caller closes it, after Holdpoint. */
  readonly storage: Storage
  readonly keys: KeyRing | (() => KeyRing)
  /** The address under which people reach the server. */
  readonly publicUrl: string
  readonly people: People
  /** Providers of the accounts that people can connect; none by default. */
  readonly providers?: readonly Provider[]
  /** The surfaces of this server besides its pages: those of this library, or your own. */
  readonly parts?: readonly Part[] | undefined
  /** Handlers that are served beside the pages. The first one that handles a path answers. */
  readonly mounts?: (site: Site) => readonly Mount[] | Promise<readonly Mount[]>
  /** The built-in authorization server, for programs that act in the name of people who sign in here. */
  readonly authorization?: AuthorizationSettings
  /** Addresses that outgoing requests of this server may reach besides public ones. Parts may have their own list. */
  readonly network?: { readonly allowLoopback?: boolean; readonly alsoAllow?: readonly string[] }
  /**
   * When each lasting outlet notifies a person of a question. People may choose other times on their account page. By
   * default each part has its own delay (e-mail ten minutes), and every other outlet notifies at once.
   */
  readonly ladder?: readonly Rung[]
  readonly hub?: Partial<Pick<HubOptions, "limits" | "retention" | "outlets" | "directory" | "secrets">>
  /** The limits for each program that asks over HTTP; none by default. */
  readonly programs?: ProgramLimits
  readonly consent?: ConsentOptions
  readonly vaultTimes?: Partial<VaultTimes>
  readonly pages?: PageSettings
  readonly runtime?: Runtime
  /** Receives what hub and vault do, for telemetry: `createTelemetry` of `@holdpoint/hub/telemetry` makes one. */
  readonly observer?: Observer
  readonly report?: (activity: string, error: unknown) => void
}

/** How people are identified: by sign-in, or as the one person at this machine. */
export type People = { readonly from: "providers"; readonly providers: readonly IdentityProvider[] } | LocalPerson

interface LocalPerson extends Pick<LocalIdentityOptions, "user" | "tenant" | "show" | "programKey"> {
  readonly from: "local"
  /** Random for each process by default. */
  readonly secret?: Uint8Array
  /** The file with the key of the person's programs, which is made when it is missing. Overrides `programKey`. */
  readonly programKeyFile?: string
}

/** The options of `createPages` that the caller of `createHoldpoint` may set. */
export type PageSettings = Partial<
  Pick<PagesOptions, "returnTargets" | "openers" | "adminRole" | "alsoHosts" | "tokens" | "choices" | "demo" | "links">
>

/** The options of `createAuthorizationServer` that the caller of `createHoldpoint` may set. */
export type AuthorizationSettings = Pick<
  AuthorizationOptions,
  "resources" | "clients" | "metadataDocuments" | "registration" | "requestsPerMinute"
> &
  /** The guarded fetch by default. */
  Partial<Pick<AuthorizationOptions, "fetch">>
