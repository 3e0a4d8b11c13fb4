// A pending authorization request, as pages see it. Types only: programs compile against these without oidc-provider's
// declarations.

import type { PrincipalId } from "../../core/principal.ts"
import type { ClientKind } from "./client.ts"
import type { Resource } from "./resources.ts"

/** A program asks for access, and a person has to decide. */
export interface AuthorizationRequest {
  readonly id: string
  readonly client: {
    readonly id: string
    readonly kind: ClientKind
    /** The administrator's name for a registered client; otherwise the client's own name for itself. */
    readonly name?: string
  }
  /** The address that gets the authorization response. */
  readonly redirectUri: string
  readonly resource: Resource
  /** The resource indicator exactly as the client sent it. */
  readonly indicator: string
  readonly scopes: readonly string[]
  /** Whether the client wants a consent page, or a new sign-in. */
  readonly wants: { readonly consent: boolean; readonly signIn: boolean }
  /** The end of the second in which the request was made. */
  readonly createdAt: number
  readonly expiresAt: number
  /** Where the browser continues after the answer. */
  readonly next?: string
}

/** The person who answers an authorization request. */
export interface Person {
  readonly principal: PrincipalId
  readonly signedInAt: number
}

/** Authorization requests that wait for a person, for the pages. */
export interface Requests {
  /** Undefined when missing, and for every browser other than the one that began. */
  find(id: string, cookies: string | null): Promise<AuthorizationRequest | undefined>
  /** The scopes that the person already allowed this client. */
  allowedBefore(request: AuthorizationRequest, principal: PrincipalId): Promise<readonly string[]>
  /** True when the person has already allowed everything and need not be asked. */
  isAllowed(request: AuthorizationRequest, principal: PrincipalId): Promise<boolean>
  /** Call these only with a request that `find` returned for this browser. */
  allow(request: AuthorizationRequest, person: Person): Promise<void>
  deny(request: AuthorizationRequest): Promise<void>
}
