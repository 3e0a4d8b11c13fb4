// Providers are data: how an account is connected, how its owner is recognised, how calls carry the credentials and how
// a grant is given back. Nothing here runs; what a provider does differently is said, not programmed.

export type Provider = OAuthProvider | LoginFlowProvider | ApiKeyProvider | BasicProvider

interface ProviderBase {
  /** In addresses, commands and the database: lower-case letters, digits and hyphens. */
  readonly id: string
  /** As people know it. */
  readonly name: string
  /** Origins to which credentials may be sent. Anything else is refused before a request is made. */
  readonly api: readonly string[]
  /** What a scope allows, in the words of the person who grants it. */
  readonly scopeWords?: Readonly<Record<string, string>>
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
  /** Where some calls are answered otherwise than with 401 although the account is refused: how to find out. */
  readonly probe?: Probe
  /** How to find out that the account itself is switched off, when its credentials are refused. */
  readonly disabled?: DisabledProbe
}

/**
 * What a refusal says then: the person is not asked to connect again, which would be of no use. Refused requests count against an
 * account, so another one is made only where the first says no more than `unless` has it.
 */
export interface DisabledProbe {
  readonly words: string
  readonly unless: { readonly path: string; readonly value: string | number }
  readonly call: ApiCall
}

/** A call that tells whether the credentials are refused, made when another one was answered with such a status. */
export interface Probe {
  /** Statuses that may mean it, besides 401. */
  readonly when: readonly number[]
  readonly call: ApiCall
  /** What is in its 401, at a dotted path, when it is the provider's own. */
  readonly says?: { readonly path: string; readonly value: string | number }
}

export interface OAuthProvider extends ProviderBase {
  readonly kind: "oauth"
  /** Where metadata is discovered, or who the provider is when endpoints are given. */
  readonly issuer?: string
  /** `oidc` and `oauth2` are discovered below the issuer; `none` takes the endpoints as given. */
  readonly discovery: "oidc" | "oauth2" | "none"
  readonly endpoints?: Endpoints
  readonly client: OAuthClient
  /** S256 is always sent and required. `none` only where the provider's documents say that it has none. */
  readonly pkce: "S256" | "none"
  /** Asked for whatever the tool needs: openid, offline_access. */
  readonly baseScopes?: readonly string[]
  readonly authorizationParameters?: Readonly<Record<string, string>>
  /** RFC 8707: which resource the token is for. */
  readonly resource?: string
  /** `context`: an address for each provider. `single`: the provider allows only one for all. */
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
  /** RFC 9207: the answer names its issuer, and one that does not is refused. */
  readonly namesIssuer?: boolean
}

export interface OAuthClient {
  readonly id: string
  readonly authentication: ClientAuthentication
}

export type ClientAuthentication =
  | { readonly method: "none" }
  | { readonly method: "basic"; readonly secret: string }
  | { readonly method: "post"; readonly secret: string }
  /** A private JWK. The issuer is the sole audience of what it signs. */
  | { readonly method: "private_key_jwt"; readonly key: Readonly<Record<string, unknown>>; readonly keyId?: string }

/** Where the account's id and name are. Paths are dotted: `user.name`. */
export type Identity =
  | { readonly from: "id_token"; readonly id: string; readonly name: readonly string[] }
  | { readonly from: "userinfo"; readonly id: string; readonly name: readonly string[] }
  | { readonly from: "token"; readonly id: string; readonly name: readonly string[] }
  | IdentityByCall
  /** The provider does not tell. */
  | { readonly from: "nothing" }

/** Made with the new credentials, so that it also shows whether the provider takes them. */
export interface IdentityByCall {
  readonly from: "call"
  readonly call: ApiCall
  readonly id: string
  readonly name: readonly string[]
  /** Where ids are of: people read `name (id@host)`. */
  readonly host?: string
  /** Told to the person when new credentials are refused: what the administrator of the provider has to do. */
  readonly advice?: string
}

export interface ApiCall {
  readonly method: "GET" | "POST" | "DELETE"
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Statuses that mean yes; 2xx when absent. */
  readonly accepts?: readonly number[]
}

export type RevocationMeans =
  /** `accepts`: statuses besides 200 that mean: it is gone (Linear's 400 for what was revoked before). */
  | { readonly by: "rfc7009"; readonly accepts?: readonly number[] }
  /** In the call's body, `{access_token}` stands for the token. */
  | { readonly by: "call"; readonly call: ApiCall; readonly authorization: "bearer" | "basic_client" }
  /** The provider has none; the token is forgotten and the person is told where to remove the grant. */
  | { readonly by: "nothing"; readonly settings?: string }

export interface OAuthQuirks {
  /** Error codes, besides invalid_grant, that mean: this refresh token is dead. */
  readonly deadGrantErrors?: readonly string[]
  /** Error codes at the token endpoint, under other names: what they mean. */
  readonly errorMap?: Readonly<Record<string, string>>
  /** Tokens never end, whatever is or is not said. */
  readonly neverExpires?: boolean
  /** How long a token lives when the answer does not say, in seconds. */
  readonly assumedLifetime?: number
  readonly refresh?: "rotates" | "keeps" | "never"
  readonly scopeSeparator?: string
  /** Under another name than `scope` (Slack's user_scope). */
  readonly scopeParameter?: string
  /** Where the tokens are in the answer, dotted, when not at the top (Slack's authed_user). */
  readonly tokenPath?: string
  /** The answer is an error although its status is 200, when this member is false (Slack's ok). */
  readonly okMember?: string
  /** Scopes are not a thing here: what is asked for counts as granted and is enforced by us. */
  readonly scopes?: "ignored"
  /** The token endpoint wants JSON with client authentication in Basic (Notion). */
  readonly tokenRequest?: "form" | "json"
  /** What the answer calls a token that is sent as Bearer, besides bearer itself; `absent` when it is left out. */
  readonly tokenTypes?: readonly string[]
  /** A scope that counts as granted when one of these was: other names of it, and wider ones that swallow it. */
  readonly scopeImpliedBy?: Readonly<Record<string, readonly string[]>>
  /** An expired token that is presented kills the grant: always refresh before. */
  readonly neverPresentExpired?: boolean
}

/** Nextcloud's login flow v2: the person allows it there, and we are given an app password. */
export interface LoginFlowProvider extends ProviderBase {
  readonly kind: "login_flow"
  /** The address of the server, with its path if it has one. */
  readonly server: string
  /** An app password that is older is exchanged for a new one when it is next used; never when absent. */
  readonly rotateAfterMs?: number
  /**
   * Where people sign in: whose account may be connected. `required`, unless said: their own, and they confirm one that
   * cannot be compared. `confirm`: any, after they confirmed one that is not known to be theirs. `off`: any.
   */
  readonly ownAccount?: OwnAccountRule
}

export type OwnAccountRule = "required" | "confirm" | "off"

/** Entered on our page and tried before it is kept. */
export interface ApiKeyProvider extends ProviderBase {
  readonly kind: "api_key"
  readonly header: { readonly name: string; readonly prefix?: string }
  readonly test: ApiCall
  readonly identity: Extract<Identity, { from: "call" | "nothing" }>
  /** Where people find their key, for the page. */
  readonly help?: { readonly words: string; readonly url?: string }
}

export interface BasicProvider extends ProviderBase {
  readonly kind: "basic"
  readonly test: ApiCall
  readonly identity: Extract<Identity, { from: "call" | "nothing" }>
  readonly help?: { readonly words: string; readonly url?: string }
}

/** Every provider of one program, by id. */
export type Providers = ReadonlyMap<string, Provider>

/** What people read for a scope that the provider's data does not explain. */
export function scopeWords(provider: Pick<Provider, "scopeWords">, scope: string): string {
  return provider.scopeWords?.[scope] ?? scope
}

/** The provider knows no scopes: what was asked for counts as granted, and we enforce it. */
export function hasOwnScopes(provider: Provider): boolean {
  return provider.kind !== "login_flow" && !(provider.kind === "oauth" && provider.quirks?.scopes === "ignored")
}
