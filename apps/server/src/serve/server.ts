// Everything in one process: hub, vault, sign-in and pages on one address. Whoever starts it opens the storage before
// and closes it after.

import type { Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Addresses, Hub, HubOptions, Runtime, Storage } from "@holdpoint/sdk"
import { createAddresses, createHub, HoldpointError, inbox, paths, systemRuntime } from "@holdpoint/sdk"
import type { AuthorizationOptions, AuthorizationServer } from "@holdpoint/sdk/authorization"
import { createAuthorizationServer } from "@holdpoint/sdk/authorization"
import type { Pages, PagesOptions } from "@holdpoint/sdk/http"
import { createPages, problemPage } from "@holdpoint/sdk/http"
import type { Identity, IdentityProvider, LocalIdentity } from "@holdpoint/sdk/identity"
import { createIdentity, createLocalIdentity } from "@holdpoint/sdk/identity"
import type { Sealer } from "@holdpoint/sdk/sealing"
import type { ConsentOptions, Fetch, Provider, Vault, VaultTimes } from "@holdpoint/sdk/vault"
import { apiLimits, createGuardedFetch, createVault, metadataLimits } from "@holdpoint/sdk/vault"
import { getRequestListener } from "@hono/node-server"
import type { EmbeddedIdp } from "../idp/index.ts"
import { createEmbeddedIdp } from "../idp/index.ts"
import { isLoopback } from "../loopback.ts"
import { createHttpServer, type Listener, type WaitingServer } from "./http-server.ts"

export interface ServerOptions {
  readonly storage: Storage
  readonly sealer: Sealer
  readonly providers: readonly Provider[]
  /** Who people are. `embedded` brings alice and bob; `local` is the person at this machine. */
  readonly people:
    | { readonly from: "embedded" }
    | { readonly from: "providers"; readonly providers: readonly IdentityProvider[] }
    | { readonly from: "local"; readonly user: string; readonly tenant?: string; readonly secret: Uint8Array }
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  /** Made by the caller before, and closed by the caller: a server of HTTP that listens already, and a hub. */
  readonly existing?: { readonly waiting: WaitingServer; readonly hub: Hub }
  /** How people reach it, when something stands in front of it. */
  readonly publicUrl?: string
  readonly network?: { readonly allowLoopback?: boolean; readonly alsoAllow?: readonly string[] }
  readonly hub?: Partial<Pick<HubOptions, "limits" | "retention" | "outlets">>
  readonly consent?: ConsentOptions
  readonly vaultTimes?: Partial<VaultTimes>
  readonly pages?: PageOptions | ((publicUrl: string) => PageOptions)
  /** The built-in authorization server, for programs that call servers in the name of people who sign in here. */
  readonly authorization?: AuthorizationSettings | ((publicUrl: string) => AuthorizationSettings)
  /** Something of yours on the same address: an MCP server, for example. */
  readonly mount?: (made: Made) => Mounted
  readonly runtime?: Runtime
  readonly report?: (doing: string, error: unknown) => void
}

type PageOptions = Partial<
  Pick<PagesOptions, "returnTargets" | "openers" | "adminRole" | "alsoHosts" | "tokens" | "choices">
>

/** What is there to build on. */
export interface Made {
  readonly publicUrl: string
  readonly addresses: Addresses
  readonly hub: Hub
  readonly vault: Vault
  readonly identity: Identity | LocalIdentity
  readonly authorization?: AuthorizationServer
  /** Guarded, for metadata and keys. */
  readonly fetch: Fetch
}

export interface Mounted {
  /** Whether requests for this path are its own. Asked before the pages are. */
  handles(path: string): boolean
  fetch(request: Request): Promise<Response>
  /** Called before the hub is closed. */
  close?(): Promise<void>
}

export type AuthorizationSettings = Pick<
  AuthorizationOptions,
  "resources" | "clients" | "metadataDocuments" | "registration" | "requestsPerMinute"
> &
  /** Guarded like everything else unless given. */
  Partial<Pick<AuthorizationOptions, "fetch">>

export interface Server {
  readonly publicUrl: string
  readonly addresses: Addresses
  /** Where it listens itself, when something stands in front of it. */
  readonly address: string
  readonly hub: Hub
  readonly vault: Vault
  readonly identity: Identity | LocalIdentity
  readonly authorization?: AuthorizationServer
  /** To be said at the start. */
  readonly warning?: string
  close(): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<Server> {
  // Whoever reaches the port is taken for the person at this machine, or knows the password: nobody else may reach it.
  const where = `http://${toHost(options.host)}`
  if (options.people.from === "local") assertLoopback(where, "Local mode listens here only")
  if (options.people.from === "embedded") assertLoopback(where, "The sign-in of alice and bob listens here only")
  const { existing } = options
  const waiting = existing?.waiting ?? createHttpServer()
  if (existing === undefined) await listen(waiting.http, options)
  try {
    return await compose(waiting, options)
  } catch (error) {
    waiting.giveUp()
    if (existing === undefined) waiting.http.close()
    throw error
  }
}

async function compose({ http, answer }: WaitingServer, options: ServerOptions): Promise<Server> {
  const { storage, sealer, providers, runtime = systemRuntime, network = {} } = options
  const address = addressOf(http, options.host)
  const publicUrl = (options.publicUrl ?? address).replace(/\/+$/, "")
  const reporting = options.report === undefined ? {} : { report: options.report }
  // Whoever takes the people for trying out is developing: their identity provider is on this machine.
  const guarded = { ...network, allowLoopback: network.allowLoopback ?? options.people.from === "embedded" }
  const fetch = createGuardedFetch({ ...metadataLimits, ...guarded })
  // Before anything runs in the background: what is refused here leaves nothing behind.
  const redirectUris = [createAddresses(publicUrl).to(paths.signInReturn)]
  const idp = options.people.from === "embedded" ? createEmbeddedIdp({ publicUrl, redirectUris }) : undefined
  const { identity, addresses } = toIdentity(options, { publicUrl, fetch, runtime, idp })
  const own = options.existing === undefined
  const hub = options.existing?.hub ?? createHub({ storage, outlets: [inbox()], runtime, ...reporting, ...options.hub })
  const vault = await orClose([hub], () =>
    createVault({
      ...{ storage, sealer, providers, addresses, fetch, runtime, questions: hub },
      apiFetch: createGuardedFetch({ ...apiLimits, ...guarded }),
      ...(options.consent === undefined ? {} : { consent: options.consent }),
      ...(options.vaultTimes === undefined ? {} : { times: options.vaultTimes }),
      ...reporting,
    }),
  )
  const authorization = await orClose([vault, hub], () => toAuthorization(options, { publicUrl, fetch, runtime }))
  const authorizing = authorization === undefined ? {} : { authorization }
  const { callbackUrl } = options.consent ?? {}
  const callback = callbackUrl === undefined ? {} : { callbackUrl }
  const pages = await orClose([vault, hub], () =>
    createPages({
      ...{ hub, vault, identity, addresses, runtime, demo: idp !== undefined },
      ...reporting,
      ...callback,
      ...authorizing,
      ...(typeof options.pages === "function" ? options.pages(publicUrl) : options.pages),
    }),
  )
  const mounted = await orClose([vault, hub], () =>
    options.mount?.({ publicUrl, addresses, hub, vault, identity, fetch, ...authorizing }),
  )
  answer(toListener(pages, { idp, authorization, mounted }))
  const stopSweeping = sweepRegularly(identity, runtime, options.report ?? (() => {}))
  return {
    publicUrl,
    addresses,
    address,
    hub,
    vault,
    identity,
    ...authorizing,
    ...(idp === undefined ? {} : { warning: idp.warning }),
    async close() {
      stopSweeping()
      // Nobody new comes in; whoever is being answered still is.
      const closed = new Promise<void>((resolve) => http.close(() => resolve()))
      await mounted?.close?.()
      await vault.close()
      if (own) await hub.close()
      // Server events stay open for as long as a page is: they do not keep the server from ending.
      http.closeAllConnections()
      await closed
    },
  }
}

/** What runs in the background already must not outlive what could not be put together. */
async function orClose<T>(running: readonly { close(): Promise<void> }[], make: () => T | Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    for (const one of running) await one.close()
    throw error
  }
}

function toIdentity(
  { storage, sealer, people, report }: ServerOptions,
  made: {
    readonly publicUrl: string
    readonly fetch: Fetch
    readonly runtime: Runtime
    readonly idp: EmbeddedIdp | undefined
  },
): { readonly identity: Identity | LocalIdentity; readonly addresses: Addresses } {
  const { publicUrl, fetch, runtime, idp } = made
  if (people.from === "local") {
    const { from: _from, ...person } = people
    assertLoopback(publicUrl, "Local mode is for the person at this machine")
    const identity = createLocalIdentity({ storage, runtime, ...person })
    return { identity, addresses: createAddresses(publicUrl, identity) }
  }
  const providers = people.from === "providers" ? people.providers : idp === undefined ? [] : [embeddedProvider(idp)]
  const reporting = report === undefined ? {} : { report }
  const addresses = createAddresses(publicUrl)
  return {
    addresses,
    identity: createIdentity({ storage, sealer, providers, addresses, fetch, runtime, ...reporting }),
  }
}

const embeddedProvider = ({ issuer, client }: EmbeddedIdp): IdentityProvider => ({
  id: "embedded",
  name: "this machine (for trying out)",
  issuer,
  client,
  tenant: "local",
  roles: { claim: "roles" },
})

interface Beside {
  readonly idp: EmbeddedIdp | undefined
  readonly authorization: AuthorizationServer | undefined
  readonly mounted: Mounted | undefined
}

function toListener(pages: Pages, { idp, authorization, mounted }: Beside): Listener {
  const listener = getRequestListener((request) => pages.fetch(request))
  const beside = mounted === undefined ? undefined : getRequestListener((request) => mounted.fetch(request))
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?")
    if (authorization?.handles(path)) return authorization.listener(request, response)
    if (beside !== undefined && mounted?.handles(path)) return void beside(request, response)
    if (idp?.handle(request, response) !== true) void listener(request, response)
  }
}

async function toAuthorization(
  { authorization, storage, sealer, people, report }: ServerOptions,
  made: { readonly publicUrl: string; readonly fetch: Fetch; readonly runtime: Runtime },
): Promise<AuthorizationServer | undefined> {
  if (authorization === undefined) return undefined
  if (people.from === "local")
    throw new HoldpointError(
      "invalid_config",
      "The built-in authorization server needs people who sign in, and in local mode nobody does. Set up an identity provider, or leave the authorization server out.",
    )
  const { publicUrl: issuer, fetch, runtime } = made
  const reporting = report === undefined ? {} : { report }
  return createAuthorizationServer({
    issuer,
    storage,
    sealer,
    fetch,
    runtime,
    problemPage,
    ...reporting,
    ...(typeof authorization === "function" ? authorization(issuer) : authorization),
  })
}

/** Sessions that have ended, and sign-ins that nobody finished, are removed some time later. */
function sweepRegularly(
  identity: Identity | LocalIdentity,
  runtime: Runtime,
  report: (doing: string, error: unknown) => void,
): () => void {
  if (!("sweep" in identity)) return () => {}
  const sweep = (): void => {
    identity.sweep().catch((error: unknown) => report("removing old sessions", error))
    stop = runtime.after(sweepEveryMs, sweep)
  }
  let stop = runtime.after(sweepEveryMs, sweep)
  return () => stop()
}

const sweepEveryMs = 10 * 60_000

function listen(http: HttpServer, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", reject)
    http.listen(port, host, () => {
      http.off("error", reject)
      resolve()
    })
  })
}

function addressOf(http: HttpServer, host: string): string {
  const { port } = http.address() as AddressInfo
  // As browsers write it: without the port where it is the usual one.
  return new URL(`http://${toHost(host)}:${port}`).origin
}

const toHost = (host: string): string => (host.includes(":") ? `[${host}]` : host)

function assertLoopback(address: string, what: string): void {
  if (isLoopback(address)) return
  throw new HoldpointError(
    "invalid_config",
    `${what}, and ${address} can be reached from others. Use a loopback address, or set up an identity provider.`,
  )
}
