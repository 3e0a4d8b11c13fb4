// Over HTTP: the MCP server, the pages and, where people sign in, the authorization server, on one address.

import { randomBytes } from "node:crypto"
import { createNextcloudServer, createPolicies } from "@holdpoint/nextcloud"
import { HoldpointError } from "holdpoint"
import { createResourceServer, type IdentityProvider } from "holdpoint/identity"
import { type Callers, createMcp } from "holdpoint/mcp"
import type { Call, ExitCode } from "../command.ts"
import { inWords, isTaken, mostPorts } from "../serve/ports.ts"
import type { Made, Mounted, Server, ServerOptions } from "../serve/server.ts"
import { startServer } from "../serve/server.ts"
import { stopped } from "../stopped.ts"
import { version } from "../version.ts"
import { createOwn, createSingle, networkOf, toProvider } from "./accounts.ts"
import { choicesOf } from "./choices.ts"
import { type Ground, openGround } from "./ground.ts"
import type { Plan } from "./place.ts"
import type { OidcClient } from "./settings.ts"

/** What a client's token must allow. What of Nextcloud it may use, each person says themselves. */
export const useScope = "nextcloud.use"

export async function serveHttp(call: Call, plan: Plan): Promise<ExitCode> {
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

/** A port that is taken moves on to the next, unless somebody is told that it is this one. */
async function start(call: Call, plan: Plan, ground: Ground): Promise<Server> {
  const { publicUrl, host } = plan.settings.pages
  const first = plan.port ?? 0
  for (let port = first; ; port++) {
    try {
      return await startServer(await toOptions(call, plan, ground, port))
    } catch (error) {
      if (!isTaken(error) || publicUrl !== undefined || port - first >= mostPorts) throw inWords(error, host, port)
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
  return {
    ...{ storage: ground.storage, sealer: ground.sealer, report: ground.report, host, port },
    people:
      client === undefined
        ? { from: "local", user, tenant, secret: randomBytes(32) }
        : { from: "providers", providers: [toIdentityProvider(client, tenant)] },
    providers: mode.kind === "offline" ? [await toProvider(nextcloud, mode.access)] : [],
    network: networkOf(nextcloud, settings),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
    pages: { returnTargets, openers, choices: choicesOf(plan, ground) },
    ...(client === undefined || mode.kind === "pass-through" ? {} : { authorization: toAuthorization(plan) }),
    mount: (made) => mount(plan, ground, made),
    runtime: call.io.runtime,
  }
}

const toIdentityProvider = (client: OidcClient, tenant: string): IdentityProvider => ({
  id: "oidc",
  name: new URL(client.issuer).host,
  issuer: client.issuer,
  client: { id: client.clientId, ...(client.clientSecret === undefined ? {} : { secret: client.clientSecret }) },
  tenant,
})

const toAuthorization =
  ({ nextcloud }: Plan) =>
  (publicUrl: string) => ({
    resources: [
      {
        resource: `${publicUrl}/mcp`,
        name: nextcloud.name,
        scopes: { [useScope]: "use the Nextcloud tools in your name" },
      },
    ],
    registration: {},
  })

function mount(plan: Plan, ground: Ground, made: Made): Mounted {
  const { nextcloud } = plan
  const { hub, vault, publicUrl } = made
  const { mode } = nextcloud
  const accounts =
    mode.kind === "single" ? createSingle(nextcloud, mode) : createOwn(nextcloud, { hub, vault: async () => vault })
  return createMcp({
    ...{ hub, vault, publicUrl, storage: ground.storage, keys: ground.keys, report: ground.report },
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

function toCallers({ settings }: Plan, { publicUrl, authorization, identity, fetch }: Made): Callers {
  const { tenant, subject } = settings.me
  if ("codeOf" in identity) return { local: { tenant, issuer: "local", subject }, codeOf: identity.codeOf }
  if (authorization === undefined)
    throw new HoldpointError("invalid_config", "People sign in here, and there is no authorization server for clients.")
  return createResourceServer({
    resource: `${publicUrl}/mcp`,
    issuers: [authorization.tokenIssuer],
    scopes: [useScope],
    requires: [useScope],
    fetch,
  })
}

function tell({ out }: Call, { nextcloud }: Plan, { publicUrl, warning }: Server): void {
  if (warning !== undefined) out.note(warning)
  out.say(`Tools for ${nextcloud.url} are at ${publicUrl}/mcp (Ctrl-C ends it)`)
  out.say("")
  out.say("In Claude Code:  claude mcp add --transport http nextcloud ", `${publicUrl}/mcp`)
  out.say("Elsewhere:       ", JSON.stringify({ mcpServers: { nextcloud: { type: "http", url: `${publicUrl}/mcp` } } }))
}
