// Over HTTP: the MCP server, the pages and, where people sign in, the authorization server, on one address.

import { randomBytes } from "node:crypto"
import type { Accounts } from "@holdpoint/nextcloud"
import { createNextcloudServer, createPolicies } from "@holdpoint/nextcloud"
import { type Addresses, HoldpointError, paths } from "@holdpoint/sdk"
import { createResourceServer, type IdentityProvider } from "@holdpoint/sdk/identity"
import { type Callers, createMcp } from "@holdpoint/sdk/mcp"
import type { Fetch } from "@holdpoint/sdk/vault"
import { createGuardedFetch, metadataLimits } from "@holdpoint/sdk/vault"
import type { Call, ExitCode } from "../command.ts"
import { inWords, isTaken, mostPorts } from "../serve/ports.ts"
import type { Made, Mounted, Server, ServerOptions } from "../serve/server.ts"
import { startServer } from "../serve/server.ts"
import { stopped, unlessStopped } from "../stopped.ts"
import { version } from "../version.ts"
import type { PassThrough } from "./accounts.ts"
import {
  createExchange,
  createOwn,
  createPassThrough,
  createSingle,
  networkOf,
  providerId,
  toIdentityClient,
  toProvider,
} from "./accounts.ts"
import { choicesOf } from "./choices.ts"
import { type Ground, openGround } from "./ground.ts"
import type { Plan } from "./place.ts"
import { askProvider } from "./provider.ts"
import type { Mode, OidcClient } from "./settings.ts"

/** What a client's token must allow. What of Nextcloud it may use, each person says themselves. */
export const useScope = "nextcloud.use"

export async function serveHttp(call: Call, given: Plan): Promise<ExitCode> {
  const plan = await unlessStopped(call.io.signal, withProvider(call, given))
  const report = (doing: string, error: unknown): void =>
    call.out.note(`holdpoint: ${doing} failed: ${error instanceof Error ? error.message : String(error)}`)
  const ground = await openGround(plan, report)
  try {
    const server = await start(call, plan, ground)
    try {
      tell(call, plan, server)
      await stopped(call.io.signal)
    } finally {
      await server.close()
    }
  } finally {
    await ground.storage.close()
  }
  return 0
}

/** What is wrong with the identity provider is said before anybody is told an address. */
async function withProvider({ out }: Call, plan: Plan): Promise<Plan> {
  const { nextcloud, settings } = plan
  const { mode } = nextcloud
  if (mode.kind === "single" || mode.people === undefined) return plan
  const fetch = createGuardedFetch({ ...metadataLimits, ...networkOf(nextcloud, settings) })
  const { client: people, warning } = await askProvider(mode.people, fetch)
  if (warning !== undefined) out.note(warning)
  if (mode.kind === "pass-through" && mode.handOn) out.note(handOnWarning)
  else if (mode.kind === "pass-through" && warning === undefined)
    await warnOfNoExchange(out, { ...mode, people }, fetch)
  return { ...plan, nextcloud: { ...nextcloud, mode: { ...mode, people } as Mode } }
}

const handOnWarning =
  "Callers' tokens are handed on to Nextcloud (NEXTCLOUD_HAND_ON_TOKENS). That is against the rule of MCP: whoever " +
  "gets hold of such a token, here or there, can use it in both places. Exchange tokens instead, where the provider can."

/** It may be switched on there while this runs: no reason not to start. */
async function warnOfNoExchange(out: Call["out"], mode: PassThrough, fetch: Fetch): Promise<void> {
  const exchange = await createExchange(mode, fetch)
  if ((await exchange.isOffered().catch(() => "unsaid")) !== "no") return
  out.note(
    `${mode.people.issuer} does not exchange tokens (RFC 8693): nobody gets access until that is switched on there.`,
  )
}

/** A port that is taken moves on to the next, unless somebody was told that it is this one: a provider, for example. */
async function start(call: Call, plan: Plan, ground: Ground): Promise<Server> {
  const { publicUrl, host } = plan.settings.pages
  const first = plan.port ?? 0
  for (let port = first; ; port++) {
    try {
      return await startServer(await toOptions(call, plan, ground, port))
    } catch (error) {
      const isFixed = publicUrl !== undefined || comesBack(plan)
      if (!isTaken(error) || isFixed || port - first >= mostPorts)
        throw inWords(error, host, port, { host: "--listen", port: "--http" })
      call.out.note(`Port ${port} is taken; trying ${port + 1}.`)
    }
  }
}

async function toOptions(call: Call, plan: Plan, ground: Ground, port: number): Promise<ServerOptions> {
  const { nextcloud, settings } = plan
  const { mode } = nextcloud
  const { publicUrl, host, callbackUrl, returnTargets, openers } = settings.pages
  const client = mode.kind === "single" ? undefined : mode.people
  const { subject: user, tenant } = settings.me
  const network = networkOf(nextcloud, settings)
  const passing =
    mode.kind === "pass-through"
      ? await createPassThrough(nextcloud, mode, createGuardedFetch({ ...metadataLimits, ...network }))
      : undefined
  return {
    ...{ storage: ground.storage, sealer: ground.sealer, report: ground.report, host, port, network },
    people:
      client === undefined
        ? { from: "local", user, tenant, secret: randomBytes(32) }
        : { from: "providers", providers: [toIdentityProvider(client, tenant)] },
    providers: mode.kind === "offline" ? [await toProvider(nextcloud, mode.access, callbackUrl)] : [],
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
    pages: { returnTargets, openers, choices: choicesOf(plan, ground), adminRole: false },
    ...(client === undefined || mode.kind === "pass-through" ? {} : { authorization: toAuthorization(plan) }),
    mount: (made) => mount(plan, ground, made, passing),
    runtime: call.io.runtime,
  }
}

const toIdentityProvider = (client: OidcClient, tenant: string): IdentityProvider => ({
  id: "oidc",
  name: new URL(client.issuer).host,
  issuer: client.issuer,
  client: toIdentityClient(client),
  tenant,
})

const toAuthorization =
  ({ nextcloud }: Plan) =>
  (publicUrl: string) => ({
    resources: [
      {
        resource: `${publicUrl}/mcp`,
        name: nextcloud.name,
        scopes: { [useScope]: "Use the Nextcloud tools in your name" },
      },
    ],
    registration: {},
  })

function mount(plan: Plan, ground: Ground, made: Made, passing: Accounts | undefined): Mounted {
  const { nextcloud } = plan
  const { hub, vault, addresses } = made
  const { mode } = nextcloud
  const accounts =
    passing ??
    (mode.kind === "single"
      ? createSingle(nextcloud, mode)
      : createOwn(nextcloud, { hub, addresses, vault: async () => vault }))
  return createMcp({
    ...{ hub, vault, addresses, storage: ground.storage, keys: ground.keys, report: ground.report },
    name: nextcloud.name,
    lifetimeMs: nextcloud.lifetimeMs,
    accessTools: false,
    callers: toCallers(plan, made),
    server: createNextcloudServer({
      ...{ name: "holdpoint-nextcloud", version: version(), url: nextcloud.url, accounts, report: ground.report },
      policies: createPolicies(nextcloud.confirm, choicesOf(plan, ground).kept),
      choice: { toolsets: nextcloud.toolsets, readOnly: nextcloud.readOnly },
    }),
  })
}

function toCallers({ nextcloud, settings }: Plan, { publicUrl, authorization, identity, fetch }: Made): Callers {
  const { tenant, subject } = settings.me
  const { mode } = nextcloud
  const resource = `${publicUrl}/mcp`
  if ("codeOf" in identity) return { local: { tenant, issuer: "local", subject } }
  // Many providers mark their access tokens as any JWT; ID tokens are told apart by what is in them.
  if (mode.kind === "pass-through") {
    const issuer = { issuer: mode.people.issuer, tenant, verify: { by: "jwt", typ: "JWT" } } as const
    return createResourceServer({ resource, issuers: [issuer], fetch })
  }
  if (authorization === undefined)
    throw new HoldpointError("invalid_config", "People sign in here, and there is no authorization server for clients.")
  const issuers = [authorization.tokenIssuer]
  return createResourceServer({ resource, issuers, scopes: [useScope], requires: [useScope], fetch })
}

function tell({ out, given }: Call, plan: Plan, { publicUrl, addresses, warning }: Server): void {
  if (warning !== undefined) out.note(warning)
  if (given.has("json"))
    return void out.json({ url: publicUrl, mcp: `${publicUrl}/mcp`, nextcloud: plan.nextcloud.url })
  out.say(`Tools for ${plan.nextcloud.url} are at ${publicUrl}/mcp (Ctrl-C ends it)`)
  out.say("")
  out.say("In Claude Code:  claude mcp add --transport http nextcloud ", `${publicUrl}/mcp`)
  out.say("Elsewhere:       ", JSON.stringify({ mcpServers: { nextcloud: { type: "http", url: `${publicUrl}/mcp` } } }))
  tellProvider(out, plan, addresses)
  const code = addresses.codeOf()
  if (code !== undefined) out.say("Your account:    ", `${addresses.home(paths.account)} (code ${code})`)
}

/** What an administrator registers, and where. */
function tellProvider(out: Call["out"], plan: Plan, addresses: Addresses): void {
  const { mode } = plan.nextcloud
  if (mode.kind === "pass-through")
    out.say("Callers bring:   ", `tokens of ${mode.people.issuer} for ${addresses.publicUrl}/mcp`)
  if (comesBack(plan))
    out.say("Redirects:       ", `${redirectsOf(plan, addresses).join(" and ")} (to be registered with the client)`)
}

/** Whether anybody is sent back here from elsewhere: then the address is known there. */
const comesBack = ({ nextcloud: { mode } }: Plan): boolean =>
  mode.kind !== "single" && (mode.people !== undefined || (mode.kind === "offline" && mode.access.by !== "login_flow"))

function redirectsOf({ nextcloud, settings }: Plan, addresses: Addresses): readonly string[] {
  const { mode } = nextcloud
  if (mode.kind === "single") return []
  const back = settings.pages.callbackUrl ?? addresses.to(paths.consentReturnOf, providerId)
  return [
    ...(mode.people === undefined ? [] : [addresses.to(paths.signInReturn)]),
    ...(mode.kind === "offline" && mode.access.by !== "login_flow" ? [back] : []),
  ]
}
