// The table of settings: for each its path in the file, its environment variables, its flag and its kind of value.

import type { Flags } from "./arguments.ts"
import type { Kind } from "./setting-kinds.ts"
import { count, entries, list, logFormat, named, port, text, time, yesNo } from "./setting-kinds.ts"

export interface Setting {
  readonly path: string
  /** Its description in docs/configuration.md. */
  readonly what: string
  /** The default, in words, for docs/configuration.md. */
  readonly otherwise?: string
  readonly kind: Kind
  /** The first variable that is set wins. */
  readonly env: readonly string[]
  readonly flag?: { readonly name: string; readonly value: string; readonly help: string; readonly repeats?: boolean }
}

export const settings: readonly Setting[] = [
  {
    path: "database",
    what: "A SQLite file, or the address of a Postgres database (`postgres://…`).",
    otherwise: ".holdpoint/holdpoint.db",
    kind: text,
    env: ["HOLDPOINT_DATABASE", "DATABASE_URL"],
    flag: { name: "database", value: "PATH|URL", help: "a file, or postgres://… (default .holdpoint/holdpoint.db)" },
  },
  {
    path: "as",
    what: "Who I am: the subject of my principal, for the commands that ask and answer.",
    otherwise: "the machine's user",
    kind: text,
    env: ["HOLDPOINT_AS"],
    flag: { name: "as", value: "SUBJECT", help: "who I am (default the machine's user)" },
  },
  {
    path: "roles",
    what: "The roles that I have, for the commands that ask and answer.",
    kind: list,
    env: ["HOLDPOINT_ROLES"],
    flag: { name: "role", value: "ROLE", help: "a role I have; may be repeated", repeats: true },
  },
  {
    path: "tenant",
    what: "The tenant whose questions, accounts and people the commands use.",
    otherwise: "local",
    kind: text,
    env: ["HOLDPOINT_TENANT"],
    flag: { name: "tenant", value: "NAME", help: "the tenant (default local)" },
  },
  {
    path: "keys",
    what: "The keys that seal secrets, as `holdpoint keys generate` prints them. The variable is safer than the file.",
    kind: text,
    env: ["HOLDPOINT_KEYS"],
  },
  {
    path: "keyFile",
    what: "The file with the keys, when `keys` is not set.",
    otherwise: "holdpoint.keys beside the database",
    kind: text,
    env: ["HOLDPOINT_KEY_FILE"],
    flag: { name: "key-file", value: "FILE", help: "the keys (default holdpoint.keys beside the database)" },
  },
  {
    path: "publicUrl",
    what: "The address at which people reach the pages, when the server is behind a proxy.",
    otherwise: "the address that the server listens on",
    kind: text,
    env: ["HOLDPOINT_PUBLIC_URL"],
    flag: { name: "public-url", value: "URL", help: "the public address, when the server is behind a proxy" },
  },
  {
    path: "host",
    what: "The address that the pages listen on; `0.0.0.0` is every address of the machine.",
    otherwise: "127.0.0.1",
    kind: text,
    env: ["HOLDPOINT_HOST"],
    flag: { name: "host", value: "ADDRESS", help: "where the pages listen (default 127.0.0.1)" },
  },
  {
    path: "port",
    what: "The port that the pages listen on. A port that is named here is never changed.",
    otherwise: "4650",
    kind: port,
    env: ["HOLDPOINT_PORT"],
    flag: { name: "port", value: "NUMBER", help: "where the pages listen (default 4650)" },
  },
  {
    path: "openBrowser",
    what: "In local mode, whether your browser may be opened, so that a link alone approves nothing.",
    otherwise: "true",
    kind: yesNo,
    env: ["HOLDPOINT_OPEN_BROWSER"],
  },
  {
    path: "callbackUrl",
    what: "One exact redirect URI, for providers that allow only one.",
    kind: text,
    env: ["HOLDPOINT_CALLBACK_URL", "ELICITATION_CALLBACK_URL"],
  },
  {
    path: "network.allowLoopback",
    what: "Whether requests to providers may go to this machine: for development.",
    otherwise: "false",
    kind: yesNo,
    env: ["HOLDPOINT_NETWORK_ALLOW_LOOPBACK"],
  },
  {
    path: "network.alsoAllow",
    what: "Hosts or address ranges of your own network that requests to providers may go to.",
    kind: list,
    env: ["HOLDPOINT_NETWORK_ALSO_ALLOW"],
  },
  {
    path: "webhooks.allowLoopback",
    what: "Whether webhooks may be sent to this machine.",
    otherwise: "true without `identityProviders`, else false",
    kind: yesNo,
    env: ["HOLDPOINT_WEBHOOKS_ALLOW_LOOPBACK"],
  },
  {
    path: "webhooks.alsoAllow",
    what: "Hosts or address ranges of your own network that webhooks may be sent to: people choose the addresses.",
    kind: list,
    env: ["HOLDPOINT_WEBHOOKS_ALSO_ALLOW"],
  },
  {
    path: "log",
    what: "What a server logs about its questions, on standard error: one line for each step, without content.",
    otherwise: "text",
    kind: logFormat,
    env: ["HOLDPOINT_LOG"],
  },
  {
    path: "telemetry.metrics",
    what: "The path where Prometheus reads the counters, such as `/metrics`. Without it they are not served.",
    kind: text,
    env: ["HOLDPOINT_TELEMETRY_METRICS"],
  },
  {
    path: "telemetry.metricsToken",
    what: "The bearer token that readers of the metrics must send; required unless only this machine can reach the server.",
    kind: text,
    env: ["HOLDPOINT_TELEMETRY_METRICS_TOKEN"],
  },
  {
    path: "drainMs",
    what: "How long a server keeps answering after SIGTERM, while `/readyz` reports that it is not ready.",
    otherwise: "0",
    kind: time,
    env: ["HOLDPOINT_DRAIN"],
  },
  {
    path: "providers",
    what: "The accounts that people can connect; `@holdpoint/sdk/providers` has the built-in providers.",
    kind: entries,
    env: [],
  },
  {
    path: "identityProviders",
    what: "Where people sign in. Without any, `holdpoint serve` uses a built-in provider with alice and bob, for trying out.",
    kind: entries,
    env: [],
  },
  {
    path: "returnTargets",
    what: "Where people may be sent back to after connecting an account, by id.",
    kind: named,
    env: [],
  },
  {
    path: "openers",
    what: "Origins, by id, of pages that may open ours in a window and receive the result.",
    kind: named,
    env: [],
  },
  {
    path: "nextcloud",
    what: "The settings of `holdpoint nextcloud`: [docs/nextcloud.md](nextcloud.md).",
    kind: named,
    env: [],
  },
  {
    path: "shell",
    what: "The settings of `holdpoint shell`: names, limits and the environment of scripts.",
    kind: named,
    env: [],
  },
  {
    path: "agents",
    what: "The agents of `holdpoint serve`, and the run API: [docs/agents.md](agents.md).",
    kind: named,
    env: [],
  },
  {
    path: "email.from",
    what: "The sender of mails, which turns e-mail on: `Holdpoint <holdpoint@example.com>`. See [docs/e-mail.md](e-mail.md).",
    kind: text,
    env: ["HOLDPOINT_EMAIL_FROM"],
  },
  {
    path: "email.smtpUrl",
    what: "The mail server: `smtp://user:password@host:587`, or `smtps://`. The variable is safer than the file.",
    kind: text,
    env: ["SMTP_URL"],
  },
  {
    path: "email.bounces",
    what: "The address that bounces go to, for `holdpoint bounce`. Each mail has its own: `bounces+…@example.com`.",
    otherwise: "bounces go to the sender, and are not noticed",
    kind: text,
    env: ["HOLDPOINT_EMAIL_BOUNCES"],
  },
  {
    path: "email.sayWhenOver",
    what: "Whether a second mail says that a mailed question is over. It never says what was answered.",
    otherwise: "false",
    kind: yesNo,
    env: ["HOLDPOINT_EMAIL_SAY_WHEN_OVER"],
  },
  {
    path: "ladder",
    what: 'When each outlet notifies a person of a question that is still open: `[{ outlet: "slack", after: "0s" }, { outlet: "email", after: "10m" }]`. See [docs/e-mail.md](e-mail.md).',
    otherwise: "e-mail after ten minutes, other outlets immediately",
    kind: entries,
    env: [],
  },
  {
    path: "slack.botTokens",
    what: "The bot token of the app in Slack (`xoxb-…`), one for each workspace: [docs/slack.md](slack.md).",
    kind: list,
    env: ["SLACK_BOT_TOKEN"],
  },
  {
    path: "slack.signingSecret",
    what: "The signing secret of the app in Slack, which verifies its requests over HTTP.",
    kind: text,
    env: ["SLACK_SIGNING_SECRET"],
  },
  {
    path: "slack.appToken",
    what: "An app-level token (`xapp-…`): Slack sends events by Socket Mode, which needs no public address.",
    kind: text,
    env: ["SLACK_APP_TOKEN"],
  },
  {
    path: "slack.appId",
    what: "The id of the app in Slack. Requests of other apps are refused.",
    kind: text,
    env: ["SLACK_APP_ID"],
  },
  {
    path: "slack.apiUrl",
    what: "Another address for Slack's Web API, such as the stand-in for Slack.",
    otherwise: "https://slack.com/api/",
    kind: text,
    env: ["SLACK_API_URL"],
  },
  {
    path: "limits.pendingPerPerson",
    what: "The most open questions of one person.",
    otherwise: "20",
    kind: count,
    env: ["HOLDPOINT_LIMITS_PENDING_PER_PERSON"],
  },
  {
    path: "limits.pendingPerTenant",
    what: "The most open questions of one tenant.",
    otherwise: "10000",
    kind: count,
    env: ["HOLDPOINT_LIMITS_PENDING_PER_TENANT"],
  },
  {
    path: "limits.messageLength",
    what: "The longest message of a question, in characters.",
    otherwise: "4000",
    kind: count,
    env: ["HOLDPOINT_LIMITS_MESSAGE_LENGTH"],
  },
  {
    path: "limits.minLifetimeMs",
    what: "The shortest time that a question may be open.",
    otherwise: "1s",
    kind: time,
    env: ["HOLDPOINT_LIMITS_MIN_LIFETIME"],
  },
  {
    path: "limits.maxLifetimeMs",
    what: "The longest time that a question may be open.",
    otherwise: "7d",
    kind: time,
    env: ["HOLDPOINT_LIMITS_MAX_LIFETIME"],
  },
  {
    path: "programs.open",
    what: "The most open questions of one program that asks over HTTP.",
    otherwise: "no limit",
    kind: count,
    env: ["HOLDPOINT_PROGRAMS_OPEN"],
  },
  {
    path: "programs.perMinute",
    what: "The most questions that one program may ask over HTTP in a minute.",
    otherwise: "no limit",
    kind: count,
    env: ["HOLDPOINT_PROGRAMS_PER_MINUTE"],
  },
  {
    path: "retention.contentAfterReadMs",
    what: "How long the content of an answer is kept after an asker has read it.",
    otherwise: "60s",
    kind: time,
    env: ["HOLDPOINT_RETENTION_CONTENT_AFTER_READ"],
  },
  {
    path: "retention.contentMs",
    what: "How long the content of an answer is kept if no asker has read it.",
    otherwise: "1d",
    kind: time,
    env: ["HOLDPOINT_RETENTION_CONTENT"],
  },
  {
    path: "retention.recordMs",
    what: "How long a settled question is kept, without its content.",
    otherwise: "30d",
    kind: time,
    env: ["HOLDPOINT_RETENTION_RECORD"],
  },
]

/** Variables with our prefix that are not settings. */
export const otherNames: readonly string[] = ["HOLDPOINT_DEBUG"]

export const settingFlags: Flags = Object.fromEntries([
  ...settings.flatMap(({ flag }) => (flag === undefined ? [] : [[flag.name, flag] as const])),
  ["config", { value: "FILE", help: "settings (default holdpoint.config.ts, .js or .mjs in this folder)" }],
])
