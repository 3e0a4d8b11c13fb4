// The people of a storm: signed in at the pages, with tokens for the agents. They sign in before the first fault.

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { openJarBrowser } from "../../apps/server/test/pages/browser.ts"
import { type Oidc, oidcClient, startOidc } from "../../packages/holdpoint/test/vault/providers/oidc.ts"
import { noteCanary } from "../canaries/note.ts"

export interface StormPerson {
  readonly subject: string
  readonly email: string
  /** The headers of a request that a page of the server makes in the person's session. */
  readonly session: () => Readonly<Record<string, string>>
  /** The headers of a program that acts with the person's token for this path: `/run`, `/a2a` or `/run/v1/mcp`. */
  token(path: string): Readonly<Record<string, string>>
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

const subjects = ["ada", "ben", "cleo", "dora", "emil"]

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
      for (const subject of subjects) people.push(await signInOne({ oidc, publicUrl, privateKey, subject }))
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
}

async function signInOne({ oidc, publicUrl, privateKey, subject }: SignIn): Promise<StormPerson> {
  oidc.settings.user = subject
  const browser = openJarBrowser()
  const page = await browser.open(`${publicUrl}/signin?to=inbox`)
  if (page.status !== 200 || page.url.pathname !== "/inbox")
    throw new Error(`${subject} could not sign in: ${page.status} after ${page.hops.join(" → ")}`)
  const cookie = [...browser.cookies(publicUrl)].map(([name, value]) => `${name}=${value}`).join("; ")
  const tokens = new Map<string, string>()
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
    token: (path) => ({ authorization: `Bearer ${tokenFor(path)}`, "content-type": "application/json" }),
  }
}

/** An access token as RFC 9068 describes it, valid for hours. */
function signToken(key: KeyObject, claims: object): string {
  const seconds = Math.floor(Date.now() / 1_000)
  const header = { alg: "ES256", typ: "at+jwt", kid: "storm" }
  const payload = { ...claims, iat: seconds, exp: seconds + 6 * 3_600, jti: crypto.randomUUID() }
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`
}
