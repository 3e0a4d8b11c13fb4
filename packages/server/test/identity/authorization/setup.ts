// The authorization server on a real port, over a storage that may have several nodes, and a program with a browser that
// asks it for tokens. The test names the person: signing in is the pages' concern.

import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Principal, Storage } from "@holdpoint/hub"
import { createMemoryStorage, systemRuntime } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { hear, noteCanary } from "@holdpoint/testkit/canaries/note"
import { getRequestListener } from "@hono/node-server"
import type { AuthorizationOptions, AuthorizationServer } from "../../../src/identity/authorization/index.ts"
import { createAuthorizationServer } from "../../../src/identity/authorization/index.ts"

export const alice: Principal = { tenant: "acme", issuer: "https://people.example", subject: "alice" }
export const bob: Principal = { ...alice, subject: "bob" }

export const notes = {
  resource: "https://notes.example/mcp",
  name: "Notes",
  scopes: { "notes.read": "read your notes", "notes.write": "change your notes" },
}

/** The metadata document of the program with this id. */
export const documentOf = (clientId: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ client_id: clientId, client_name: "Writer", redirect_uris: ["https://writer.example/callback"] },
  ...{ token_endpoint_auth_method: "none", grant_types: ["authorization_code", "refresh_token"] },
  ...more,
})

export const writer = { id: "https://writer.example/client.json", redirectUri: "https://writer.example/callback" }
export const desk = { id: "desk", redirectUri: "http://127.0.0.1/callback" }

export interface Authority {
  readonly issuer: string
  readonly storage: Storage
  readonly nodes: AuthorizationServer[]
  readonly documents: Map<string, () => Response | Promise<Response>>
  readonly fetched: string[]
  readonly problems: string[]
  /** Adds a node over the same storage. All running nodes take turns. */
  addNode(more?: Partial<AuthorizationOptions>): Promise<AuthorizationServer>
  close(): Promise<void>
}

export async function openAuthority(
  more: Partial<AuthorizationOptions> & { readonly path?: string } = {},
  storage: Storage = createMemoryStorage(),
): Promise<Authority> {
  const { path = "", ...options } = more
  const nodes: AuthorizationServer[] = []
  let requestCount = 0
  const http = createServer(
    getRequestListener(async (request) => {
      const node = nodes[requestCount++ % nodes.length]
      return node?.handles(new URL(request.url).pathname) ? node.fetch(request) : new Response(null, { status: 404 })
    }),
  )
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}${path}`
  const sealer = createSealer(withNewKey())
  const documents = new Map([[writer.id, () => Response.json(documentOf(writer.id))]])
  const fetched: string[] = []
  const problems: string[] = []
  const addNode = async (added: Partial<AuthorizationOptions> = {}): Promise<AuthorizationServer> => {
    const node = await createAuthorizationServer({
      ...{ issuer, storage, sealer, runtime: systemRuntime, resources: [notes] },
      clients: [{ clientId: desk.id, name: "Desk", redirectUris: [desk.redirectUri] }],
      fetch: async (url) => {
        fetched.push(String(url))
        return (await documents.get(String(url))?.()) ?? new Response("", { status: 404 })
      },
      report: (doing, error) => {
        problems.push(`${doing}: ${error}`)
        hear("report", "an authorization server of the tests", `${doing}: ${error}`)
      },
      ...options,
      ...added,
    })
    nodes.push(node)
    return node
  }
  await addNode()
  const close = async (): Promise<void> => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
  return { issuer, storage, nodes, documents, fetched, problems, addNode, close }
}

export interface Client {
  readonly id: string
  readonly redirectUri: string
  readonly secret?: string
}

export interface Attempt {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** Where it leads. */
  readonly location: URL | undefined
}

export interface Visitor {
  /** One request of the browser, followed nowhere. */
  get(url: string): Promise<Attempt>
  readonly cookies: Map<string, string>
  header(): string
}

export function openVisitor(): Visitor {
  const cookies = new Map<string, string>()
  const header = (): string => [...cookies].map((pair) => pair.join("=")).join("; ")
  return {
    cookies,
    header,
    async get(url) {
      const response = await fetch(url, { redirect: "manual", headers: { cookie: header(), accept: "text/html" } })
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === "") cookies.delete(name)
        else cookies.set(name, value)
      }
      return toAttempt(response, url)
    },
  }
}

async function toAttempt(response: Response, url: string): Promise<Attempt> {
  const location = response.headers.get("location")
  const { status, headers } = response
  return {
    status,
    headers,
    text: await response.text(),
    location: location === null ? undefined : new URL(location, url),
  }
}

export const newVerifier = (): string => {
  const verifier = randomBytes(32).toString("base64url")
  noteCanary("verifier", verifier)
  return verifier
}

export const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url")

/** Fields that are undefined are left out. */
export function authorizeUrl(
  { issuer }: Pick<Authority, "issuer">,
  { id, redirectUri }: Client,
  verifier: string,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const parameters: Readonly<Record<string, string | undefined>> = {
    ...{ client_id: id, redirect_uri: redirectUri, response_type: "code", scope: "notes.read", state: "s-1" },
    ...{ resource: notes.resource, code_challenge: challengeOf(verifier), code_challenge_method: "S256", ...more },
  }
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `${issuer}/oauth/authorize?${new URLSearchParams(given)}`
}

export interface Granted {
  readonly code: string
  readonly verifier: string
  readonly client: Client
  readonly back: URL
}

/** Runs the flow from the program's first request to its code. The person says Yes. */
export async function authorize(
  authority: Authority,
  client: Client,
  {
    person = alice,
    visitor = openVisitor(),
    ...more
  }: { person?: Principal; visitor?: Visitor } & Readonly<
    Record<string, string | Principal | Visitor | undefined>
  > = {},
): Promise<Granted> {
  const verifier = newVerifier()
  const begun = await visitor.get(authorizeUrl(authority, client, verifier, more as Record<string, string>))
  const id = begun.location?.pathname.split("/").at(-1) ?? ""
  const back = await answer(authority, visitor, id, person)
  const code = back.searchParams.get("code") ?? ""
  noteCanary("code", code)
  return { code, verifier, client, back }
}

export async function answer(
  { nodes, issuer }: Authority,
  visitor: Visitor,
  id: string,
  person: Principal | "no",
): Promise<URL> {
  const { requests } = nodes.at(-1) as AuthorizationServer
  const asked = await requests.find(id, visitor.header())
  if (asked === undefined) throw new Error("no request waits for this browser")
  if (person === "no") await requests.deny(asked)
  else await requests.allow(asked, { principal: person, signedInAt: Date.now() })
  const resumed = await visitor.get(`${issuer}/oauth/authorize/${id}`)
  if (resumed.location === undefined) throw new Error(`it did not go on: ${resumed.status}`)
  return resumed.location
}

export interface TokenAnswer {
  readonly status: number
  readonly error?: string
  readonly tokens: Tokens
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly expires_in: number
  readonly token_type: string
}

export async function post(
  { issuer }: Pick<Authority, "issuer">,
  path: string,
  fields: Readonly<Record<string, string | undefined>>,
  secret?: readonly [id: string, secret: string],
): Promise<TokenAnswer> {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const headers =
    secret === undefined ? {} : { authorization: `Basic ${Buffer.from(secret.join(":")).toString("base64")}` }
  const response = await fetch(`${issuer}${path}`, { method: "POST", body: new URLSearchParams(given), headers })
  const text = await response.text()
  const body = text === "" ? {} : (JSON.parse(text) as Tokens & { error?: string })
  if ("access_token" in body) noteCanary("access_token", body.access_token)
  if ("refresh_token" in body) noteCanary("refresh_token", body.refresh_token)
  const error = "error" in body ? { error: String(body.error) } : {}
  return { status: response.status, ...error, tokens: body as Tokens }
}

export function redeem(
  authority: Pick<Authority, "issuer">,
  { code, verifier, client }: Granted,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<TokenAnswer> {
  const fields = { grant_type: "authorization_code", code, code_verifier: verifier, resource: notes.resource }
  return post(authority, "/oauth/token", {
    ...{ ...fields, client_id: client.id, redirect_uri: client.redirectUri },
    ...more,
  })
}

export function refresh(
  authority: Pick<Authority, "issuer">,
  client: Client,
  token: string,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<TokenAnswer> {
  const fields = { grant_type: "refresh_token", refresh_token: token, client_id: client.id }
  return post(authority, "/oauth/token", { ...fields, ...more })
}
