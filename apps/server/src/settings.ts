// The table of settings: each one's path in the file, its environment variables, its flag, and what it may be.

import type { Flags } from "./arguments.ts"
import { toMilliseconds } from "./duration.ts"

export type Value = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>

/** The functions return undefined when the value is of another kind. */
interface Kind {
  readonly expected: string
  readonly fromFile: (value: unknown) => Value | undefined
  readonly fromText: (text: string) => Value | undefined
}

export interface Setting {
  readonly path: string
  readonly kind: Kind
  /** The first variable that is set wins. */
  readonly env: readonly string[]
  readonly flag?: { readonly name: string; readonly value: string; readonly help: string; readonly repeats?: boolean }
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const text: Kind = {
  expected: "text",
  fromFile: (value) => (isText(value) ? value : undefined),
  fromText: (value) => (isText(value) ? value : undefined),
}

const list: Kind = {
  expected: "a list of text",
  fromFile: (value) => (Array.isArray(value) && value.every(isText) ? value : undefined),
  fromText: (value) => value.split(",").flatMap((part) => part.trim() || []),
}

const count: Kind = {
  expected: "a whole number",
  fromFile: (value) => (isCount(value) ? value : undefined),
  fromText: (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined),
}

const port: Kind = {
  expected: "a whole number, 65535 at most",
  fromFile: (value) => (isCount(value) && value <= 65_535 ? value : undefined),
  fromText: (value) => port.fromFile(count.fromText(value)),
}

const time: Kind = {
  expected: "whole milliseconds, or text such as 30s, 5m, 2h or 7d",
  fromFile: (value) => (isCount(value) ? value : isText(value) ? toMilliseconds(value) : undefined),
  fromText: (value) => count.fromText(value) ?? toMilliseconds(value),
}

const yesNo: Kind = {
  expected: "true or false",
  fromFile: (value) => (typeof value === "boolean" ? value : undefined),
  fromText: (value) => (/^(true|1|yes)$/i.test(value) ? true : /^(false|0|no)$/i.test(value) ? false : undefined),
}

const logFormats = ["text", "json", "off"]

export const logFormat: Kind = {
  expected: "text, json or off",
  fromFile: (value) => (logFormats.includes(String(value)) ? String(value) : undefined),
  fromText: (value) => (logFormats.includes(value) ? value : undefined),
}

/** Only in the file. The content is checked where it is used. */
const entries: Kind = {
  expected: "a list, in the file",
  fromFile: (value) => (Array.isArray(value) ? value : undefined),
  fromText: () => undefined,
}

const named: Kind = {
  expected: "an object, in the file",
  fromFile: (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined,
  fromText: () => undefined,
}

export const settings: readonly Setting[] = [
  {
    path: "database",
    kind: text,
    env: ["HOLDPOINT_DATABASE", "DATABASE_URL"],
    flag: { name: "database", value: "PATH|URL", help: "a file, or postgres://… (default .holdpoint/holdpoint.db)" },
  },
  {
    path: "as",
    kind: text,
    env: ["HOLDPOINT_AS"],
    flag: { name: "as", value: "SUBJECT", help: "who I am (default the machine's user)" },
  },
  {
    path: "roles",
    kind: list,
    env: ["HOLDPOINT_ROLES"],
    flag: { name: "role", value: "ROLE", help: "a role I have; may be repeated", repeats: true },
  },
  {
    path: "tenant",
    kind: text,
    env: ["HOLDPOINT_TENANT"],
    flag: { name: "tenant", value: "NAME", help: "whose questions (default local)" },
  },
  { path: "keys", kind: text, env: ["HOLDPOINT_KEYS"] },
  {
    path: "keyFile",
    kind: text,
    env: ["HOLDPOINT_KEY_FILE"],
    flag: { name: "key-file", value: "FILE", help: "the keys (default holdpoint.keys beside the database)" },
  },
  {
    path: "publicUrl",
    kind: text,
    env: ["HOLDPOINT_PUBLIC_URL"],
    flag: { name: "public-url", value: "URL", help: "the public address, when a proxy stands in front" },
  },
  {
    path: "host",
    kind: text,
    env: ["HOLDPOINT_HOST"],
    flag: { name: "host", value: "ADDRESS", help: "where the pages listen (default 127.0.0.1)" },
  },
  {
    path: "port",
    kind: port,
    env: ["HOLDPOINT_PORT"],
    flag: { name: "port", value: "NUMBER", help: "where the pages listen (default 4650)" },
  },
  { path: "openBrowser", kind: yesNo, env: ["HOLDPOINT_OPEN_BROWSER"] },
  { path: "callbackUrl", kind: text, env: ["HOLDPOINT_CALLBACK_URL", "ELICITATION_CALLBACK_URL"] },
  { path: "network.allowLoopback", kind: yesNo, env: ["HOLDPOINT_NETWORK_ALLOW_LOOPBACK"] },
  { path: "network.alsoAllow", kind: list, env: ["HOLDPOINT_NETWORK_ALSO_ALLOW"] },
  { path: "log", kind: logFormat, env: ["HOLDPOINT_LOG"] },
  { path: "telemetry.metrics", kind: text, env: ["HOLDPOINT_TELEMETRY_METRICS"] },
  { path: "telemetry.metricsToken", kind: text, env: ["HOLDPOINT_TELEMETRY_METRICS_TOKEN"] },
  { path: "providers", kind: entries, env: [] },
  { path: "identityProviders", kind: entries, env: [] },
  { path: "returnTargets", kind: named, env: [] },
  { path: "openers", kind: named, env: [] },
  { path: "nextcloud", kind: named, env: [] },
  { path: "agents", kind: named, env: [] },
  { path: "limits.pendingPerPerson", kind: count, env: ["HOLDPOINT_LIMITS_PENDING_PER_PERSON"] },
  { path: "limits.pendingPerTenant", kind: count, env: ["HOLDPOINT_LIMITS_PENDING_PER_TENANT"] },
  { path: "limits.messageLength", kind: count, env: ["HOLDPOINT_LIMITS_MESSAGE_LENGTH"] },
  { path: "limits.minLifetimeMs", kind: time, env: ["HOLDPOINT_LIMITS_MIN_LIFETIME"] },
  { path: "limits.maxLifetimeMs", kind: time, env: ["HOLDPOINT_LIMITS_MAX_LIFETIME"] },
  { path: "retention.contentAfterReadMs", kind: time, env: ["HOLDPOINT_RETENTION_CONTENT_AFTER_READ"] },
  { path: "retention.contentMs", kind: time, env: ["HOLDPOINT_RETENTION_CONTENT"] },
  { path: "retention.recordMs", kind: time, env: ["HOLDPOINT_RETENTION_RECORD"] },
]

/** Environment names of ours that are not settings. */
export const otherNames: readonly string[] = ["HOLDPOINT_DEBUG"]

export const settingFlags: Flags = Object.fromEntries([
  ...settings.flatMap(({ flag }) => (flag === undefined ? [] : [[flag.name, flag] as const])),
  ["config", { value: "FILE", help: "settings (default holdpoint.config.ts, .js or .mjs in this folder)" }],
])
