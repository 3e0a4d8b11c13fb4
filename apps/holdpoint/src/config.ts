// Reads the settings from the file, the environment and the flags; later sources override earlier ones. An unknown name
// is an error.

import { existsSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Limits, Principal, Problem, RetentionTimes } from "@holdpoint/hub"
import { defaultLimits, HoldpointError } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"
import type { Provider } from "@holdpoint/hub/internal"
import { isObject } from "@holdpoint/hub/internal"
import { keyFileBeside } from "@holdpoint/hub/sealing"
import type { ReturnTarget } from "@holdpoint/server/http"
import type { IdentityProvider } from "@holdpoint/server/identity"
import type { Arguments } from "./arguments.ts"
import type { Io } from "./io.ts"
import { isPostgres, redact } from "./redact.ts"
import type { KeySource } from "./sealed-storage.ts"
import type { Value } from "./setting-kinds.ts"
import type { Setting } from "./settings.ts"
import { otherNames, settings } from "./settings.ts"
import { wrongUse } from "./wrong-use.ts"

export interface Settings {
  /** An absolute path, or a database URL. */
  readonly database: string
  readonly keys: KeySource
  /** The file with the key of the person's own programs, in local mode. */
  readonly localKeyFile: string
  readonly me: Principal
  readonly pages: PageSettings
  /** In local mode: whether the person's browser may be opened. */
  readonly openBrowser: boolean
  /** The providers of accounts. Each command that uses them checks them. */
  readonly providers: readonly Provider[]
  readonly identityProviders: readonly IdentityProvider[]
  readonly network: { readonly allowLoopback?: boolean; readonly alsoAllow?: readonly string[] }
  /** Addresses that webhooks may have besides public ones. */
  readonly webhooks: { readonly allowLoopback?: boolean; readonly alsoAllow?: readonly string[] }
  /** The section `nextcloud`. The command that uses it checks it. */
  readonly nextcloud: Readonly<Record<string, unknown>>
  /** The section `shell`. The command that uses it checks it. */
  readonly shell: Readonly<Record<string, unknown>>
  /** What a server logs about its questions, on standard error. */
  readonly log: LogFormat
  readonly telemetry: TelemetrySettings
  /** How long a server keeps answering after SIGTERM, while it reports that it is not ready. */
  readonly drainMs: number
  /** The section `agents`. The command that uses it checks it. */
  readonly agents?: Readonly<Record<string, unknown>>
  /** Set when the settings name a sender. */
  readonly email?: EmailSettings
  /** The section `ladder`. The command that uses it checks it. */
  readonly ladder?: readonly unknown[]
  /** Set when the settings have a bot token. */
  readonly slack?: SlackSettings
  readonly limits: Limits
  /** Limits for each program that asks over HTTP. */
  readonly programs: { readonly open?: number; readonly perMinute?: number }
  readonly retention: Partial<RetentionTimes>
  /** Flags that make another command use the same database and tenant. */
  readonly sameDatabase: readonly string[]
}

export type LogFormat = "text" | "json" | "off"

export interface TelemetrySettings {
  /** The path of the metrics. Absent: they are not served. */
  readonly metrics?: string
  /** The bearer token that readers of the metrics must send. */
  readonly metricsToken?: string
}

export interface EmailSettings {
  readonly from: string
  /** The URL of the mail server. Contains its password. */
  readonly smtpUrl?: string
  readonly bounces?: string
  readonly sayWhenOver?: boolean
}

export interface SlackSettings {
  readonly botTokens: readonly string[]
  readonly signingSecret?: string
  readonly appToken?: string
  readonly appId?: string
  readonly apiUrl?: string
}

export interface PageSettings {
  /** Absent: the address that the server listens on. */
  readonly publicUrl?: string
  readonly host: string
  readonly port: number
  readonly isPortNamed: boolean
  readonly callbackUrl?: string
  readonly returnTargets: Readonly<Record<string, ReturnTarget>>
  readonly openers: Readonly<Record<string, string>>
}

type Values = ReadonlyMap<string, Value>

export interface Defaults {
  /** The path of the SQLite file, absolute or relative to the working directory. */
  readonly database?: string
  /** Overrides of the default limits. */
  readonly limits?: Partial<Limits>
}

export async function readSettings(io: Io, args: Arguments, defaults: Defaults = {}): Promise<Settings> {
  const file = findFile(io, args.one("config"))
  const fromFile = file === undefined ? new Map<string, Value>() : readFile(await load(file), file)
  const fromFlags = readFlags(args)
  const values: Values = new Map([...fromFile, ...readEnvironment(io.env), ...fromFlags])
  const text = (path: string, defaultValue: string) => String(values.get(path) ?? defaultValue)
  const defaultPath = defaults.database ?? join(".holdpoint", "holdpoint.db")
  const databaseText = text("database", defaultPath)
  const database = isPostgres(databaseText) ? databaseText : toPath(io, databaseText)
  if (values.has("database") && database !== databaseText) assertFolder(database, "the database")
  if (values.has("keyFile")) assertFolder(resolve(io.cwd, String(values.get("keyFile"))), "the keys")
  const databaseFile = isPostgres(database) ? resolve(io.cwd, defaultPath) : database
  return {
    ...{
      database,
      keys: toKeyPlace(io, values, databaseFile),
      localKeyFile: join(dirname(databaseFile), "holdpoint.local-key"),
    },
    me: {
      tenant: text("tenant", "local"),
      issuer: "local",
      subject: text("as", io.user),
      roles: (values.get("roles") ?? []) as readonly string[],
    },
    pages: toPages(values),
    openBrowser: values.get("openBrowser") !== false,
    providers: (values.get("providers") ?? []) as readonly Provider[],
    identityProviders: (values.get("identityProviders") ?? []) as readonly IdentityProvider[],
    network: group<Settings["network"]>(values, "network"),
    programs: group<Settings["programs"]>(values, "programs"),
    webhooks: group<Settings["webhooks"]>(values, "webhooks"),
    nextcloud: (values.get("nextcloud") ?? {}) as Settings["nextcloud"],
    shell: (values.get("shell") ?? {}) as Settings["shell"],
    log: text("log", "text") as LogFormat,
    telemetry: group<TelemetrySettings>(values, "telemetry"),
    drainMs: Number(values.get("drainMs") ?? 0),
    ...(values.has("agents") ? { agents: values.get("agents") as Readonly<Record<string, unknown>> } : {}),
    ...(values.has("email.from") ? { email: group<EmailSettings>(values, "email") as EmailSettings } : {}),
    ...(values.has("ladder") ? { ladder: values.get("ladder") as readonly unknown[] } : {}),
    ...(values.has("slack.botTokens") ? { slack: group<SlackSettings>(values, "slack") as SlackSettings } : {}),
    limits: { ...defaultLimits, ...defaults.limits, ...group<Limits>(values, "limits") },
    retention: group<RetentionTimes>(values, "retention"),
    sameDatabase: ["database", "config", "tenant", "key-file"].flatMap((name) => {
      const value = args.one(name)
      return value === undefined ? [] : [`--${name}`, value]
    }),
  }
}

function toPath(io: Io, database: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(database)) {
    throw wrongUse(
      `The database ${redact(database, database)} is neither a file nor a Postgres database.`,
      "Write a path, or postgres://user@host/name.",
    )
  }
  return resolve(io.cwd, database)
}

/** Throws if the folder of a configured file does not exist: a typo, or not mounted. Default folders are created. */
function assertFolder(file: string, description: string): void {
  if (existsSync(dirname(file))) return
  throw wrongUse(
    `There is no folder ${dirname(file)} for ${basename(file)}.`,
    `Create it, or name another place for ${description}.`,
  )
}

/** The keys or their file, by default beside `database`. For Postgres, that is the path of the default SQLite file. */
function toKeyPlace(io: Io, values: Values, database: string): KeySource {
  const [keys, file] = [values.get("keys"), values.get("keyFile")]
  if (keys !== undefined) return { text: String(keys) }
  if (file !== undefined) return { file: resolve(io.cwd, String(file)) }
  return { file: keyFileBeside(database) }
}

function toPages(values: Values): PageSettings {
  const optional = (path: string) => {
    const value = values.get(path)
    return value === undefined ? {} : { [path]: String(value) }
  }
  return {
    host: String(values.get("host") ?? "127.0.0.1"),
    port: Number(values.get("port") ?? defaultPort),
    isPortNamed: values.has("port"),
    returnTargets: (values.get("returnTargets") ?? {}) as PageSettings["returnTargets"],
    openers: (values.get("openers") ?? {}) as PageSettings["openers"],
    ...optional("publicUrl"),
    ...optional("callbackUrl"),
  }
}

const defaultPort = 4_650

function group<T>(values: Values, name: string): Partial<T> {
  const entries = [...values].filter(([path]) => path.startsWith(`${name}.`))
  return Object.fromEntries(entries.map(([path, value]) => [path.slice(name.length + 1), value])) as Partial<T>
}

function findFile(io: Io, path: string | undefined): string | undefined {
  if (path !== undefined) {
    const file = resolve(io.cwd, path)
    if (!existsSync(file)) throw wrongUse(`There is no file ${path}.`, "--config names the file with the settings.")
    return file
  }
  return ["ts", "js", "mjs"].map((end) => join(io.cwd, `holdpoint.config.${end}`)).find((file) => existsSync(file))
}

async function load(file: string): Promise<unknown> {
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(file).href)
    return module.default
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw new HoldpointError("invalid_config", `${file} cannot be loaded: ${words}`, { cause: error })
  }
}

/** Reports every problem of the file at once. */
export function readFile(config: unknown, file: string): Values {
  const reading = newReading()
  const { values, problems } = reading
  const readObject = (object: unknown, prefix: string): void => {
    if (!isObject(object)) {
      const message = prefix === "" ? "must export an object: export default defineConfig({ … })" : "must be an object"
      problems.push({ path: prefix.slice(0, -1), message })
      return
    }
    for (const [name, value] of Object.entries(object)) {
      const path = prefix + name
      const setting = settings.find((one) => one.path === path)
      if (setting === undefined && settings.some((one) => one.path.startsWith(`${path}.`)))
        readObject(value, `${path}.`)
      else if (setting === undefined) problems.push(unknownSetting(path, prefix))
      else if (value !== undefined) setValue(reading, setting, setting.kind.fromFile(value), path)
    }
  }
  readObject(config, "")
  if (problems.length > 0) throw toConfigError(`${file} cannot be used.`, problems)
  return values
}

function readEnvironment(env: Io["env"]): Values {
  const reading = newReading()
  const { values, problems } = reading
  const names = settings.flatMap((setting) => setting.env)
  for (const name of Object.keys(env)) {
    if (!name.startsWith("HOLDPOINT_") || names.includes(name) || otherNames.includes(name)) continue
    problems.push({ path: name, message: "is not a setting.", ...suggestion(name, [...names, ...otherNames]) })
  }
  for (const setting of settings) {
    // An empty variable counts as unset: many shells and containers unset that way.
    const name = setting.env.find((variable) => env[variable])
    const text = name === undefined ? undefined : env[name]
    if (name !== undefined && text !== undefined) {
      setValue(reading, setting, setting.kind.fromText(text), name)
    }
  }
  if (problems.length > 0) throw toConfigError("The environment cannot be used.", problems)
  return values
}

function readFlags(args: Arguments): Values {
  const reading = newReading()
  const { values, problems } = reading
  for (const { path, flag, kind, ...rest } of settings) {
    if (flag === undefined || !args.has(flag.name)) continue
    const value = flag.repeats ? args.all(flag.name) : kind.fromText(args.one(flag.name) ?? "")
    setValue(reading, { path, kind, ...rest }, value, `--${flag.name}`)
  }
  if (problems.length > 0) throw toConfigError("The flags cannot be used.", problems)
  return values
}

const newReading = () => ({ values: new Map<string, Value>(), problems: [] as Problem[] })

function setValue(
  { values, problems }: ReturnType<typeof newReading>,
  { path, kind }: Setting,
  value: Value | undefined,
  source: string,
): void {
  if (value === undefined) problems.push({ path: source, message: `must be ${kind.expected}` })
  else values.set(path, value)
}

function unknownSetting(path: string, prefix: string): Problem {
  const names = settings
    .filter((setting) => setting.path.startsWith(prefix))
    .map((setting) => setting.path.slice(prefix.length).split(".")[0] ?? "")
  return { path, message: "is not a setting.", ...suggestion(path.slice(prefix.length), new Set(names)) }
}

function suggestion(name: string, names: Iterable<string>): { readonly suggestion?: string } {
  const all = [...names]
  const nearestName = nearest(name, all)
  return { suggestion: nearestName === undefined ? `There are ${all.join(", ")}.` : `Did you mean ${nearestName}?` }
}

function toConfigError(description: string, problems: readonly Problem[]): HoldpointError {
  return new HoldpointError("invalid_config", description, { problems })
}
