// An authorization request that waits for a person, as pages see it. Types alone, and none of oidc-provider: programs are
// compiled against these without its declarations.

import type { PrincipalId } from "../../core/principal.ts"
import type { ClientKind } from "./client.ts"
import type { Resource } from "./resources.ts"

export interface AuthorizationRequest {
  readonly id: string
  readonly client: {
    readonly id: string
    readonly kind: ClientKind
    /** Of a registered client, given by whoever runs this; of all others, what they call themselves. */
    readonly name?: string
  }
  /** Where the answer goes. */
  readonly redirectUri: string
  readonly resource: Resource
  /** The resource as the client spells it, and will spell it again. */
  readonly indicator: string
  readonly scopes: readonly string[]
  /** The client wants the person asked, or signed in anew. */
  readonly wants: { readonly consent: boolean; readonly signIn: boolean }
  /** The end of the second in which it was made. */
  readonly createdAt: number
  readonly expiresAt: number
  /** Where the browser goes on, once it was answered. */
  readonly next?: string
}

export interface Person {
  readonly principal: PrincipalId
  readonly signedInAt: number
}

export interface Requests {
  /** Undefined also for every browser but the one that began. */
  find(id: string, cookies: string | null): Promise<AuthorizationRequest | undefined>
  /** What they allowed this client before; what is not in it is new to them. */
  allowedBefore(request: AuthorizationRequest, principal: PrincipalId): Promise<readonly string[]>
  /** True when nothing is asked that they have not allowed before, and they need not be asked again. */
  isAllowed(request: AuthorizationRequest, principal: PrincipalId): Promise<boolean>
  /** Call them only with what `find` gave for this very browser. */
  allow(request: AuthorizationRequest, person: Person): Promise<void>
  deny(request: AuthorizationRequest): Promise<void>
}
