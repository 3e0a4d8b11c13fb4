// The table of settings: for each its path in the file, its environment variables, its flag and its kind of value.

import type { Flags } from "./arguments.ts"
import type { Kind } from "./setting-kinds.ts"
import { count, list, listInFile, logFormat, objectInFile, port, text, time, yesNo } from "./setting-kinds.ts"

export interface Setting {
  readonly path: string
  /** Its description in docs/configuration.md. */
  readonly description: string
  /** The default, in words, for docs/configuration.md. */
  readonly defaultText?: string
  readonly kind: Kind
  /** The first variable that is set wins. */
  readonly env: readonly string[]
  readonly flag?: { readonly name: string; readonly value: string; readonly help: string; readonly repeats?: boolean }
}

export const settings: readonly Setting[] = [
  {
    path: "database",
    description: "A SQLite file, or the address of a Postgres database (`postgres://…`).",
    defaultText: ".holdpoint/holdpoint.db",
    kind: text,
    env: ["HOLDPOINT_DATABASE", "DATABASE_URL"],
    flag: { name: "database", value: "PATH|URL", help: "a file, or postgres://… (default .holdpoint/holdpoint.db)" },
  },
  {
    path: "as",
    description: "Who you are: the subject of your principal, for the commands that ask and answer.",
    defaultText: "the machine's user",
    kind: text,
    env: ["HOLDPOINT_AS"],
    flag: { name: "as", value: "SUBJECT", help: "who you are (default the machine's user)" },
  },
  {
    path: "roles",
    description: "The roles that you have, for the commands that ask and answer.",
    kind: list,
    env: ["HOLDPOINT_ROLES"],
    flag: { name: "role", value: "ROLE", help: "a role that you have; may be repeated", repeats: true },
  },
  {
    path: "tenant",
    description: "The tenant whose questions, accounts and people the commands use.",
    defaultText: "local",
    kind: text,
    env: ["HOLDPOINT_TENANT"],
    flag: { name: "tenant", value: "NAME", help: "the tenant (default local)" },
  },
  {
    path: "keys",
    description:
      "The keys that seal secrets, as `holdpoint keys generate` prints them. The variable is safer than the file.",
    kind: text,
    env: ["HOLDPOINT_KEYS"],
  },
  {
    path: "keyFile",
    description: "The file with the keys, when `keys` is not set.",
    defaultText: "holdpoint.keys beside the database",
    kind: text,
    env: ["HOLDPOINT_KEY_FILE"],
    flag: { name: "key-file", value: "FILE", help: "the keys (default holdpoint.keys beside the database)" },
  },
  {
    path: "publicUrl",
    description: "The address at which people reach the pages, when the server is behind a proxy.",
    defaultText: "the address that the server listens on",
    kind: text,
    env: ["HOLDPOINT_PUBLIC_URL"],
    flag: { name: "public-url", value: "URL", help: "the public address, when the server is behind a proxy" },
  },
  {
    path: "host",
    description: "The address that the pages listen on; `0.0.0.0` is every address of the machine.",
    defaultText: "127.0.0.1",
    kind: text,
    env: ["HOLDPOINT_HOST"],
    flag: { name: "host", value: "ADDRESS", help: "where the pages listen (default 127.0.0.1)" },
  },
  {
    path: "port",
    description: "The port that the pages listen on. A port that is named here is never changed.",
    defaultText: "4650",
    kind: port,
    env: ["HOLDPOINT_PORT"],
    flag: { name: "port", value: "NUMBER", help: "where the pages listen (default 4650)" },
  },
  {
    path: "openBrowser",
    description: "In local mode, whether Holdpoint may open your browser. If it can, a link alone approves nothing.",
    defaultText: "true",
    kind: yesNo,
    env: ["HOLDPOINT_OPEN_BROWSER"],
  },
  {
    path: "callbackUrl",
    description: "One exact redirect URI, for providers that allow only one.",
    kind: text,
    env: ["HOLDPOINT_CALLBACK_URL", "ELICITATION_CALLBACK_URL"],
  },
  {
    path: "network.allowLoopback",
    description: "Whether requests to providers may go to this machine: for development.",
    defaultText: "false",
    kind: yesNo,
    env: ["HOLDPOINT_NETWORK_ALLOW_LOOPBACK"],
  },
  {
    path: "network.alsoAllow",
    description: "Hosts or address ranges of your own network that requests to providers may go to.",
    kind: list,
    env: ["HOLDPOINT_NETWORK_ALSO_ALLOW"],
  },
  {
    path: "webhooks.allowLoopback",
    description: "Whether webhooks may be sent to this machine.",
    defaultText: "true without `identityProviders`, else false",
    kind: yesNo,
    env: ["HOLDPOINT_WEBHOOKS_ALLOW_LOOPBACK"],
  },
  {
    path: "webhooks.alsoAllow",
    description:
      "Hosts or address ranges of your own network that webhooks may be sent to: people choose the addresses.",
    kind: list,
    env: ["HOLDPOINT_WEBHOOKS_ALSO_ALLOW"],
  },
  {
    path: "log",
    description:
      "The format of the log on standard error: one line for each question, its end and each refusal, without content.",
    defaultText: "text",
    kind: logFormat,
    env: ["HOLDPOINT_LOG"],
  },
  {
    path: "telemetry.metrics",
    description: "The path where Prometheus reads the counters, such as `/metrics`. Without it they are not served.",
    kind: text,
    env: ["HOLDPOINT_TELEMETRY_METRICS"],
  },
  {
    path: "telemetry.metricsToken",
    description:
      "The bearer token that readers of the metrics must send; required unless only this machine can reach the server.",
    kind: text,
    env: ["HOLDPOINT_TELEMETRY_METRICS_TOKEN"],
  },
  {
    path: "drainMs",
    description: "How long a server keeps answering after SIGTERM, while `/readyz` reports that it is not ready.",
    defaultText: "0",
    kind: time,
    env: ["HOLDPOINT_DRAIN"],
  },
  {
    path: "providers",
    description: "The accounts that people can connect; `@holdpoint/accounts/providers` has the built-in providers.",
    kind: listInFile,
    env: [],
  },
  {
    path: "identityProviders",
    description:
      "Where people sign in. Without any, `holdpoint serve` uses a built-in provider with alice and bob, for trying out.",
    kind: listInFile,
    env: [],
  },
  {
    path: "returnTargets",
    description: "Where people may be sent back to after connecting an account, by id.",
    kind: objectInFile,
    env: [],
  },
  {
    path: "openers",
    description: "Origins, by id, of pages that may open ours in a window and receive the result.",
    kind: objectInFile,
    env: [],
  },
  {
    path: "nextcloud",
    description: "The settings of `holdpoint nextcloud`: [docs/nextcloud.md](nextcloud.md).",
    kind: objectInFile,
    env: [],
  },
  {
    path: "shell",
    description: "The settings of `holdpoint shell`: names, limits and the environment of scripts.",
    kind: objectInFile,
    env: [],
  },
  {
    path: "agents",
    description: "The agents of `holdpoint serve`, and the run API: [docs/agents.md](agents.md).",
    kind: objectInFile,
    env: [],
  },
  {
    path: "email.from",
    description:
      "The sender of e-mails. Setting it turns e-mail on: `Holdpoint <holdpoint@example.com>`. See [docs/e-mail.md](e-mail.md).",
    kind: text,
    env: ["HOLDPOINT_EMAIL_FROM"],
  },
  {
    path: "email.smtpUrl",
    description:
      "The mail server: `smtp://user:password@host:587`, or `smtps://`. The variable is safer than the file.",
    kind: text,
    env: ["SMTP_URL"],
  },
  {
    path: "email.bounces",
    description:
      "The address that bounces go to, for `holdpoint bounce`. Each e-mail has its own: `bounces+…@example.com`.",
    defaultText: "bounces go to the sender, and are not noticed",
    kind: text,
    env: ["HOLDPOINT_EMAIL_BOUNCES"],
  },
  {
    path: "email.sayWhenOver",
    description:
      "Whether a second e-mail says that a question sent by e-mail is over. It never says what was answered.",
    defaultText: "false",
    kind: yesNo,
    env: ["HOLDPOINT_EMAIL_SAY_WHEN_OVER"],
  },
  {
    path: "ladder",
    description:
      'When each outlet notifies a person of a question that is still open: `[{ outlet: "slack", after: "0s" }, { outlet: "email", after: "10m" }]`. See [docs/e-mail.md](e-mail.md).',
    defaultText: "e-mail after ten minutes, other outlets immediately",
    kind: listInFile,
    env: [],
  },
  {
    path: "slack.botTokens",
    description: "The bot token of the app in Slack (`xoxb-…`), one for each workspace: [docs/slack.md](slack.md).",
    kind: list,
    env: ["SLACK_BOT_TOKEN"],
  },
  {
    path: "slack.signingSecret",
    description: "The signing secret of the app in Slack, which verifies its requests over HTTP.",
    kind: text,
    env: ["SLACK_SIGNING_SECRET"],
  },
  {
    path: "slack.appToken",
    description: "An app-level token (`xapp-…`): Slack sends events by Socket Mode, which needs no public address.",
    kind: text,
    env: ["SLACK_APP_TOKEN"],
  },
  {
    path: "slack.appId",
    description: "The id of the app in Slack. Requests from other apps are refused.",
    kind: text,
    env: ["SLACK_APP_ID"],
  },
  {
    path: "slack.apiUrl",
    description: "Another address for Slack's Web API, such as the stand-in for Slack.",
    defaultText: "https://slack.com/api/",
    kind: text,
    env: ["SLACK_API_URL"],
  },
  {
    path: "limits.pendingPerPerson",
    description:
      "The maximum number of open questions for one person. One asker gets four fifths of them, and a foreign MCP server or remote agent a quarter.",
    defaultText: "20",
    kind: count,
    env: ["HOLDPOINT_LIMITS_PENDING_PER_PERSON"],
  },
  {
    path: "limits.pendingPerTenant",
    description: "The maximum number of open questions for one tenant.",
    defaultText: "10000",
    kind: count,
    env: ["HOLDPOINT_LIMITS_PENDING_PER_TENANT"],
  },
  {
    path: "limits.messageLength",
    description: "The maximum length of the message of a question, in characters.",
    defaultText: "4000",
    kind: count,
    env: ["HOLDPOINT_LIMITS_MESSAGE_LENGTH"],
  },
  {
    path: "limits.minLifetimeMs",
    description: "The shortest time that a question may be open.",
    defaultText: "1s",
    kind: time,
    env: ["HOLDPOINT_LIMITS_MIN_LIFETIME"],
  },
  {
    path: "limits.maxLifetimeMs",
    description: "The longest time that a question may be open.",
    defaultText: "7d",
    kind: time,
    env: ["HOLDPOINT_LIMITS_MAX_LIFETIME"],
  },
  {
    path: "programs.open",
    description: "The maximum number of open questions of one program that asks over HTTP.",
    defaultText: "no limit",
    kind: count,
    env: ["HOLDPOINT_PROGRAMS_OPEN"],
  },
  {
    path: "programs.perMinute",
    description: "The maximum number of questions that one program may ask over HTTP in a minute.",
    defaultText: "no limit",
    kind: count,
    env: ["HOLDPOINT_PROGRAMS_PER_MINUTE"],
  },
  {
    path: "retention.contentAfterReadMs",
    description: "How long the content of an answer is kept after an asker has read it.",
    defaultText: "60s",
    kind: time,
    env: ["HOLDPOINT_RETENTION_CONTENT_AFTER_READ"],
  },
  {
    path: "retention.contentMs",
    description: "How long the content of an answer is kept if no asker has read it.",
    defaultText: "1d",
    kind: time,
    env: ["HOLDPOINT_RETENTION_CONTENT"],
  },
  {
    path: "retention.recordMs",
    description: "How long a settled question is kept, without its content.",
    defaultText: "30d",
    kind: time,
    env: ["HOLDPOINT_RETENTION_RECORD"],
  },
]

/** Environment variables with the prefix HOLDPOINT_ that are not settings. */
export const otherNames: readonly string[] = ["HOLDPOINT_DEBUG"]

export const settingFlags: Flags = Object.fromEntries([
  ...settings.flatMap(({ flag }) => (flag === undefined ? [] : [[flag.name, flag] as const])),
  ["config", { value: "FILE", help: "settings (default holdpoint.config.ts, .js or .mjs in this folder)" }],
])
