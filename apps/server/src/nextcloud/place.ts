// Where the Nextcloud server keeps things and listens: the usual settings under the names that this command has for them.

import { homedir } from "node:os"
import { join } from "node:path"
import { HoldpointError } from "@holdpoint/sdk"
import { parseKeyRing } from "@holdpoint/sdk/sealing"
import type { Arguments } from "../arguments.ts"
import type { Call } from "../command.ts"
import type { Settings } from "../config.ts"
import { readSettings } from "../config.ts"
import { isLoopback } from "../loopback.ts"
import { isPostgres } from "../redact.ts"
import { wrongUse } from "../wrong-use.ts"
import { refusePeerFile } from "./peer-file.ts"
import { readSection, suggest } from "./section.ts"
import type { NextcloudSettings } from "./settings.ts"
import { toNextcloudSettings } from "./settings.ts"

export interface Plan {
  readonly nextcloud: NextcloudSettings
  readonly settings: Settings
  /** Set where HTTP is served; 0 is any that is free. */
  readonly port: number | undefined
}

export async function readPlan({ io, given }: Call): Promise<Plan> {
  assertPort(given.one("http"))
  const settings = await readSettings({ ...io, env: withOurNames(io.env) }, renamed(given), {
    database: join(dataHome(io.env), "nextcloud.db"),
  })
  assertAddresses(settings.pages)
  const [host, tools] = [given.one("host"), given.one("tools")]
  const nextcloud = toNextcloudSettings({
    file: readSection(settings.nextcloud),
    env: io.env,
    flags: {
      ...(host === undefined ? {} : { host }),
      ...(tools === undefined ? {} : { tools }),
      ...(given.has("read-only") ? { readOnly: true } : {}),
    },
  })
  await assertConfirm(nextcloud.confirm)
  const plan = { nextcloud, settings, port: given.has("http") ? settings.pages.port : undefined }
  if (isKept(plan, io.env)) assertKeepable(plan, io.env)
  return plan
}

/**
 * Whether there is a database. Consents are kept in it; the other modes have nothing to keep, unless several processes
 * share their calls: then they are given the same keys. A key of TOKEN_ENCRYPTION_KEY says nothing of that.
 */
export function isKept({ nextcloud, settings }: Pick<Plan, "nextcloud" | "settings">, env: Call["io"]["env"]): boolean {
  if (nextcloud.mode.kind === "offline") return true
  return "text" in settings.keys && settings.keys.text !== env.TOKEN_ENCRYPTION_KEY?.trim()
}

/** Said under the names that this command has for them. */
function assertPort(port: string | undefined): void {
  if (port === undefined || (/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) return
  throw wrongUse(`“${port}” is no port for --http.`, "Write a number up to 65535; 0 is any that is free.")
}

function assertAddresses({ publicUrl, callbackUrl }: Settings["pages"]): void {
  const named = {
    "NEXTCLOUD_MCP_SERVER_URL (or --public-url)": { address: publicUrl, as: "https://mcp.example.org" },
    ELICITATION_CALLBACK_URL: { address: callbackUrl, as: "https://mcp.example.org/oauth/callback" },
  }
  for (const [name, { address, as }] of Object.entries(named)) {
    if (address === undefined || /^https?:$/.test(URL.parse(address)?.protocol ?? "")) continue
    throw wrongUse(`${name} is “${address}”, which is no address.`, `Write it as ${as}.`)
  }
}

/** A misspelt name would leave something unasked that somebody wants to be asked about. */
async function assertConfirm(confirm: NextcloudSettings["confirm"]): Promise<void> {
  const given = Object.keys(confirm)
  if (given.length === 0) return
  const { toolNames, toolsets } = await import("@holdpoint/nextcloud")
  const known = ["*", ...toolsets, ...(await toolNames())]
  const problems = given
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `nextcloud.confirm.${name}`,
      message: "is no tool and no toolset.",
      suggestion: suggest(name, known, toolsets),
    }))
  if (problems.length > 0)
    throw new HoldpointError("invalid_config", "The settings for Nextcloud cannot be used.", { problems })
}

/** Where consents are kept: neither a file that is somebody else's, nor under a key that is none. */
function assertKeepable({ settings }: Plan, env: Call["io"]["env"]): void {
  if (!isPostgres(settings.database)) refusePeerFile(settings.database)
  const key = env.TOKEN_ENCRYPTION_KEY?.trim()
  if (key && "text" in settings.keys && settings.keys.text === key) parseKeyRing(key, "TOKEN_ENCRYPTION_KEY")
}

/** On stdio: where people come back to from a provider that knows addresses. Undefined where it makes no difference. */
export function returnAddress({ nextcloud, settings }: Plan): URL | undefined {
  const { mode } = nextcloud
  if (mode.kind !== "offline" || mode.access.by === "login_flow") return undefined
  const { callbackUrl, port } = settings.pages
  return new URL(callbackUrl ?? `http://127.0.0.1:${port}`)
}

/** What no process can be started with, though a doctor can look at it. */
export function assertServable({ nextcloud, settings, port }: Plan): void {
  const { mode } = nextcloud
  if (mode.kind === "pass-through" && port === undefined)
    throw wrongUse(
      "ENABLE_OFFLINE_ACCESS=false uses the tokens of those who call, and on stdio nobody brings one.",
      "Serve HTTP with --http PORT; or take it away, and you connect your own account when it is needed.",
    )
  const back = port === undefined ? returnAddress({ nextcloud, settings, port }) : undefined
  if (back !== undefined && !isLoopback(back.origin))
    throw wrongUse(
      `ELICITATION_CALLBACK_URL is at ${back.origin}, and on stdio people come back to this machine.`,
      "Write one as http://127.0.0.1:4650/oauth/callback, and register it at Nextcloud; or serve HTTP with --http PORT.",
    )
  if (port === undefined || ("people" in mode && mode.people !== undefined)) return
  const { host, publicUrl } = settings.pages
  const reached = [`http://${host.includes(":") ? `[${host}]` : host}`, publicUrl].find(
    (address) => address !== undefined && !isLoopback(address),
  )
  if (reached === undefined) return
  const next =
    "Listen at 127.0.0.1 and leave the public address away; or set OIDC_DISCOVERY_URL, OIDC_CLIENT_ID and " +
    "OIDC_CLIENT_SECRET, and people sign in and connect their own accounts."
  throw wrongUse(
    mode.kind === "single"
      ? `Everybody who reaches ${reached} would act as the account ${mode.username} of your Nextcloud.`
      : `Everybody who reaches ${reached} would be taken for the person at this machine.`,
    mode.kind === "single" ? `${next} NEXTCLOUD_USERNAME and NEXTCLOUD_PASSWORD go then.` : next,
  )
}

/** Names of the environment that people know from elsewhere. Lines of a file may end in a space or in CR. */
function withOurNames(given: Call["io"]["env"]): Call["io"]["env"] {
  const env = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, isOurs.test(name) ? value?.trim() : value]),
  )
  return {
    ...env,
    HOLDPOINT_DATABASE: env.HOLDPOINT_DATABASE || env.TOKEN_STORAGE_DB,
    HOLDPOINT_KEYS: env.HOLDPOINT_KEYS || env.TOKEN_ENCRYPTION_KEY,
    HOLDPOINT_PUBLIC_URL: env.HOLDPOINT_PUBLIC_URL || env.NEXTCLOUD_MCP_SERVER_URL?.replace(/\/mcp\/?$/, ""),
  }
}

const isOurs = /^(?:HOLDPOINT|TOKEN|ELICITATION|NEXTCLOUD)_|^DATABASE_URL$/

/** Clients start it in whatever folder they are in. */
function dataHome(env: Call["io"]["env"]): string {
  return join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "holdpoint")
}

/** --host is Nextcloud's here; where it listens is said by --listen and --http. */
function renamed(given: Arguments): Arguments {
  const nameOf = (name: string): string => ({ host: "listen", port: "http" })[name] ?? name
  return {
    ...given,
    has: (name) => given.has(nameOf(name)),
    one: (name) => given.one(nameOf(name)),
    all: (name) => given.all(nameOf(name)),
  }
}
