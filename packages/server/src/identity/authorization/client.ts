// The types of a registered client and the kinds of clients. Imports nothing of oidc-provider.

/** A client that the server's administrator registered. */
export interface RegisteredClient {
  readonly clientId: string
  readonly name: string
  /** The allowed redirect URIs: https, http on loopback, or a private-use URI scheme. */
  readonly redirectUris: readonly string[]
  /** The client secret. Absent for public clients. PKCE is required of every client. */
  readonly secret?: string
}

/**
 * `registered`: by the administrator. `document`: its id is the address of its metadata document. `dynamic`: registered
 * itself.
 */
export type ClientKind = "registered" | "document" | "dynamic"
