// The people of a storm: signed in at the pages, with tokens for the agents. They sign in before the first fault.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { type JarBrowser, openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"

export interface StormPerson {
  readonly subject: string
  readonly email: string
  /** The headers of a request that a page of the server makes in the person's session. */
  readonly session: () => Readonly<Record<string, string>>
  /** What no server may print. */
  secrets(): readonly string[]
  /** The headers of a program that acts with the person's token for this path. */
  token(path: "/run" | "/a2a"): Readonly<Record<string, string>>
  /** The headers of a program that calls the MCP server of the agents. Gets a new token when the last one is old. */
  mcpToken(): Promise<Readonly<Record<string, string>>>
}

export interface People {
  readonly issuer: string
  readonly clientSecret: string
  readonly tokenKey: Readonly<Record<string, string>>
  readonly roles: Readonly<Record<string, readonly string[]>>
  /** Signs them in, at the pages of this address. */
  signIn(publicUrl: string): Promise<readonly StormPerson[]>
  close(): Promise<void>
}

export const subjects = ["ada", "ben", "cleo", "dora", "emil"]

/** Who may release; the last is who is asked when the others do not answer. */
const roles = { ada: ["release"], ben: ["release"], cleo: ["release"], dora: ["release"], emil: ["managers"] }

export async function openPeople(): Promise<People> {
  const oidc = await startOidc()
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const tokenKey = { ...publicKey.export({ format: "jwk" }), kid: "storm", use: "sig", alg: "ES256" } as Record<
    string,
    string
  >
  return {
    ...{ issuer: oidc.issuer, clientSecret: oidcClient.secret, roles },
    tokenKey,
    async signIn(publicUrl) {
      oidc.allowRedirect(`${publicUrl}/signin/callback`)
      const people: StormPerson[] = []
      const client = await registerClient(publicUrl)
      for (const subject of subjects) people.push(await signInOne({ oidc, publicUrl, privateKey, subject, client }))
      return people
    },
    close: oidc.close,
  }
}

interface SignIn {
  readonly oidc: Oidc
  readonly publicUrl: string
  readonly privateKey: KeyObject
  readonly subject: string
  /** The program that acts for the person at the MCP server of the agents. */
  readonly client: string
}

async function signInOne({ oidc, publicUrl, privateKey, subject, client }: SignIn): Promise<StormPerson> {
  oidc.settings.user = subject
  const browser = openJarBrowser()
  const page = await browser.open(`${publicUrl}/signin?to=inbox`)
  if (page.status !== 200 || page.url.pathname !== "/inbox")
    throw new Error(`${subject} could not sign in: ${page.status} after ${page.hops.join(" → ")}`)
  const cookie = [...browser.cookies(publicUrl)].map(([name, value]) => `${name}=${value}`).join("; ")
  const tokens = new Map<string, string>()
  const renew = async () => ({ at: Date.now(), token: await authorize({ publicUrl, browser, client }) })
  let mcp = await renew()
  const tokenFor = (path: string): string => {
    const claims = {
      iss: oidc.issuer,
      sub: subject,
      aud: `${publicUrl}${path}`,
      scope: "agents.run",
      client_id: "storm",
    }
    const token = tokens.get(path) ?? signToken(privateKey, claims)
    noteCanary("access_token", token)
    tokens.set(path, token)
    return token
  }
  return {
    ...{ subject, email: `${subject}@example.com` },
    session: () => ({ cookie, origin: publicUrl, "content-type": "application/json" }),
    secrets: () => [cookie.split("=").at(-1) ?? cookie, mcp.token, tokenFor("/run"), tokenFor("/a2a")],
    async mcpToken() {
      if (Date.now() - mcp.at > mcpTokenMs) mcp = await renew()
      return { authorization: `Bearer ${mcp.token}` }
    },
    token: (path) => ({ authorization: `Bearer ${tokenFor(path)}`, "content-type": "application/json" }),
  }
}

/** The MCP server of the agents takes only tokens of the built-in authorization server. */
const mcpPath = "/run/v1/mcp"
/** Less than the ten minutes that its tokens are valid. */
const mcpTokenMs = 8 * 60_000
const redirectUri = "http://127.0.0.1:43117/callback"

async function registerClient(publicUrl: string): Promise<string> {
  const body = JSON.stringify({
    ...{ client_name: "Storm", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
    ...{ grant_types: ["authorization_code"], response_types: ["code"] },
  })
  const headers = { "content-type": "application/json" }
  const response = await fetch(`${publicUrl}/oauth/register`, { method: "POST", headers, body })
  const { client_id: id } = (await response.json()) as { readonly client_id?: string }
  if (id === undefined) throw new Error(`The authorization server did not register the storm: ${response.status}.`)
  return id
}

interface Authorize {
  readonly publicUrl: string
  readonly browser: JarBrowser
  readonly client: string
}

/** The person allows the program, and the program gets its token. */
async function authorize({ publicUrl, browser, client }: Authorize): Promise<string> {
  const verifier = randomBytes(32).toString("base64url")
  const asked = new URLSearchParams({
    ...{ client_id: client, redirect_uri: redirectUri, response_type: "code", state: "storm", scope: "agents.run" },
    ...{ resource: `${publicUrl}${mcpPath}`, code_challenge_method: "S256" },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  })
  const stopAt = (url: URL): boolean => url.port === "43117"
  const page = await browser.open(`${publicUrl}/oauth/authorize?${asked}`, { stopAt })
  const back = stopAt(page.url) ? page : await browser.submit(page, { do: "allow" }, { stopAt })
  const body = new URLSearchParams({
    ...{ grant_type: "authorization_code", client_id: client, redirect_uri: redirectUri, code_verifier: verifier },
    ...{ code: back.url.searchParams.get("code") ?? "", resource: `${publicUrl}${mcpPath}` },
  })
  const response = await fetch(`${publicUrl}/oauth/token`, { method: "POST", body })
  const { access_token: token } = (await response.json()) as { readonly access_token?: string }
  if (token === undefined) throw new Error(`The authorization server issued no token: ${response.status}.`)
  return token
}

/** An access token as RFC 9068 describes it, valid for hours. */
function signToken(key: KeyObject, claims: object): string {
  const seconds = Math.floor(Date.now() / 1_000)
  const header = { alg: "ES256", typ: "at+jwt", kid: "storm" }
  const payload = { ...claims, iat: seconds, exp: seconds + 6 * 3_600, jti: crypto.randomUUID() }
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`
}
