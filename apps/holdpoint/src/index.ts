// The types of the configuration file, holdpoint.config.ts.

import type { AgentsConfig } from "@holdpoint/agents"
import type { Elicitation, Limits, RetentionTimes } from "@holdpoint/hub"
import type { Provider } from "@holdpoint/hub/internal"
import type { ReturnTarget } from "@holdpoint/server/http"
import type { IdentityProvider } from "@holdpoint/server/identity"
import type { NextcloudConfig } from "./nextcloud/section.ts"
import type { ShellConfig } from "./shell/section.ts"

interface LadderRung {
  readonly outlet: "email" | "slack"
  /** How long after the question was asked the outlet notifies the person: `0s`, `10m`, `2h` or `never`. */
  readonly after: string
  /** The kinds of question that this entry is for. Default: all. */
  readonly kinds?: readonly Elicitation["context"]["trigger"][]
}

/** The settings of a configuration file, all of them optional. */
export interface Config {
  /** A SQLite file, or the address of a Postgres database (postgres://…). */
  readonly database?: string
  /** The keys that seal secrets, as `holdpoint keys generate` prints them. HOLDPOINT_KEYS is safer than this file. */
  readonly keys?: string
  /** The file with the keys, when `keys` is not set. Default: `holdpoint.keys` beside the database. */
  readonly keyFile?: string
  /** Who you are: the subject of your principal. Default: the machine's user name. */
  readonly as?: string
  readonly tenant?: string
  readonly roles?: readonly string[]
  /** The accounts that people can connect; @holdpoint/accounts/providers has the built-in providers. */
  readonly providers?: readonly Provider[]
  /** Where people sign in. Without any, the server uses a built-in provider with alice and bob, for trying out. */
  readonly identityProviders?: readonly IdentityProvider[]
  /** The public address of the pages, when the server is behind a proxy. */
  readonly publicUrl?: string
  readonly host?: string
  readonly port?: number
  /** One exact redirect URI, for providers that allow only one. */
  readonly callbackUrl?: string
  /** In local mode, whether your browser is opened with a key, so that a link alone approves nothing. Default: true. */
  readonly openBrowser?: boolean
  /** Addresses that requests may go to besides public ones: loopback for development, hosts or ranges of your own. */
  readonly network?: { readonly allowLoopback?: boolean; readonly alsoAllow?: readonly string[] }
  /** Where people may be sent back to after connecting, by id. */
  readonly returnTargets?: Readonly<Record<string, ReturnTarget>>
  /** Origins, by id, of pages that may open Holdpoint's pages in a window and receive the result. */
  readonly openers?: Readonly<Record<string, string>>
  /** Notifies people of questions by e-mail. The variable SMTP_URL is safer than `smtpUrl` in this file. */
  readonly email?: {
    readonly from: string
    readonly smtpUrl?: string
    readonly bounces?: string
    readonly sayWhenOver?: boolean
  }
  /** When each outlet notifies a person of a question that is still open. */
  readonly ladder?: readonly LadderRung[]
  /** For `holdpoint serve`: agents, and the run API to talk to them. */
  readonly agents?: AgentsConfig
  /** For `holdpoint nextcloud`. */
  readonly nextcloud?: NextcloudConfig
  /** For `holdpoint shell`. */
  readonly shell?: ShellConfig
  /** One line on standard error for each question, its end and each refusal, without content. Default: text. */
  readonly log?: "text" | "json" | "off"
  /**
   * `metrics` is the path where Prometheus reads the counters, such as /metrics; without it they are not served. Unless
   * only this machine can reach the server, readers must send `metricsToken` as a bearer token.
   */
  readonly telemetry?: { readonly metrics?: string; readonly metricsToken?: string }
  /** How long a server keeps answering after SIGTERM, while /readyz reports that it is not ready: 5000, or "5s". */
  readonly drainMs?: number | string
  readonly limits?: Partial<Limits>
  readonly retention?: Partial<RetentionTimes>
}

/**
 * The default export of holdpoint.config.ts: gives the file its types. The values are checked when the command reads
 * them.
 */
export function defineConfig(config: Config): Config {
  return config
}
