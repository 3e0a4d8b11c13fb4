// Providers as their documents describe them, on one small server: each personality is data, what they have in common
// is here. Real addresses are played by host name, so that presets are driven exactly as they are.

import { createHash, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { createGuardedFetch } from "@holdpoint/fetching/internal"
import type { Fetch } from "@holdpoint/hub/internal"
import { noteCanary } from "../../../canaries/note.ts"

export interface Answer {
  readonly status?: number
  readonly body?: unknown
}

export interface Grant {
  readonly access: string
  readonly refresh: string
  readonly scopes: string
  readonly nonce: string
  readonly clientId: string
  readonly isRefresh: boolean
}

export interface ApiRequest {
  readonly bearer: string | undefined
  /** The access token is one of ours and was not revoked. */
  readonly isLive: boolean
  /** Client id and secret are the right ones, in Basic. */
  readonly isClient: boolean
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingMessage["headers"]
  revoke(token: string): boolean
}

export interface Personality {
  /** Host and path. */
  readonly authorize: string
  readonly token: string
  readonly client: { readonly id: string; readonly secret: string }
  /** How the token endpoint wants to be asked. */
  readonly asks: { readonly format: "form" | "json"; readonly authentication: "basic" | "post" }
  /** What must stand in the address to which the person is sent, and what must not. */
  readonly parameters: Readonly<Record<string, string | RegExp | undefined>>
  /** Without one, the verifier is ignored as the challenge is. */
  readonly pkce: boolean
  /** Added to the answer at the redirect address. */
  readonly answers?: Readonly<Record<string, string>>
  readonly scopeParameter?: string
  readonly tokens: (grant: Grant) => unknown
  readonly refresh: "rotates" | "keeps" | "never"
  readonly errors: { readonly code: Answer; readonly client: Answer; readonly refresh: Answer }
  readonly api: Readonly<Record<string, (request: ApiRequest) => Answer>>
}

export interface Mocks {
  /** Guarded, with real host names led here. */
  readonly fetch: Fetch
  /** What the person says at the provider: the address to which they are sent back. */
  visit(url: string, decision?: "yes" | "no"): Promise<URL>
  /** Every request, as `METHOD host/path`. */
  readonly requests: readonly string[]
  /** The next request to this `METHOD host/path` gets this. */
  readonly interrupt: Map<string, Answer>
  close(): Promise<void>
}

export async function startMocks(personalities: readonly Personality[]): Promise<Mocks> {
  const requests: string[] = []
  const interrupt = new Map<string, Answer>()
  const players = personalities.map(startMock)
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://mock")
    const what = `${request.method} ${url.pathname.slice(1)}`
    requests.push(what)
    const text = await bodyOf(request)
    const interrupted = interrupt.get(what)
    interrupt.delete(what)
    let answer: (Answer & { readonly location?: string }) | undefined = interrupted
    for (const player of players) answer ??= player({ what, query: url.searchParams, text, headers: request.headers })
    const { status = 200, body = {}, location } = answer ?? { status: 404 }
    response.writeHead(status, {
      "content-type": typeof body === "string" ? "text/html" : "application/json; charset=utf-8",
      ...(location === undefined ? {} : { location }),
    })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const guarded = createGuardedFetch({ allowLoopback: true, timeoutMs: 5000, maxBytes: 100_000, until: "body" })
  const toMock = (url: URL | string): string => String(url).replace(/^https:\//, origin)
  return {
    fetch: (input, init) => guarded(toMock(input), init),
    async visit(url, decision = "yes") {
      const response = await fetch(`${toMock(url)}&decision=${decision}`, { redirect: "manual" })
      const location = response.headers.get("location")
      if (location === null) throw new Error(`the provider's page said: ${await response.text()}`)
      return new URL(location)
    },
    requests,
    interrupt,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** An id token as it comes from a token endpoint: its signature is not checked, because TLS protects it. */
export function toIdToken(claims: Readonly<Record<string, unknown>>): string {
  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url")
  const now = Math.floor(Date.now() / 1000)
  return `${encode({ alg: "RS256" })}.${encode({ iat: now, exp: now + 3600, ...claims })}.c2lnbmF0dXJl`
}

interface Heard {
  readonly what: string
  readonly query: URLSearchParams
  readonly text: string
  readonly headers: IncomingMessage["headers"]
}

interface Code {
  readonly redirectUri: string
  readonly challenge: string | undefined
  readonly scopes: string
  readonly nonce: string
}

function startMock(personality: Personality) {
  const { client, asks, errors } = personality
  noteCanary("client_secret", client.secret)
  const codes = new Map<string, Code>()
  const live = new Map<string, Code>()
  let issued = 0

  const isBasic = (headers: IncomingMessage["headers"]): boolean =>
    headers.authorization === `Basic ${btoa(`${client.id}:${client.secret}`)}`

  function authorize(query: URLSearchParams): Answer & { readonly location?: string } {
    for (const [name, wanted] of Object.entries(personality.parameters)) {
      const value = query.get(name) ?? undefined
      const fits = wanted instanceof RegExp ? wanted.test(value ?? "") : value === wanted
      if (!fits) return { status: 400, body: `wrong ${name}: ${value}` }
    }
    if (query.get("client_id") !== client.id || query.get("response_type") !== "code")
      return { status: 400, body: "who" }
    const redirectUri = query.get("redirect_uri") ?? ""
    const back = new URL(redirectUri)
    back.searchParams.set("state", query.get("state") ?? "")
    for (const [name, value] of Object.entries(personality.answers ?? {})) back.searchParams.set(name, value)
    if (query.get("decision") === "no") {
      back.searchParams.set("error", "access_denied")
      back.searchParams.set("error_description", "<script>alert(1)</script>")
      return { status: 302, location: back.href }
    }
    const code = `code-${++issued}-${randomUUID()}`
    noteCanary("code", code)
    codes.set(code, {
      redirectUri,
      challenge: query.get("code_challenge") ?? undefined,
      scopes: query.get(personality.scopeParameter ?? "scope") ?? "",
      nonce: query.get("nonce") ?? "",
    })
    back.searchParams.set("code", code)
    return { status: 302, location: back.href }
  }

  function token({ text, headers }: Heard): Answer {
    const isJson = headers["content-type"]?.startsWith("application/json") === true
    if (isJson !== (asks.format === "json") || headers.accept !== "application/json") return { status: 415 }
    const body = toMembers(text, isJson)
    const byPost = body.client_id === client.id && body.client_secret === client.secret
    if (asks.authentication === "basic" ? !isBasic(headers) : !byPost) return errors.client
    return body.grant_type === "refresh_token" ? renew(String(body.refresh_token)) : redeem(body)
  }

  function redeem(body: Readonly<Record<string, unknown>>): Answer {
    const code = codes.get(String(body.code))
    codes.delete(String(body.code))
    if (code === undefined || code.redirectUri !== body.redirect_uri) return errors.code
    const hash = createHash("sha256").update(String(body.code_verifier)).digest("base64url")
    if (personality.pkce ? code.challenge !== hash : body.code_verifier !== undefined) return errors.code
    return issue(code, false)
  }

  function renew(refresh: string): Answer {
    const code = live.get(refresh)
    if (code === undefined || !refresh.startsWith("refresh")) return errors.refresh
    if (personality.refresh === "rotates") live.delete(refresh)
    return issue(code, true)
  }

  function issue(code: Code, isRefresh: boolean): Answer {
    const [access, refresh] = [`access-${++issued}-${randomUUID()}`, `refresh-${issued}-${randomUUID()}`]
    noteCanary("access_token", access)
    noteCanary("refresh_token", refresh)
    live.set(access, code)
    if (personality.refresh === "rotates" || !isRefresh) live.set(refresh, code)
    const { scopes, nonce } = code
    return { body: personality.tokens({ access, refresh, scopes, nonce, clientId: client.id, isRefresh }) }
  }

  return (heard: Heard): (Answer & { readonly location?: string }) | undefined => {
    if (heard.what === `GET ${personality.authorize}`) return authorize(heard.query)
    if (heard.what === `POST ${personality.token}`) return token(heard)
    const bearer = /^Bearer (.+)$/.exec(heard.headers.authorization ?? "")?.[1]
    return personality.api[heard.what]?.({
      bearer,
      isLive: bearer !== undefined && live.has(bearer),
      isClient: isBasic(heard.headers),
      body: toMembers(heard.text, heard.headers["content-type"]?.startsWith("application/json") === true),
      headers: heard.headers,
      revoke: (gone) => live.delete(gone),
    })
  }
}

function toMembers(text: string, isJson: boolean): Readonly<Record<string, unknown>> {
  if (text === "") return {}
  return isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const part of request) text += part
  return text
}
