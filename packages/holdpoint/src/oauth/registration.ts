// An authorization server as its client knows it: where it is, who we are to it, what of it we use. Data: a provider of
// the vault is a registration, an identity provider is turned into one. Nothing here runs.

import type { OAuthProvider } from "../core/provider.ts"
import type { Fetch } from "../ports/fetch.ts"
import type { Runtime } from "../ports/runtime.ts"

export interface ServerData extends Pick<OAuthProvider, "issuer" | "endpoints"> {
  /** `either`: RFC 8414, else OpenID Connect. */
  readonly discovery: OAuthProvider["discovery"] | "either"
  /** `unlisted`: sent, although the metadata need not promise it. */
  readonly pkce: OAuthProvider["pkce"] | "unlisted"
  /** What accounts are connected with, unless said otherwise. */
  readonly uses?: Uses
}

export interface Registration
  extends ServerData,
    Pick<OAuthProvider, "client" | "baseScopes" | "authorizationParameters" | "resource" | "quirks"> {}

/** Addresses of a metadata document that are used, and whether there must be one. The others are not looked at. */
export type Uses = Readonly<Partial<Record<EndpointName, boolean>>>

export type EndpointName =
  | "authorization_endpoint"
  | "token_endpoint"
  | "userinfo_endpoint"
  | "revocation_endpoint"
  | "pushed_authorization_request_endpoint"
  | "introspection_endpoint"
  | "end_session_endpoint"
  | "jwks_uri"

/** `fetch` is guarded. */
export interface OAuthTools {
  readonly fetch: Fetch
  readonly runtime: Pick<Runtime, "now">
}
