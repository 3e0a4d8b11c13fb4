// A stand-in for Nextcloud 32.0.1, for tests and demonstrations. Its statuses and shapes are recorded from a real
// server; its pages are simpler. It keeps everything in memory; saved-state.ts adds a file.

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { type Answer, createAnswer } from "./answer.ts"
import type { Area } from "./area.ts"
import { areas as allAreas } from "./areas.ts"
import { flowOf, grantFlow } from "./login.ts"
import { clientOf, grantClient, registerClient } from "./oauth2.ts"
import { grantOidc } from "./oidc/authorize.ts"
import { createOidcClient, type NewClient, type OidcClient, oidcOf } from "./oidc/store.ts"
import { seed } from "./seed.ts"
import { createWorld, type OAuthClient, type Switches, type World, type WorldOptions } from "./world.ts"

export interface StandInOptions extends WorldOptions {
  /** The path of a server in a subfolder: `/cloud`. */
  readonly path?: string
  /** Whether addresses without /index.php work, as with URL rewriting. */
  readonly pretty?: boolean
  /** More areas, called before the stand-in's own. */
  readonly areas?: readonly Area[]
  /** Host names that requests may use, besides localhost and IP addresses. */
  readonly trusted?: readonly string[]
}

export interface StandIn {
  /** The listener for a server of node:http. */
  readonly listener: RequestListener
  /** Handles a request without a network. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly world: World
  readonly switches: Switches
  /** All requests so far, as `POST /index.php/login/v2`. */
  readonly requests: readonly string[]
  /** Forgets the requests so far. */
  forget(): void
  /** Grants a login flow as this user, without a browser. `login` is the address of the flow's page. */
  grant(login: string, user: string): void
  /** Grants an authorization request as this user. Returns the redirect address with the code. */
  authorize(address: string, user: string): string
  registerClient(name: string, redirectUri: string): OAuthClient
  /** Registers a client of OpenID Connect. */
  registerOidcClient(client: NewClient): OidcClient
  /** What Settings > Security shows the user: the names of app passwords and tokens; with the secrets, for tests. */
  access(user: string): readonly { readonly name: string; readonly secret: string }[]
  /** Forgets failed logins. */
  forgive(): void
}

export interface RunningStandIn extends StandIn {
  /** The server's address with its path, without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

/** Creates a stand-in with the users alice, bob, carol, dora and admin, whose passwords are like `alice-Pass-2026`. */
export function createStandIn(options: StandInOptions = {}): StandIn {
  const { path = "", pretty = true, trusted = [] } = options
  const world = createWorld(options)
  if (world.seeded && options.from === undefined) seed(world)
  const requests: string[] = []
  const answer = createAnswer({
    world,
    path,
    pretty,
    trusted,
    areas: [...(options.areas ?? []), ...allAreas],
    requests,
  })

  return {
    listener: (request, response) => {
      listen(answer, request, response).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500)
        response.end(String(error))
      })
    },
    fetch: (request) => fetchFrom(answer, request),
    world,
    switches: world.switches,
    requests,
    forget: () => void requests.splice(0),
    grant(login, user) {
      const flow = flowOf(world, login.slice(login.lastIndexOf("/") + 1))
      if (flow === undefined) throw new Error("No login flow is open at this address.")
      grantFlow(world, flow, user)
    },
    authorize(address, user) {
      const query = new URL(address).searchParams
      const oidc = oidcOf(world).clients.get(query.get("client_id") ?? "")
      if (oidc !== undefined) return grantOidc(world, { client: oidc, user, query })
      const client = clientOf(world, query.get("client_id"))
      if (client === undefined) throw new Error("No client has this id.")
      return grantClient(world, { client, user, stateParameter: query.get("state") ?? "" })
    },
    registerClient: (name, redirectUri) => registerClient(world, name, redirectUri),
    registerOidcClient: (client) => createOidcClient(world, client),
    access: (user) => [...world.tokens].filter((token) => token.user === user),
    forgive: () => world.forgive(),
  }
}

export async function startStandIn(
  options: StandInOptions & { readonly port?: number; readonly host?: string } = {},
): Promise<RunningStandIn> {
  const { port = 0, host = "127.0.0.1", path = "" } = options
  const standIn = createStandIn(options)
  const server = createServer(standIn.listener)
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  const urlHost = host.includes(":") ? `[${host}]` : host
  return {
    ...standIn,
    url: `http://${urlHost}:${(server.address() as AddressInfo).port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function listen(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headersDistinct)) headers.set(name, value?.join(", ") ?? "")
  const reply = await answer({
    method: request.method ?? "GET",
    target: request.url ?? "/",
    origin: `http://${request.headers.host ?? "localhost"}`,
    headers,
    read: async () => new Uint8Array(await buffer(request)),
  })
  if (reply === "hang") return
  if (reply === "reset") return void response.destroy()
  const body = reply.body === undefined ? undefined : Buffer.from(reply.body)
  response.writeHead(reply.status, { ...reply.headers, ...length(reply.status, body) })
  response.end(request.method === "HEAD" ? undefined : body)
}

const length = (status: number, body: Buffer | undefined) =>
  status === 204 || status === 304 ? {} : { "content-length": body?.length ?? 0 }

async function fetchFrom(answer: Answer, request: Request): Promise<Response> {
  const { pathname, search, origin } = new URL(request.url)
  const reply = await answer({
    method: request.method,
    target: `${pathname}${search}`,
    origin,
    headers: request.headers,
    read: async () => new Uint8Array(await request.arrayBuffer()),
  })
  if (reply === "hang") return new Promise(() => {})
  if (reply === "reset") throw new TypeError("fetch failed")
  const bodiless = request.method === "HEAD" || [204, 205, 304].includes(reply.status)
  const body = bodiless || reply.body === undefined ? null : new Uint8Array(Buffer.from(reply.body))
  return new Response(body, { status: reply.status, headers: { ...reply.headers } })
}
