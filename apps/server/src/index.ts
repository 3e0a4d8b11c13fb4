// What a holdpoint.config.ts imports.

import type { Limits, RetentionTimes } from "@holdpoint/sdk"
import type { ReturnTarget } from "@holdpoint/sdk/http"
import type { IdentityProvider } from "@holdpoint/sdk/identity"
import type { Provider } from "@holdpoint/sdk/vault"
import type { NextcloudConfig } from "./nextcloud/section.ts"

export interface Config {
  /** A file, or the address of a Postgres (postgres://…). */
  readonly database?: string
  /** What seals secrets, as `holdpoint keys generate` prints it. Better given in HOLDPOINT_KEYS than written here. */
  readonly keys?: string
  /** The file with the keys, when they are not given. `holdpoint.keys` beside the database unless said otherwise. */
  readonly keyFile?: string
  /** Who I am: the subject of my principal. The machine's user name unless said otherwise. */
  readonly as?: string
  readonly tenant?: string
  readonly roles?: readonly string[]
  /** What people can connect; @holdpoint/sdk/providers has the known ones. */
  readonly providers?: readonly Provider[]
  /** Where people sign in. Without any, the server brings its own, with alice and bob, for trying out. */
  readonly identityProviders?: readonly IdentityProvider[]
  /** How people reach the pages, when something stands in front of them. */
  readonly publicUrl?: string
  readonly host?: string
  readonly port?: number
  /** One exact redirect address for providers that allow only one. */
  readonly callbackUrl?: string
  /** Addresses that requests may go to besides public ones: loopback for development, hosts or ranges of your own. */
  /** Local mode: whether your browser may be opened, so that a link alone approves nothing. True unless given. */
  readonly openBrowser?: boolean
  readonly network?: { readonly allowLoopback?: boolean; readonly alsoAllow?: readonly string[] }
  /** Where people may be sent back to after connecting, by id. */
  readonly returnTargets?: Readonly<Record<string, ReturnTarget>>
  /** Pages that may open ours in a window and be told how it went, by id: their exact origins. */
  readonly openers?: Readonly<Record<string, string>>
  /** For `holdpoint nextcloud`. */
  readonly nextcloud?: NextcloudConfig
  readonly limits?: Partial<Limits>
  readonly retention?: Partial<RetentionTimes>
}

/** Gives the file its types; the values are checked when the command reads them. */
export function defineConfig(config: Config): Config {
  return config
}
