// The state of the stand-in: accounts, app tokens and their rotation, failed logins, open flows; and the switches for
// tests. Areas store their own state with `state`; all of it can be saved and loaded again.

import { randomBytes } from "node:crypto"
import type { Refusal, Reply, User } from "./area.ts"
import { type Account, people } from "./default-accounts.ts"

export type { Account } from "./default-accounts.ts"

/** An app password, or an access token of OAuth or OpenID Connect. */
export interface AppToken {
  readonly id: number
  readonly user: string
  readonly name: string
  secret: string
  readonly kind: "app_password" | "oauth" | "oidc"
  expiresAt?: number
  /** Rotated secrets, and until when the server's cache still accepts them. */
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

/** A browser: its signed-in user, and its unfinished flow. */
export interface BrowserSession {
  readonly requestToken: string
  user?: string
  stateToken?: string
  loginToken?: string
  oauth?: { readonly client: OAuthClient; readonly state: string }
}

/** Settings that tests can change while the stand-in runs. */
export interface Switches {
  maintenance: boolean
  /** Refuses every login by Basic with 429, as after too many failed logins. */
  throttled: boolean
  readonly disabled: Set<string>
  /** How many seconds OpenID Connect tokens last. */
  readonly oidc: { expiresIn: number }
  /** Apps that are not installed, by id: `notes`, `deck`, `spreed`. */
  readonly without: Set<string>
  /** The address that the server uses for itself in responses. */
  address?: string
  /** Answers instead of the server; undefined lets the server answer. The path is as sent, without the query. */
  intercept?: (method: string, path: string) => Reply | "reset" | "hang" | undefined
}

/** A secret that the stand-in issued. */
export interface Secret {
  readonly kind: "app_password" | "poll_token" | "client_secret" | "code" | "refresh_token"
  readonly value: string
}

export interface WorldOptions {
  readonly now?: () => number
  /** The accounts. Default: alice, bob, carol, dora and admin. */
  readonly users?: readonly Account[]
  readonly onSecret?: (secret: Secret) => void
  /** Lists the accounts with their passwords on the login page. */
  readonly hints?: boolean
  /**
   * The page of the login flow grants access with one button for each account. A real server asks for a login first.
   */
  readonly grantButtons?: boolean
  /** Starts with some notes, files, events and contacts. */
  readonly seed?: boolean
  /** The state of an earlier stand-in. */
  readonly from?: Memory
}

/** All state, as plain data. An object in several places, such as a grant's token, stays one object when saved. */
export interface Memory {
  readonly lastId: number
  readonly users: Map<string, Account>
  readonly tokens: Set<AppToken>
  readonly flows: Set<LoginFlow>
  readonly clients: Set<OAuthClient>
  readonly grants: Set<OAuthGrant>
  readonly sessions: Map<string, BrowserSession>
  readonly areas: Map<string, unknown>
}

export interface Login {
  readonly user: User
  readonly token?: AppToken
}

export interface World {
  /** The current time in milliseconds. */
  now(): number
  /** One sequence for file ids, share ids and note ids, as in a database. */
  nextId(): number
  /** The state of an area, as plain data: created on first use, then always the same object. */
  state<T>(name: string, make: () => T): T
  /** Like `state`, for objects that an area makes from its state: these are not saved. */
  derived<T>(name: string, make: () => T): T
  readonly users: Map<string, Account>
  readonly groups: Set<string>
  readonly switches: Switches
  readonly tokens: Set<AppToken>
  readonly flows: Set<LoginFlow>
  readonly clients: Set<OAuthClient>
  readonly grants: Set<OAuthGrant>
  readonly sessions: Map<string, BrowserSession>
  readonly hints: boolean
  readonly grantButtons: boolean
  /** Whether areas start with some content. */
  readonly seeded: boolean
  isInstalled(app: string): boolean
  find(secret: string): AppToken | undefined
  issue(user: string, name: string, kind?: AppToken["kind"], secret?: string): AppToken
  rotate(token: AppToken): void
  /** Signs in by name and password or app password. Counts failures. */
  logIn(name: string, secret: string): Login | Refusal
  isThrottled(): boolean
  /** Forgets failed logins. */
  forgive(): void
  /** Reports an issued secret to `onSecret`. Returns the secret. */
  reportSecret(kind: Secret["kind"], value: string): string
  /** The state to save. It must be serialized immediately, because it changes while the stand-in runs. */
  stateToSave(): Memory
}

/** How long the server still accepts a rotated secret: Nextcloud's TOKEN_CACHE_TTL. */
const cacheMs = 10_000
const tokenLifeMs = 3_600_000
const mostFailures = 11
/** How long failed logins count. */
const failureMs = 1_800_000

export function createWorld(options: WorldOptions = {}): World {
  const { now = Date.now, onSecret, hints = false, grantButtons = false, seed: seeded = false } = options
  const memory = options.from ?? createMemory(options.users ?? people)
  const { users, tokens } = memory
  const switches: Switches = {
    maintenance: false,
    throttled: false,
    disabled: new Set(),
    oidc: { expiresIn: 900 },
    without: new Set(),
  }
  const parts = new Map<string, unknown>()
  let failures: number[] = []
  let { lastId } = memory

  const reportSecret = (kind: Secret["kind"], value: string): string => {
    onSecret?.({ kind, value })
    return value
  }
  const find = (secret: string): AppToken | undefined => {
    const liveToken = [...tokens].find((token) => isLive(token, secret, now()))
    // Presenting an expired OpenID Connect token also revokes its refresh token.
    const presentedToken = [...tokens].find((token) => token.kind === "oidc" && token.secret === secret)
    if (liveToken === undefined && presentedToken !== undefined) tokens.delete(presentedToken)
    return liveToken
  }
  const isThrottled = (): boolean => {
    failures = failures.filter((at) => at > now() - failureMs)
    return switches.throttled || failures.length >= mostFailures
  }

  return {
    now,
    nextId: () => ++lastId,
    state: (name, make) => findOrCreate(memory.areas, name, make),
    derived: (name, make) => findOrCreate(parts, name, make),
    groups: new Set(["admin", ...[...users.values()].flatMap(({ groups }) => groups)]),
    switches,
    users,
    tokens,
    flows: memory.flows,
    clients: memory.clients,
    grants: memory.grants,
    sessions: memory.sessions,
    hints,
    grantButtons,
    seeded,
    isInstalled: (app) => !switches.without.has(app),
    find,
    issue(user, name, kind = "app_password", secret = random(72)) {
      const expiry = kind === "oauth" ? { expiresAt: now() + tokenLifeMs } : {}
      const id = ++lastId
      const token: AppToken = {
        id,
        user,
        name,
        kind,
        secret: reportSecret("app_password", secret),
        earlier: [],
        ...expiry,
      }
      tokens.add(token)
      return token
    },
    rotate(token) {
      token.earlier.push({ secret: token.secret, until: now() + cacheMs })
      token.secret = reportSecret("app_password", random(72))
      if (token.kind === "oauth") token.expiresAt = now() + tokenLifeMs
    },
    logIn(name, secret) {
      if (isThrottled()) return "throttled"
      const account = accountOf(users.values(), name)
      const token = find(secret)
      const right = account !== undefined && (account.password === secret || token?.user === account.id)
      if (right && switches.disabled.has(account.id)) return "disabled"
      if (right) return { user: account, ...(token === undefined ? {} : { token }) }
      failures.push(now())
      return "wrong"
    },
    isThrottled,
    forgive() {
      failures = []
    },
    reportSecret,
    stateToSave: () => ({ ...memory, lastId }),
  }
}

function createMemory(accounts: readonly Account[]): Memory {
  return {
    lastId: 100,
    users: new Map(accounts.map((account) => [account.id, { ...account }])),
    tokens: new Set(),
    flows: new Set(),
    clients: new Set(),
    grants: new Set(),
    sessions: new Map(),
    areas: new Map(),
  }
}

function findOrCreate<T>(entries: Map<string, unknown>, name: string, make: () => T): T {
  if (!entries.has(name)) entries.set(name, make())
  return entries.get(name) as T
}

function isLive(token: AppToken, secret: string, now: number): boolean {
  if (token.secret === secret) return (token.expiresAt ?? Infinity) > now
  return token.earlier.some((one) => one.secret === secret && one.until > now)
}

/** The account with this login name or e-mail address, ignoring case. */
function accountOf(accounts: Iterable<Account>, name: string): Account | undefined {
  const lowerName = name.toLowerCase()
  return [...accounts].find(
    ({ loginName, email }) =>
      loginName.toLowerCase() === lowerName || (email !== "" && email.toLowerCase() === lowerName),
  )
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

export function random(length: number): string {
  return [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join("")
}
