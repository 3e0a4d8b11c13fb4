// A client as it is registered, and the kinds there are. Types alone, and none of oidc-provider.

/** A client that the administrator of this server has registered. */
export interface RegisteredClient {
  readonly clientId: string
  readonly name: string
  /** https, http on loopback, or a scheme of the program's own. */
  readonly redirectUris: readonly string[]
  /** A program on people's machines has none: PKCE is required of everybody. */
  readonly secret?: string
}

/** `registered`: by the administrator. `document`: its id is the address of what it says of itself. `dynamic`: by itself. */
export type ClientKind = "registered" | "document" | "dynamic"
