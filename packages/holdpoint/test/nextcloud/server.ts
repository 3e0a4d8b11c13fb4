// A stand-in for Nextcloud 32.0.1, as far as accounts need it. Its statuses and shapes are those that were recorded of a
// real one (recordings.jsonl, replayed by replay.test.ts); its pages are simpler, and nothing else of it exists.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type Call, type Route, readFields } from "./call.ts"
import { flowOf, grantFlow, loginRoutes } from "./login-routes.ts"
import { clientOf, grantClient, oauth2Routes, registerClient } from "./oauth2-routes.ts"
import { ocsFailure, ocsRoutes } from "./ocs-routes.ts"
import { errorPage, json } from "./pages.ts"
import {
  type BrowserSession,
  createState,
  type OAuthClient,
  type Reply,
  random,
  type State,
  type Switches,
} from "./state.ts"

export interface FakeNextcloud {
  /** With its path, without a slash at the end. */
  readonly url: string
  readonly switches: Switches
  /** All requests so far, as `POST /index.php/login/v2`. */
  readonly requests: readonly string[]
  /** What a person does at `login`, without a browser. */
  grant(login: string, user: string): void
  /** The same at an authorization address: where the browser is sent with the code. */
  authorize(address: string, user: string): string
  registerClient(name: string, redirectUri: string): OAuthClient
  /** What the person sees under Settings > Security: names of what has access, and the secrets, for tests. */
  access(user: string): readonly { readonly name: string; readonly secret: string }[]
  /** Forgets failed logins. */
  forgive(): void
  close(): Promise<void>
}

/** Users are alice, bob, carol and admin, with the password `alice-Pass-2026` and so on. */
export async function createFakeNextcloud(
  options: { readonly path?: string; readonly now?: () => number; readonly port?: number } = {},
): Promise<FakeNextcloud> {
  const { path = "", now = Date.now, port = 0 } = options
  const state = createState(now)
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`)
    answer(request, response, { state, path, url: state.switches.address ?? url() }).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const home = url()

  return {
    url: home,
    switches: state.switches,
    requests,
    grant(login, user) {
      const flow = flowOf(state, login.slice(login.lastIndexOf("/") + 1))
      if (flow === undefined) throw new Error("There is no open login flow at this address.")
      grantFlow(state, flow, user)
    },
    authorize(address, user) {
      const query = new URL(address).searchParams
      const client = clientOf(state, query.get("client_id"))
      if (client === undefined) throw new Error("There is no client of this id.")
      return grantClient(state, { client, user, back: query.get("state") ?? "" })
    },
    registerClient: (name, redirectUri) => registerClient(state, name, redirectUri),
    access: (user) => [...state.tokens].filter((token) => token.user === user),
    forgive: () => state.forgive(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const status = (maintenance: boolean): Reply => ({
  ...json(200, {
    installed: true,
    maintenance,
    needsDbUpgrade: false,
    version: "32.0.1.2",
    versionstring: "32.0.1",
    edition: "",
    productname: "Nextcloud",
    extendedSupport: false,
  }),
  headers: { "content-type": "application/json" },
})

const routes: readonly Route[] = [
  ["GET", "/status.php", ({ state }) => status(state.switches.maintenance)],
  ...loginRoutes,
  ...oauth2Routes,
  ...ocsRoutes,
]

interface Setting {
  readonly state: State
  readonly path: string
  readonly url: string
}

async function answer(request: IncomingMessage, response: ServerResponse, setting: Setting): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
  const method = request.method ?? "GET"
  const instead = setting.state.switches.intercept?.(method, pathname)
  if (instead === "hang") return
  if (instead === "reset") return void response.destroy()
  const [cookie, session] = sessionOf(setting.state, request)
  const path = pathname.startsWith(`${setting.path}/`) ? pathname.slice(setting.path.length) : ""
  const fields = method === "POST" ? await readFields(request) : new Map<string, string>()
  const call = {
    method,
    path: path.replace(/^\/index\.php\//, "/"),
    query: searchParams,
    headers: request.headers,
    fields,
  }
  const reply = instead ?? route({ ...call, session, state: setting.state, url: setting.url })
  const user = session.user === undefined ? {} : { "x-user-id": session.user }
  const kept = { "set-cookie": `nc_session=${cookie}; path=/; httponly` }
  response.writeHead(reply.status, { ...user, ...reply.headers, ...kept })
  response.end(reply.body)
}

function route(call: Call): Reply {
  if (call.state.switches.maintenance && call.path !== "/status.php") return maintenance(call.path)
  const here = routes.filter(([, path]) => (typeof path === "string" ? path === call.path : path.test(call.path)))
  const found = here.find(([method]) => method === call.method)
  if (found !== undefined) return found[2](call)
  return here.length === 0 ? errorPage(404) : { status: 405, headers: { "content-type": "text/html; charset=UTF-8" } }
}

function maintenance(path: string): Reply {
  const mode = { "x-nextcloud-maintenance-mode": "1" }
  if (path.startsWith("/ocs/")) return ocsFailure(503, "Service unavailable", { headers: mode })
  const reply = errorPage(503)
  return { ...reply, headers: { ...reply.headers, ...mode, "retry-after": "120" } }
}

function sessionOf(state: State, request: IncomingMessage): readonly [string, BrowserSession] {
  const given = /nc_session=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? ""
  const known = state.sessions.get(given)
  if (known !== undefined) return [given, known]
  const id = random(32)
  const session: BrowserSession = { requestToken: `${random(43)}=:${random(43)}=` }
  state.sessions.set(id, session)
  return [id, session]
}
