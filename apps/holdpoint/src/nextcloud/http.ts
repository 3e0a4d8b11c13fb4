// Serves HTTP on one address: the MCP server, the pages and, where people sign in, the authorization server.

import { createGuardedFetch, metadataLimits } from "@holdpoint/fetching/internal"
import { type Addresses, paths } from "@holdpoint/hub"
import type { Fetch, Mount } from "@holdpoint/hub/internal"
import { type Callers, createMcp } from "@holdpoint/mcp"
import type { Accounts } from "@holdpoint/nextcloud"
import type { AuthorizationSettings, Site } from "@holdpoint/server"
import type { PageChoices } from "@holdpoint/server/http"
import { createResourceServer, type IdentityProvider } from "@holdpoint/server/identity"
import type { Call, ExitCode } from "../command.ts"
import { printHttpClients } from "../serve/client-line.ts"
import { type ServedParts, serveOneAddress } from "../serve/one-address.ts"
import type { Server } from "../serve/server.ts"
import type { ServerStorage } from "../serve/storage.ts"
import { unlessStopped } from "../stop-signal.ts"
import type { PassThrough } from "./accounts.ts"
import {
  createExchange,
  createPassThrough,
  createPersonalAccounts,
  createSingle,
  networkOf,
  providerId,
  toIdentityClient,
  toProvider,
} from "./accounts.ts"
import { choicesOf } from "./choices.ts"
import { toMcpOptions } from "./mcp-options.ts"
import { type Plan, usesDatabase } from "./plan.ts"
import { askProvider } from "./provider.ts"
import { reportReachability } from "./report-reachability.ts"
import type { Mode, OidcClient } from "./settings.ts"

/**
 * The scope that every client's token needs. Each person separately allows scopes of Nextcloud, such as `notes.read`.
 */
export const useScope = "nextcloud.use"

export async function serveHttp(call: Call, initialPlan: Plan): Promise<ExitCode> {
  const plan = await unlessStopped(call.io.signal, withProvider(call, initialPlan))
  const { mode } = plan.nextcloud
  const { settings, port = 0 } = plan
  const client = mode.kind === "single" ? undefined : mode.people
  const people =
    client === undefined
      ? {}
      : { people: { from: "providers" as const, providers: [toIdentityProvider(client, settings.me.tenant)] } }
  const address = { settings, port, usesDatabase: usesDatabase(plan, call.io.env), ...people }
  await serveOneAddress(call, address, {
    toServed: (storage) => toServed(plan, storage),
    onStart(server) {
      printAddresses(call, plan, server)
      // Not awaited: the report must not delay the server.
      if (call.io.stderr.isTTY === true) reportReachability(call, plan).catch(() => {})
    },
  })
  return 0
}

/** Returns the plan with the issuer that the identity provider states. Warns before any address is printed. */
async function withProvider({ out }: Call, plan: Plan): Promise<Plan> {
  const { nextcloud, settings } = plan
  const { mode } = nextcloud
  if (mode.kind === "single" || mode.people === undefined) return plan
  const fetch = createGuardedFetch({ ...metadataLimits, ...networkOf(nextcloud, settings) })
  const { client: people, warning } = await askProvider(mode.people, fetch)
  if (warning !== undefined) out.note(warning)
  if (mode.kind === "pass-through" && mode.forwardsTokens) out.note(handOnWarning)
  else if (mode.kind === "pass-through" && warning === undefined)
    await warnOfNoExchange(out, { ...mode, people }, fetch)
  return { ...plan, nextcloud: { ...nextcloud, mode: { ...mode, people } as Mode } }
}

const handOnWarning =
  "Callers' tokens are passed on to Nextcloud (NEXTCLOUD_HAND_ON_TOKENS). MCP forbids that: a token that leaks " +
  "from one server works at both. Use token exchange instead, if the provider supports it."

/** Warns instead of failing: an administrator may enable token exchange while the server runs. */
async function warnOfNoExchange(out: Call["out"], mode: PassThrough, fetch: Fetch): Promise<void> {
  const exchange = await createExchange(mode, fetch)
  if ((await exchange.isOffered().catch(() => "unsaid")) !== "no") return
  out.note(
    `${mode.people.issuer} does not exchange tokens (RFC 8693): callers get no access until that is enabled there.`,
  )
}

async function toServed(plan: Plan, storage: ServerStorage): Promise<ServedParts> {
  const { nextcloud, settings } = plan
  const { mode } = nextcloud
  const network = networkOf(nextcloud, settings)
  const choices = choicesOf(plan, storage)
  const passThroughAccounts =
    mode.kind === "pass-through"
      ? await createPassThrough(nextcloud, mode, createGuardedFetch({ ...metadataLimits, ...network }))
      : undefined
  return {
    network,
    providers: mode.kind === "offline" ? [await toProvider(nextcloud, mode.access, settings.pages.callbackUrl)] : [],
    pages: { choices },
    ...(mode.kind === "offline" && mode.people !== undefined ? { authorization: toAuthorization(plan) } : {}),
    mount: (site) => toMcp(plan, site, choices, passThroughAccounts),
  }
}

const toIdentityProvider = (client: OidcClient, tenant: string): IdentityProvider => ({
  id: "oidc",
  name: new URL(client.issuer).host,
  issuer: client.issuer,
  client: toIdentityClient(client),
  tenant,
})

const toAuthorization = ({ nextcloud }: Plan): AuthorizationSettings => ({
  resources: [
    { resource: paths.mcp, name: nextcloud.name, scopes: { [useScope]: "Use the Nextcloud tools in your name" } },
  ],
  registration: {},
})

function toMcp(plan: Plan, site: Site, choices: PageChoices, passThroughAccounts: Accounts | undefined): Mount {
  const { nextcloud } = plan
  const { mode } = nextcloud
  const createOwnAccounts = (): Accounts =>
    mode.kind === "single" ? createSingle(nextcloud, mode) : createPersonalAccounts(nextcloud, site)
  const accounts = passThroughAccounts ?? createOwnAccounts()
  const { report } = site
  return createMcp({ ...site, ...toMcpOptions(plan, { accounts, choices, report }), callers: toCallers(plan, site) })
}

function toCallers({ nextcloud, settings }: Plan, { addresses, callersAt, guardedFetch }: Site): Callers {
  const { mode } = nextcloud
  if (mode.kind !== "pass-through") return callersAt(paths.mcp)
  // Many providers type their access tokens as plain JWT; ID tokens are recognised by their claims.
  const verify = { by: "jwt", typ: "JWT" } as const
  const issuers = [{ issuer: mode.people.issuer, tenant: settings.me.tenant, verify }]
  return createResourceServer({ resource: addresses.to(paths.mcp), issuers, fetch: guardedFetch })
}

function printAddresses({ out, args }: Call, plan: Plan, server: Server): void {
  const { publicUrl, addresses, identity } = server
  const { nextcloud, settings } = plan
  const mcp = addresses.to(paths.mcp)
  const isLocal = "principal" in identity && nextcloud.mode.kind !== "pass-through"
  const localKeyFile = isLocal ? settings.localKeyFile : undefined
  if (args.has("json")) return void out.json({ url: publicUrl, mcp, nextcloud: nextcloud.url, localKeyFile })
  out.say(`Tools for ${nextcloud.url} are at ${mcp} (Ctrl-C ends it)`)
  out.say("")
  printHttpClients({ out }, { name: "nextcloud", mcp, keyFile: localKeyFile })
  printProvider(out, plan, addresses)
  const code = addresses.codeOf()
  if (code !== undefined) out.say("Your account:    ", `${addresses.home(paths.account)} (code ${code})`)
}

/** Prints the addresses that an administrator has to register at the identity provider. */
function printProvider(out: Call["out"], plan: Plan, addresses: Addresses): void {
  const { mode } = plan.nextcloud
  if (mode.kind === "pass-through")
    out.say("Callers bring:   ", `tokens of ${mode.people.issuer} for ${addresses.to(paths.mcp)}`)
  if (usesRedirect(plan))
    out.say("Redirects:       ", `${redirectsOf(plan, addresses).join(" and ")} (register for the OAuth client)`)
}

/** Whether a provider redirects people to this server, so that an administrator has to register the redirect URI. */
const usesRedirect = ({ nextcloud: { mode } }: Plan): boolean =>
  mode.kind !== "single" && (mode.people !== undefined || (mode.kind === "offline" && mode.access.by !== "login_flow"))

function redirectsOf({ nextcloud, settings }: Plan, addresses: Addresses): readonly string[] {
  const { mode } = nextcloud
  if (mode.kind === "single") return []
  const redirectUri = settings.pages.callbackUrl ?? addresses.to(paths.consentReturnOf, providerId)
  return [
    ...(mode.people === undefined ? [] : [addresses.to(paths.signInReturn)]),
    ...(mode.kind === "offline" && mode.access.by !== "login_flow" ? [redirectUri] : []),
  ]
}
