// Who calls a server over HTTP: how a surface learns it from an access token, or in local mode.

import type { Principal } from "../core/principal.ts"

/** Who calls over HTTP, as the access token proved it. */
export interface Caller {
  readonly principal: Principal
  readonly clientId: string
  /** The token's own scopes, without those they include. */
  readonly scopes: readonly string[]
  /** The access token. Not enumerable, so that printing or copying the caller does not leak it. */
  readonly token: string
  /** When the token expires, in seconds since 1970. */
  readonly expiresAt: number
}

/** An OAuth resource server: it tells who calls, and answers 401 and 403 as clients expect. */
export interface ResourceServer {
  readonly resource: string
  readonly metadataUrl: string
  /**
   * The metadata response (RFC 9728), at the addresses with and without the resource's path. Undefined for other
   * requests.
   */
  metadata(request: Request): Response | undefined
  /** Returns the caller, or the response that refuses. Does not read the body. */
  authenticate(request: Request): Promise<Caller | Response>
  /**
   * The 403 response when the caller lacks scopes, naming all that the operation needs; undefined when it lacks none.
   */
  challenge(caller: Caller, needed: readonly string[]): Response | undefined
}

/** In local mode: the person at this machine. */
export interface LocalCaller {
  readonly local: Principal
  /**
   * Over HTTP: why this request is not the person's; undefined when it is. Without it, every program that reaches the
   * port is the person, whichever user of the machine runs it.
   */
  readonly refusal?: ((request: Request) => Promise<string | undefined>) | undefined
}
