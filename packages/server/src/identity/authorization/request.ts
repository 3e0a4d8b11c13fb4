// A pending authorization request, as pages see it. Types only: programs compile against these without oidc-provider's
// declarations.

import type { PrincipalId } from "@holdpoint/hub"
import type { ClientKind } from "./client.ts"
import type { Resource } from "./resources.ts"

/** A program asks for access, and a person has to decide. */
export interface AuthorizationRequest {
  readonly id: string
  readonly client: {
    readonly id: string
    readonly kind: ClientKind
    /** The administrator's name for a registered client. For other clients, the self-reported name. */
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
  /** The address where the browser continues after the answer. */
  readonly next?: string
}

/** The person who answers an authorization request. */
export interface Person {
  readonly principal: PrincipalId
  readonly signedInAt: number
}

/** Authorization requests that wait for a person, for the pages. */
export interface Requests {
  /** Finds a request. Undefined when it does not exist, and for every browser except the one that began it. */
  find(id: string, cookies: string | null): Promise<AuthorizationRequest | undefined>
  /** The scopes that the person already allowed this client. */
  allowedBefore(request: AuthorizationRequest, principal: PrincipalId): Promise<readonly string[]>
  /** Whether the person has already allowed everything and need not be asked. */
  isAllowed(request: AuthorizationRequest, principal: PrincipalId): Promise<boolean>
  /** Grants the request. Call `allow` and `deny` only with a request that `find` returned for this browser. */
  allow(request: AuthorizationRequest, person: Person): Promise<void>
  deny(request: AuthorizationRequest): Promise<void>
}
