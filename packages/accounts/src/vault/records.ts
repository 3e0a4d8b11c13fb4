// The vault's records: connections, attempts to connect (flows), and revocations that are still due. Secrets are
// sealed; values that only have to be recognised are hashed.

import type { PrincipalId, Reason } from "@holdpoint/hub"
import type { Account, Connection, Due, Owner, Sealed } from "@holdpoint/hub/internal"
import { ownerKey } from "@holdpoint/hub/internal"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

export const connectionKind: RecordKind<Connection> = {
  name: "connection",
  owner: ({ owner }) => ownerKey(owner),
  dueAt: () => undefined,
  expiresAt: () => undefined,
}

/**
 * One attempt of a verified person to connect an account, from their click on our page until its end. Its id is the
 * hash of the `state` that the provider returns. Due when it expires, or sooner when it has to be polled or finished.
 */
export interface Flow extends KeptRecord {
  /** `widening`: adds scopes without the provider, with the existing credentials. */
  readonly kind: "oauth" | "login_flow" | "entered" | "widening"
  readonly elicitation: string
  readonly provider: string
  /** The provider's id in the redirect address: a response at another provider's address is refused. */
  readonly context: string
  readonly by: PrincipalId
  /** The owner of the future connection. */
  readonly owner: Owner
  /** Hash of the session in which the person pressed the button. */
  readonly session: string
  /** Hash of the cookie that this flow gave to the browser. */
  readonly browser: string
  readonly status: FlowStatus
  /** The connection to widen or renew. */
  readonly replaces?: string | undefined
  /** The requested scopes, including those granted before. */
  readonly scopes: readonly string[]
  /** The validated issuer that the response must name. */
  readonly issuer?: string
  readonly redirectUri?: string
  /** For a login flow: the address to poll. The poll token is in `sealed`. */
  readonly poll?: { readonly endpoint: string }
  /** The id of the future connection, chosen in advance so that it can be found after a crash. */
  readonly connection: string
  /** For a login flow: the signed-in person who began it, to compare the account with. Absent in local mode. */
  readonly person?: { readonly name: string; readonly email?: string }
  /** The account, once the provider has identified it. */
  readonly account?: Account | undefined
  /** Whether the account is the own account of the person who began; absent when there is nothing to compare. */
  readonly isOwn?: boolean | undefined
  /** `own_account`: the person has to confirm that the account is theirs. */
  readonly asks?: "own_account" | undefined
  /** The person confirmed the account. */
  readonly isConfirmed?: boolean
  readonly reason?: Reason
  readonly createdAt: number
  readonly expiresAt: number
  /** When background work is due: the next poll, or finishing after a crash. */
  readonly dueAt: number
  /** PKCE verifier, nonce and poll token. Removed as soon as they have been used. */
  readonly sealed?: Sealed
}

/**
 * `consented`: the person pressed the button. `exchanging`: one request took the response, and no other may.
 * `exchanged`: the grant is stored. `confirming`: the account differs from before or may not be the person's own, and
 * they have to confirm it. `finished` and `failed` are final.
 */
export type FlowStatus = "consented" | "exchanging" | "exchanged" | "confirming" | "finished" | "failed"

export const flowKind: RecordKind<Flow> = {
  name: "flow",
  owner: ({ elicitation }) => elicitation,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: () => undefined,
}

/**
 * Our client at an authorization server where it registered itself (RFC 7591). Belongs to the installation, so its
 * tenant is empty.
 */
export interface OAuthClientRecord extends KeptRecord {
  readonly provider: string
  readonly issuer: string
  readonly redirectUri: string
  readonly createdAt: number
  /** When the client secret expires. */
  readonly expiresAt?: number
  readonly sealed: Sealed
}

export const oauthClientKind: RecordKind<OAuthClientRecord> = {
  name: "oauth_client",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** A revocation to retry until the provider confirms it. The connection itself is already unusable. */
export interface Revocation extends KeptRecord, Due {
  readonly connection: string
  readonly provider: string
  readonly owner: Owner
  readonly createdAt: number
  readonly lastProblem?: string
  /** A sealed copy of the tokens, because those in the connection are deleted. */
  readonly sealed: Sealed
}

export const revocationKind: RecordKind<Revocation> = {
  name: "revocation",
  owner: () => undefined,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: () => undefined,
}
