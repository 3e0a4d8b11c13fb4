// Reads the plan of the Nextcloud server: its settings, its storage and its port, under the names that this command
// uses.

import { join } from "node:path"
import { HoldpointError } from "@holdpoint/hub"
import { parseKeyRing } from "@holdpoint/hub/sealing"
import type { Call } from "../command.ts"
import type { Settings } from "../config.ts"
import { readSettings } from "../config.ts"
import { isLoopback, reachedFromElsewhere } from "../loopback.ts"
import { isPostgres } from "../redact.ts"
import { suggest } from "../section.ts"
import { assertPort, dataHome, withServerFlags } from "../serve/server-flags.ts"
import { wrongUse } from "../wrong-use.ts"
import { refusePeerFile } from "./peer-file.ts"
import { readSection } from "./section.ts"
import type { NextcloudSettings } from "./settings.ts"
import { toNextcloudSettings } from "./settings.ts"

export interface Plan {
  readonly nextcloud: NextcloudSettings
  readonly settings: Settings
  /** Set when HTTP is served; 0 picks a free port. */
  readonly port: number | undefined
}

export async function readPlan({ io, args }: Call): Promise<Plan> {
  assertPort(args.one("http"))
  const settings = await readSettings({ ...io, env: withOurNames(io.env) }, withServerFlags(args), {
    database: join(dataHome(io.env), "nextcloud.db"),
  })
  assertAddresses(settings.pages)
  const [host, tools] = [args.one("host"), args.one("tools")]
  const nextcloud = toNextcloudSettings({
    file: readSection(settings.nextcloud),
    env: io.env,
    flags: {
      ...(host === undefined ? {} : { host }),
      ...(tools === undefined ? {} : { tools }),
      ...(args.has("read-only") ? { readOnly: true } : {}),
    },
  })
  await assertConfirm(nextcloud.confirm)
  const plan = { nextcloud, settings, port: args.has("http") ? settings.pages.port : undefined }
  if (usesDatabase(plan, io.env)) assertKeepable(plan, io.env)
  return plan
}

/**
 * Whether a database is used. Offline mode stores consents in it. The other modes need one only when several processes
 * share calls, and therefore have the same HOLDPOINT_KEYS. TOKEN_ENCRYPTION_KEY alone does not imply several processes.
 */
export function usesDatabase(
  { nextcloud, settings }: Pick<Plan, "nextcloud" | "settings">,
  env: Call["io"]["env"],
): boolean {
  if (nextcloud.mode.kind === "offline") return true
  return "text" in settings.keys && settings.keys.text !== env.TOKEN_ENCRYPTION_KEY?.trim()
}

function assertAddresses({ publicUrl, callbackUrl }: Settings["pages"]): void {
  const addresses = {
    "NEXTCLOUD_MCP_SERVER_URL (or --public-url)": { address: publicUrl, example: "https://mcp.example.org" },
    ELICITATION_CALLBACK_URL: { address: callbackUrl, example: "https://mcp.example.org/oauth/callback" },
  }
  for (const [name, { address, example }] of Object.entries(addresses)) {
    if (address === undefined || /^https?:$/.test(URL.parse(address)?.protocol ?? "")) continue
    throw wrongUse(`${name} is “${address}”, which is not a URL.`, `Write it as ${example}.`)
  }
}

/** Throws for names in nextcloud.confirm that are not tools: a misspelt name would silently drop a confirmation. */
async function assertConfirm(confirm: NextcloudSettings["confirm"]): Promise<void> {
  const names = Object.keys(confirm)
  if (names.length === 0) return
  const { toolNames, toolsets } = await import("@holdpoint/nextcloud")
  const validNames = ["*", ...toolsets, ...(await toolNames())]
  const problems = names
    .filter((name) => !validNames.includes(name))
    .map((name) => ({
      path: `nextcloud.confirm.${name}`,
      message: "is neither a tool nor a toolset.",
      suggestion: suggest(name, validNames, toolsets),
    }))
  if (problems.length > 0)
    throw new HoldpointError("invalid_config", "The settings for Nextcloud cannot be used.", { problems })
}

/** Throws if the database file is the peer server's, or if TOKEN_ENCRYPTION_KEY is used and invalid. */
function assertKeepable({ settings }: Plan, env: Call["io"]["env"]): void {
  if (!isPostgres(settings.database)) refusePeerFile(settings.database)
  const key = env.TOKEN_ENCRYPTION_KEY?.trim()
  if (key && "text" in settings.keys && settings.keys.text === key) parseKeyRing(key, "TOKEN_ENCRYPTION_KEY")
}

/** On stdio: the redirect URI for providers that require a registered one. Undefined where none is needed. */
export function returnAddress({ nextcloud, settings }: Plan): URL | undefined {
  const { mode } = nextcloud
  if (mode.kind !== "offline" || mode.access.by === "login_flow") return undefined
  const { callbackUrl, port } = settings.pages
  return new URL(callbackUrl ?? `http://127.0.0.1:${port}`)
}

/** Throws for settings that the server cannot run with. The doctor checks them only with --http. */
export function assertServable({ nextcloud, settings, port }: Plan): void {
  const { mode } = nextcloud
  if (mode.kind === "pass-through" && port === undefined)
    throw wrongUse(
      "ENABLE_OFFLINE_ACCESS=false uses the callers' tokens, and on stdio callers have none.",
      "Serve HTTP with --http PORT; or unset it, and connect your own account when a call needs it.",
    )
  const redirectUri = port === undefined ? returnAddress({ nextcloud, settings, port }) : undefined
  if (redirectUri !== undefined && !isLoopback(redirectUri.origin))
    throw wrongUse(
      `ELICITATION_CALLBACK_URL is at ${redirectUri.origin}, but on stdio people return to this machine.`,
      "Set one such as http://127.0.0.1:4650/oauth/callback, and register it with Nextcloud; or serve HTTP with --http PORT.",
    )
  if (port === undefined || ("people" in mode && mode.people !== undefined)) return
  const publicAddress = reachedFromElsewhere(settings.pages)
  if (publicAddress === undefined) return
  const advice =
    "Listen on 127.0.0.1 and leave out the public address; or set OIDC_DISCOVERY_URL, OIDC_CLIENT_ID and " +
    "OIDC_CLIENT_SECRET, so that people sign in and connect their own accounts."
  throw wrongUse(
    mode.kind === "single"
      ? `Everyone who can reach ${publicAddress} would act as the account ${mode.username} of your Nextcloud.`
      : `Everyone who can reach ${publicAddress} would be taken for the person at this machine.`,
    mode.kind === "single" ? `${advice} Then unset NEXTCLOUD_USERNAME and NEXTCLOUD_PASSWORD.` : advice,
  )
}

/** Copies the peer server's variables to ours. Values are trimmed: lines of env files may end in a space or in CR. */
function withOurNames(variables: Call["io"]["env"]): Call["io"]["env"] {
  const env = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, ownVariables.test(name) ? value?.trim() : value]),
  )
  return {
    ...env,
    HOLDPOINT_DATABASE: env.HOLDPOINT_DATABASE || env.TOKEN_STORAGE_DB,
    HOLDPOINT_KEYS: env.HOLDPOINT_KEYS || env.TOKEN_ENCRYPTION_KEY,
    HOLDPOINT_PUBLIC_URL: env.HOLDPOINT_PUBLIC_URL || env.NEXTCLOUD_MCP_SERVER_URL?.replace(/\/mcp\/?$/, ""),
  }
}

const ownVariables = /^(?:HOLDPOINT|TOKEN|ELICITATION|NEXTCLOUD)_|^DATABASE_URL$/
