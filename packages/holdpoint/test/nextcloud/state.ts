// What the fake Nextcloud remembers: accounts, app tokens and how long old ones live on, failed logins, open flows.

import { randomBytes } from "node:crypto"
import { noteCanary } from "../../../../test/canaries/note.ts"

export interface User {
  readonly id: string
  readonly password: string
  readonly displayName: string
}

/** An app password, or the access token of an OAuth client, which Nextcloud keeps in the same table. */
export interface AppToken {
  readonly user: string
  readonly name: string
  secret: string
  readonly kind: "app_password" | "oauth"
  expiresAt?: number
  /** Secrets before a rotation, and until when the server's cache still takes them. */
  readonly earlier: { readonly secret: string; readonly until: number }[]
}

export interface LoginFlow {
  readonly pollToken: string
  readonly loginToken: string
  readonly device: string
  granted?: AppToken
}

export interface OAuthClient {
  readonly id: number
  readonly name: string
  readonly redirectUri: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface OAuthGrant {
  readonly client: OAuthClient
  readonly token: AppToken
  code?: string
  refreshToken?: string
}

/** A browser: who is signed in, and what it is in the middle of. */
export interface BrowserSession {
  readonly requestToken: string
  user?: string
  stateToken?: string
  loginToken?: string
  oauth?: { readonly client: OAuthClient; readonly state: string }
}

/** Set these while it runs. */
export interface Switches {
  maintenance: boolean
  /** As after too many failed logins: 429 for every login with Basic. */
  throttled: boolean
  readonly disabled: Set<string>
  /** The server takes itself for this one, in all addresses that it gives. */
  address?: string
  /** Answers instead of the server; undefined lets it answer. */
  intercept?: (method: string, path: string) => Reply | "reset" | "hang" | undefined
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type State = ReturnType<typeof createState>

/** TOKEN_CACHE_TTL */
const cacheMs = 10_000
const mostFailures = 11

export function createState(now: () => number) {
  const users = new Map<string, User>(
    ["alice", "bob", "carol", "admin"].map((id) => {
      const displayName = `${id.charAt(0).toUpperCase()}${id.slice(1)} Example`
      return [id, { id, password: `${id}-Pass-2026`, displayName }]
    }),
  )
  const switches: Switches = { maintenance: false, throttled: false, disabled: new Set() }
  const tokens = new Set<AppToken>()
  let failures = 0

  const find = (secret: string): AppToken | undefined =>
    [...tokens].find(
      (token) =>
        !switches.disabled.has(token.user) &&
        ((token.secret === secret && (token.expiresAt ?? Infinity) > now()) ||
          token.earlier.some((one) => one.secret === secret && one.until > now())),
    )

  return {
    now,
    users,
    switches,
    tokens,
    flows: new Set<LoginFlow>(),
    clients: new Set<OAuthClient>(),
    grants: new Set<OAuthGrant>(),
    sessions: new Map<string, BrowserSession>(),
    find,
    issue(user: string, name: string, kind: AppToken["kind"] = "app_password"): AppToken {
      const expiry = kind === "oauth" ? { expiresAt: now() + 3_600_000 } : {}
      const token: AppToken = { user, name, kind, secret: random(72), earlier: [], ...expiry }
      tokens.add(token)
      noteCanary("app_password", token.secret)
      return token
    },
    rotate(token: AppToken): void {
      token.earlier.push({ secret: token.secret, until: now() + cacheMs })
      token.secret = random(72)
      noteCanary("app_password", token.secret)
      if (token.kind === "oauth") token.expiresAt = now() + 3_600_000
    },
    isThrottled: () => switches.throttled || failures >= mostFailures,
    /** With Basic, by password or app password. Counts what fails. */
    logIn(name: string, secret: string): { readonly user: User; readonly token?: AppToken } | undefined {
      const user = users.get(name)
      const token = find(secret)
      if (user !== undefined && !switches.disabled.has(name)) {
        if (user.password === secret) return { user }
        if (token?.user === name) return { user, token }
      }
      failures += 1
      return undefined
    },
    forgive(): void {
      failures = 0
    },
  }
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

export function random(length: number): string {
  return [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join("")
}
