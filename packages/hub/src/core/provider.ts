// Providers as data: how an account is connected and identified, how calls carry credentials, and how a grant is
// revoked. No code: a provider's peculiarities are declared as quirks.

/** How accounts of one service are connected, as data. `@holdpoint/accounts/providers` has many. */
export type Provider = OAuthProvider | McpServerProvider | LoginFlowProvider | ApiKeyProvider | BasicProvider

interface ProviderBase {
  /** Used in addresses, commands and the database: lower-case letters, digits and hyphens. */
  readonly id: string
  /** The name that people know. */
  readonly name: string
  /** Origins to which credentials may be sent. Anything else is refused before a request is made. */
  readonly api: readonly string[]
  /** What each scope allows, in the words of the person who grants it. */
  readonly scopeWords?: Readonly<Record<string, string>>
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * How long a call waits for the response to begin, in milliseconds: 30 s by default. A server that answers after a
   * person has acted needs more.
   */
  readonly timeoutMs?: number
  /** For a provider that refuses credentials with statuses other than 401: the call that shows whether it did. */
  readonly probe?: Probe
  /** How to find out that the account itself is disabled, when its credentials are refused. */
  readonly disabled?: DisabledProbe
}

/**
 * Recognises a disabled account, for which connecting again is useless. Refused requests count against an account, so a
 * second one is made only when the first response does not match `unless`.
 */
export interface DisabledProbe {
  readonly words: string
  readonly unless: { readonly path: string; readonly value: string | number }
  readonly call: ApiCall
}

/** A call that shows whether the credentials are refused, made after another call got an ambiguous status. */
export interface Probe {
  /** The ambiguous statuses, besides 401. */
  readonly when: readonly number[]
  readonly call: ApiCall
  /** The value at a dotted path that marks a 401 as the provider's own (and not a proxy's). */
  readonly says?: { readonly path: string; readonly value: string | number }
}

/** A provider that speaks OAuth 2 or OpenID Connect. */
export interface OAuthProvider extends ProviderBase {
  readonly kind: "oauth"
  /** The address for discovery, or the issuer's name when endpoints are given. */
  readonly issuer?: string
  /**
   * `oidc` and `oauth2` are discovered below the issuer, `either` as `oauth2` and else as `oidc`; `none` takes the
   * endpoints as given.
   */
  readonly discovery: "oidc" | "oauth2" | "either" | "none"
  readonly endpoints?: Endpoints
  readonly client: OAuthClient
  /**
   * With `S256`, the challenge is always sent, and a discovered server must list S256 in its metadata. Use `none` only
   * where the provider documents that it has no PKCE.
   */
  readonly pkce: "S256" | "none"
  /** Scopes that are always requested: openid, offline_access. */
  readonly baseScopes?: readonly string[]
  readonly authorizationParameters?: Readonly<Record<string, string>>
  /** RFC 8707: the resource that the token is for. */
  readonly resource?: string
  /**
   * `context`: the provider has a redirect address of its own. `single`: it uses the address that such providers share.
   */
  readonly redirect: "context" | "single"
  readonly identity: Identity
  readonly revocation: RevocationMeans
  readonly quirks?: OAuthQuirks
}

export interface Endpoints {
  readonly authorization: string
  readonly token: string
  readonly userinfo?: string
  readonly revocation?: string
  readonly pushedAuthorization?: string
  readonly jwks?: string
  /** RFC 9207: the response must name its issuer. */
  readonly namesIssuer?: boolean
}

export interface OAuthClient {
  readonly id: string
  readonly authentication: ClientAuthentication
}

/** How a program proves to a provider that it is the registered client. */
export type ClientAuthentication =
  | { readonly method: "none" }
  | { readonly method: "basic"; readonly secret: string }
  | { readonly method: "post"; readonly secret: string }
  /** A private JWK. Assertions have the issuer as their only audience. */
  | { readonly method: "private_key_jwt"; readonly key: Readonly<Record<string, unknown>>; readonly keyId?: string }

/** Where the account's id and name are. Paths are dotted: `user.name`. */
export type Identity =
  | { readonly from: "id_token"; readonly id: string; readonly name: readonly string[] }
  | { readonly from: "userinfo"; readonly id: string; readonly name: readonly string[] }
  | { readonly from: "token"; readonly id: string; readonly name: readonly string[] }
  | IdentityByCall
  /** The provider has no identity endpoint. */
  | { readonly from: "nothing" }

/** An API call with the new credentials, which also shows whether the provider accepts them. */
export interface IdentityByCall {
  readonly from: "call"
  readonly call: ApiCall
  readonly id: string
  readonly name: readonly string[]
  /** The host for the label: people read `name (id@host)`. */
  readonly host?: string
  /** Shown to the person when new credentials are refused: what the provider's administrator has to do. */
  readonly advice?: string
}

export interface ApiCall {
  readonly method: "GET" | "POST" | "DELETE"
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Statuses that mean success. Default: 2xx. */
  readonly accepts?: readonly number[]
}

export type RevocationMeans =
  /** `accepts`: statuses besides 200 that mean the token is revoked (Linear: 400 for an already revoked one). */
  | { readonly by: "rfc7009"; readonly accepts?: readonly number[] }
  /** In the call's body, `{access_token}` is replaced with the token. */
  | { readonly by: "call"; readonly call: ApiCall; readonly authorization: "bearer" | "basic_client" }
  /** The provider has no revocation: the token is deleted, and the person is told where to remove the grant. */
  | { readonly by: "nothing"; readonly settings?: string }

export interface OAuthQuirks {
  /** Error codes besides invalid_grant that mean the refresh token has ended. */
  readonly deadGrantErrors?: readonly string[]
  /** Maps the token endpoint's non-standard error codes to standard ones. */
  readonly errorMap?: Readonly<Record<string, string>>
  /** Tokens never expire, whatever the response says. */
  readonly neverExpires?: boolean
  /** The lifetime in seconds when the response names none. */
  readonly assumedLifetime?: number
  readonly refresh?: "rotates" | "keeps" | "never"
  readonly scopeSeparator?: string
  /** The name of the scope parameter (Slack: user_scope). */
  readonly scopeParameter?: string
  /** The dotted path to the tokens in the response (Slack: authed_user). */
  readonly tokenPath?: string
  /** A member that is false when a response with status 200 is an error (Slack: ok). */
  readonly okMember?: string
  /** The provider has no scopes: requested scopes count as granted, and Holdpoint enforces them. */
  readonly scopes?: "ignored"
  /** `json`: the token endpoint takes JSON, with HTTP Basic client authentication (Notion). */
  readonly tokenRequest?: "form" | "json"
  /** Accepted values of token_type besides bearer; `absent` when the response leaves it out. */
  readonly tokenTypes?: readonly string[]
  /** Maps a scope to those that imply it: other names for it, and wider scopes. */
  readonly scopeImpliedBy?: Readonly<Record<string, readonly string[]>>
  /** Using an expired token ends the grant, so always refresh first. */
  readonly neverPresentExpired?: boolean
}

/**
 * A foreign MCP server with OAuth of its own: its authorization server is found by its metadata (RFC 9728, RFC 8414)
 * when the first person connects an account.
 */
export interface McpServerProvider extends ProviderBase {
  readonly kind: "mcp_server"
  /** The server's address, as MCP clients use it. */
  readonly server: string
  /** RFC 9728: the identifier in the server's metadata, where it is not the address. */
  readonly resource?: string
  /** The authorization server to use. Without it, the first one that the server names. */
  readonly issuer?: string
  /**
   * A client that the operator registered. Without it, the client id is the address of a metadata document on our
   * pages, where the authorization server takes one.
   */
  readonly client?: OAuthClient
  /** True: registers a client (RFC 7591) at an authorization server that supports no other way. */
  readonly registration?: boolean
  /** The scopes to request, besides those that tools need. Without it, those that the server names. */
  readonly baseScopes?: readonly string[]
}

/** Nextcloud's login flow v2: the person grants access there, and we get an app password. */
export interface LoginFlowProvider extends ProviderBase {
  readonly kind: "login_flow"
  /** The server's address, including its path. */
  readonly server: string
  /** App passwords older than this are replaced at their next use. Absent: never. */
  readonly rotateAfterMs?: number
  /**
   * Whose account a signed-in person may connect. `required` (the default): only one that is shown to be theirs; an
   * account that cannot be compared is refused, and needs OAuth. `confirm`: any, but one that is not shown to be theirs
   * has to be confirmed, which does not stop a liar. `off`: any.
   */
  readonly ownAccount?: OwnAccountRule
}

/** Whether people may connect only their own account at a provider. */
export type OwnAccountRule = "required" | "confirm" | "off"

/** A provider whose API key is entered on our page and tried before it is kept. */
export interface ApiKeyProvider extends ProviderBase {
  readonly kind: "api_key"
  readonly header: { readonly name: string; readonly prefix?: string }
  readonly test: ApiCall
  readonly identity: Extract<Identity, { from: "call" | "nothing" }>
  /** Where people find their key, for the page. */
  readonly help?: { readonly words: string; readonly url?: string }
}

/** A provider whose user name and password are entered on our page and tried before they are kept. */
export interface BasicProvider extends ProviderBase {
  readonly kind: "basic"
  readonly test: ApiCall
  readonly identity: Extract<Identity, { from: "call" | "nothing" }>
  readonly help?: { readonly words: string; readonly url?: string }
}

/** The configured providers, by id. */
export type Providers = ReadonlyMap<string, Provider>

/** The words for a scope; the scope itself when the provider's data has none. */
export function scopeWords(provider: Pick<Provider, "scopeWords">, scope: string): string {
  return provider.scopeWords?.[scope] ?? scope
}

/** Whether the provider has scopes. If not, requested scopes count as granted, and Holdpoint enforces them. */
export function hasOwnScopes(provider: Provider): boolean {
  return provider.kind !== "login_flow" && !(provider.kind === "oauth" && provider.quirks?.scopes === "ignored")
}
