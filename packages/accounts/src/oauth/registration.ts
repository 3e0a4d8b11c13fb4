// A client registration at an authorization server: the server's addresses, the client's credentials, and the endpoints
// in use. Data only: a provider of the vault is a registration, and an identity provider is converted to one.

import type { Runtime } from "@holdpoint/hub"
import type { Fetch, OAuthProvider } from "@holdpoint/hub/internal"

export interface ServerData extends Pick<OAuthProvider, "issuer" | "endpoints"> {
  readonly discovery: OAuthProvider["discovery"]
  /** `unlisted`: PKCE is used even if the metadata does not list it. */
  readonly pkce: OAuthProvider["pkce"] | "unlisted"
  /** The endpoints to use; by default those for connecting accounts. */
  readonly uses?: EndpointUses
}

export interface Registration
  extends ServerData,
    Pick<OAuthProvider, "client" | "baseScopes" | "authorizationParameters" | "resource" | "quirks"> {}

/** The endpoints of the metadata that are used; true means required. All others are ignored. */
export type EndpointUses = Readonly<Partial<Record<EndpointName, boolean>>>

export type EndpointName =
  | "authorization_endpoint"
  | "token_endpoint"
  | "userinfo_endpoint"
  | "revocation_endpoint"
  | "pushed_authorization_request_endpoint"
  | "introspection_endpoint"
  | "end_session_endpoint"
  | "jwks_uri"

/** The functions that requests need. `fetch` is a guarded fetch. */
export interface OAuthTools {
  readonly fetch: Fetch
  readonly runtime: Pick<Runtime, "now">
}
