// Settings of the Nextcloud server, from the file's section `nextcloud`, the environment and the flags; later sources
// win. The mode follows from them. Contradictory settings stop the start with what to write instead.

import { HoldpointError, type Problem } from "@holdpoint/hub"
import type { OwnAccountRule } from "@holdpoint/hub/internal"
import type { UrlWay } from "@holdpoint/mcp"
import type { Policy, Toolset } from "@holdpoint/nextcloud"
import { defaultToolsets, isPolicy, toolsets } from "@holdpoint/nextcloud"
import { suggest } from "../section.ts"
import { wrongUse } from "../wrong-use.ts"
import type { NextcloudConfig } from "./section.ts"

export interface NextcloudSettings {
  readonly url: string
  readonly name: string
  readonly mode: Mode
  readonly toolsets: ReadonlySet<Toolset>
  readonly readOnly: boolean
  readonly confirm: Readonly<Record<string, Policy>>
  readonly lifetimeMs: number
  readonly ownAccount: OwnAccountRule
  readonly urlWay: UrlWay
  readonly drafts: boolean
}

export type Mode =
  | { readonly kind: "single"; readonly username: string; readonly password: string }
  | { readonly kind: "offline"; readonly access: AccessBy; readonly people: OidcClient | undefined }
  | {
      readonly kind: "pass-through"
      readonly people: OidcClient
      readonly audience: string
      readonly forwardsTokens: boolean
    }

/** How a person's account is connected. */
export type AccessBy =
  | { readonly by: "login_flow" }
  | { readonly by: "oauth"; readonly clientId: string; readonly clientSecret: string }
  | { readonly by: "oidc"; readonly clientId: string; readonly clientSecret: string; readonly issuer: string }

export interface OidcClient {
  readonly clientId: string
  readonly clientSecret?: string
  /** The issuer that the provider's metadata must state. */
  readonly issuer: string
  /** The URL of its metadata. */
  readonly discovery: string
}

type Environment = Readonly<Record<string, string | undefined>>

export interface Sources {
  readonly file: NextcloudConfig
  readonly env: Environment
  readonly flags: { readonly host?: string; readonly tools?: string; readonly readOnly?: boolean }
}

export function toNextcloudSettings({ file, env, flags }: Sources): NextcloudSettings {
  refuseMisleading(env)
  const problems: Problem[] = []
  const drafts = flagIn(env, "NEXTCLOUD_DRAFTS") ?? file.drafts ?? false
  const urlWay = textIn(env, "NEXTCLOUD_URL_WAY") ?? file.urlWay ?? (drafts ? "error" : "push")
  const url = toUrl(flags.host ?? textIn(env, "NEXTCLOUD_HOST") ?? file.host)
  const settings = {
    url,
    name: file.name ?? "Nextcloud tools",
    mode: toMode({ file, env, flags }, url),
    toolsets: toToolsets(flags.tools?.split(",") ?? file.tools, problems),
    readOnly: flags.readOnly ?? file.readOnly ?? false,
    confirm: toConfirm(file.confirm ?? {}, problems),
    lifetimeMs: toSeconds(env, file, problems) * 1000,
    ownAccount: toOwnAccount(textIn(env, "NEXTCLOUD_OWN_ACCOUNT") ?? file.ownAccount ?? "required", problems),
    urlWay: toUrlWay(urlWay, { drafts, problems }),
    drafts,
  }
  if (problems.length === 0) return settings
  throw new HoldpointError("invalid_config", "The Nextcloud server cannot be started with these settings.", {
    problems,
  })
}

const urlWays: readonly string[] = ["push", "error"]

function toUrlWay(
  value: string,
  { drafts, problems }: { readonly drafts: boolean; readonly problems: Problem[] },
): UrlWay {
  const path = "NEXTCLOUD_URL_WAY"
  if (!urlWays.includes(value))
    problems.push({
      path,
      message: `“${value}” is not a way to send people to a page.`,
      suggestion: suggest(value, urlWays),
    })
  else if (drafts && value === "push")
    problems.push({
      path,
      message: "is push, but clients of the drafts know only error.",
      suggestion: "Write error, or leave it out.",
    })
  return value as UrlWay
}

/** Variables of nextcloud-mcp-server that would mislead if they were ignored, and what to set instead. */
const misleadingVariables: Readonly<Record<string, string>> = {
  ENABLE_PROGRESSIVE_CONSENT: "Consent is always asked for when it is needed: remove the variable.",
  MCP_SERVER_CLIENT_ID: "Write OIDC_CLIENT_ID (and OIDC_CLIENT_SECRET) instead.",
  MCP_SERVER_CLIENT_SECRET: "Write OIDC_CLIENT_SECRET instead.",
}

function refuseMisleading(env: Environment): void {
  const problems = Object.entries(misleadingVariables)
    .filter(([name]) => textIn(env, name) !== undefined)
    .map(([name, message]) => ({ path: name, message: `has no meaning here. ${message}` }))
  if (problems.length > 0)
    throw new HoldpointError(
      "invalid_config",
      "The environment has variables of nextcloud-mcp-server that have no meaning here.",
      { problems },
    )
}

function toUrl(hostText: string | undefined): string {
  if (hostText === undefined)
    throw wrongUse("Which Nextcloud?", "Write --host https://cloud.example.org, or set NEXTCLOUD_HOST.")
  // Removes quotes around the value: some readers of env files keep them.
  const host = hostText.trim().replace(/^(["'])(.*)\1$/, "$2")
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw wrongUse(`“${host}” is not the address of a Nextcloud.`, "Write it as https://cloud.example.org.")
  if (url.username !== "" || url.password !== "")
    throw wrongUse(
      "The address contains a user name or a password.",
      "Set NEXTCLOUD_USERNAME and NEXTCLOUD_PASSWORD instead.",
    )
  // An address that was copied from a browser names a page after index.php: removes both.
  return `${url.origin}${url.pathname}`.replace(/\/index\.php(?:\/.*)?$/, "").replace(/\/+$/, "")
}

function toMode(sources: Sources, url: string): Mode {
  const { file, env } = sources
  const oidc = oidcOf(file, env, url)
  const isOffline = flagIn(env, "ENABLE_OFFLINE_ACCESS") ?? file.offlineAccess
  const forwardsTokens = flagIn(env, "NEXTCLOUD_HAND_ON_TOKENS") ?? file.handOnTokens ?? false
  const single = singleOf(env, oidc, isOffline)
  if (forwardsTokens && (single !== undefined || isOffline !== false))
    throw wrongUse(
      "NEXTCLOUD_HAND_ON_TOKENS is for callers' tokens, which are used only with ENABLE_OFFLINE_ACCESS=false.",
      "Unset it, or set ENABLE_OFFLINE_ACCESS=false and an identity provider.",
    )
  if (single !== undefined) return single
  if (isOffline ?? true) return { kind: "offline", access: accessOf(file, env, oidc, url), people: oidc }
  if (oidc === undefined)
    throw wrongUse(
      "ENABLE_OFFLINE_ACCESS=false needs an identity provider whose tokens can be exchanged, or one account for all.",
      "Set OIDC_DISCOVERY_URL, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; or NEXTCLOUD_USERNAME and NEXTCLOUD_PASSWORD; or " +
        "unset it, and each person connects their own account.",
    )
  return {
    kind: "pass-through",
    people: oidc,
    audience: textIn(env, "NEXTCLOUD_AUDIENCE") ?? file.audience ?? url,
    forwardsTokens,
  }
}

/** The mode with one account for all, if its user name or its password is set. */
function singleOf(env: Environment, oidc: OidcClient | undefined, isOffline: boolean | undefined): Mode | undefined {
  const [username, password] = [textIn(env, "NEXTCLOUD_USERNAME"), textIn(env, "NEXTCLOUD_PASSWORD")]
  if (username === undefined && password === undefined) return undefined
  if (username === undefined || password === undefined) {
    const missing = username === undefined ? "NEXTCLOUD_USERNAME" : "NEXTCLOUD_PASSWORD"
    throw wrongUse(
      `${missing} is missing.`,
      "Set both for one account, or neither to let each person connect their own.",
    )
  }
  const otherVariable =
    isOffline === true ? "ENABLE_OFFLINE_ACCESS=true" : oidc === undefined ? undefined : "OIDC_CLIENT_ID"
  if (otherVariable !== undefined)
    throw wrongUse(
      `NEXTCLOUD_USERNAME with NEXTCLOUD_PASSWORD is one account for all; ${otherVariable} is for people with an account each.`,
      "Remove one of them.",
    )
  return { kind: "single", username, password }
}

/** How people connect accounts. Nextcloud's own provider can also grant access; any other only identifies people. */
function accessOf(file: NextcloudConfig, env: Environment, oidc: OidcClient | undefined, url: string): AccessBy {
  const clientId = textIn(env, "NEXTCLOUD_OAUTH_CLIENT_ID") ?? file.oauth?.clientId
  const clientSecret = textIn(env, "NEXTCLOUD_OAUTH_CLIENT_SECRET") ?? file.oauth?.clientSecret
  if (clientId !== undefined) {
    if (clientSecret !== undefined) return { by: "oauth", clientId, clientSecret }
    throw wrongUse("A client of Nextcloud's OAuth 2 app needs its secret.", "Set NEXTCLOUD_OAUTH_CLIENT_SECRET too.")
  }
  if (oidc?.clientSecret !== undefined && oidc.issuer === url)
    return { by: "oidc", clientId: oidc.clientId, clientSecret: oidc.clientSecret, issuer: oidc.issuer }
  return { by: "login_flow" }
}

function oidcOf(file: NextcloudConfig, env: Environment, url: string): OidcClient | undefined {
  const clientId = textIn(env, "OIDC_CLIENT_ID") ?? file.oidc?.clientId
  const discovery = textIn(env, "OIDC_DISCOVERY_URL") ?? file.oidc?.discoveryUrl
  if (clientId === undefined) {
    if (discovery === undefined) return undefined
    throw wrongUse("OIDC_DISCOVERY_URL names a provider, but there is no client for it.", "Set OIDC_CLIENT_ID too.")
  }
  const clientSecret = textIn(env, "OIDC_CLIENT_SECRET") ?? file.oidc?.clientSecret
  return { clientId, ...toIssuer(discovery ?? url), ...(clientSecret === undefined ? {} : { clientSecret }) }
}

/** Accepts the metadata's URL or the issuer; Nextcloud's own provider serves its metadata at several paths. */
function toIssuer(address: string): Pick<OidcClient, "issuer" | "discovery"> {
  const issuer = address
    .replace(/\/\.well-known\/.*$/, "")
    .replace(/(?:\/index\.php)?\/apps\/oidc\/openid-configuration\/?$/, "")
    .replace(/\/index\.php\/?$/, "")
    .replace(/\/+$/, "")
  const url = URL.parse(issuer)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw wrongUse(
      "OIDC_DISCOVERY_URL is not the address of a provider.",
      "Write it as https://login.example.org/.well-known/openid-configuration.",
    )
  return { issuer, discovery: address.includes("openid-configuration") ? address : `${issuer}${wellKnown}` }
}

export const wellKnown = "/.well-known/openid-configuration"

function toToolsets(requestedNames: readonly string[] | undefined, problems: Problem[]): ReadonlySet<Toolset> {
  const names: readonly string[] = requestedNames?.map((name) => name.trim()).filter(Boolean) ?? defaultToolsets
  if (names.includes("all")) return new Set(toolsets)
  for (const name of names) {
    if (isToolset(name) || name === "default") continue
    const suggestion = suggest(name, [...toolsets, "default", "all"])
    problems.push({ path: `--tools ${name}`, message: "is not a toolset.", suggestion })
  }
  return new Set(names.flatMap((name) => (name === "default" ? defaultToolsets : isToolset(name) ? [name] : [])))
}

const isToolset = (name: string): name is Toolset => toolsets.some((toolset) => toolset === name)

function toConfirm(entries: Readonly<Record<string, unknown>>, problems: Problem[]): Readonly<Record<string, Policy>> {
  const policies = Object.entries(entries).flatMap(([name, policy]) => {
    if (isPolicy(policy)) return [[name, policy] as const]
    problems.push({ path: `nextcloud.confirm.${name}`, message: "must be never, once or always." })
    return []
  })
  return Object.fromEntries(policies)
}

function toSeconds(env: Environment, file: NextcloudConfig, problems: Problem[]): number {
  const value = textIn(env, "ELICITATION_TIMEOUT_SECONDS") ?? file.timeoutSeconds ?? 300
  const seconds = Number(value)
  if (Number.isInteger(seconds) && seconds >= 10 && seconds <= 86_400) return seconds
  problems.push({ path: "ELICITATION_TIMEOUT_SECONDS", message: "must be a whole number between 10 and 86400." })
  return 300
}

const ownAccountRules: readonly OwnAccountRule[] = ["required", "confirm", "off"]

function toOwnAccount(value: string, problems: Problem[]): OwnAccountRule {
  const match = ownAccountRules.find((rule) => rule === value)
  if (match !== undefined) return match
  const suggestion = suggest(value, ownAccountRules)
  problems.push({ path: "NEXTCLOUD_OWN_ACCOUNT", message: "must be required, confirm or off.", suggestion })
  return "required"
}

/** An empty variable counts as unset. */
const textIn = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined

function flagIn(env: Environment, name: string): boolean | undefined {
  const text = textIn(env, name)
  if (text === undefined) return undefined
  if (/^(true|1|yes|on)$/i.test(text)) return true
  if (/^(false|0|no|off)$/i.test(text)) return false
  throw wrongUse(`${name} is “${text}”.`, "Write true or false.")
}
