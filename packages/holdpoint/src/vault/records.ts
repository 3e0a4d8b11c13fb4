// What the vault keeps: connections, attempts to connect, and revocations that are still owed. What is secret in them is
// sealed; what only has to be recognised is hashed.

import type { Account, Connection, Owner } from "../core/connection.ts"
import { ownerKey } from "../core/connection.ts"
import type { Reason } from "../core/elicitation.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { Sealed } from "../core/sealed.ts"
import type { KeptRecord, RecordKind } from "../ports/records.ts"

export const connectionKind: RecordKind<Connection> = {
  name: "connection",
  owner: ({ owner }) => ownerKey(owner),
  dueAt: () => undefined,
  expiresAt: () => undefined,
}

/**
 * One attempt of a verified person to connect an account, from their click on our page until its end. Its id is the hash
 * of the `state` that the provider hands back. Due when it expires, or sooner when it has to be polled or finished.
 */
export interface Flow extends KeptRecord {
  /** `widening`: nothing is asked of the provider, whose credentials we have already. */
  readonly kind: "oauth" | "login_flow" | "entered" | "widening"
  readonly elicitation: string
  readonly provider: string
  /** Stands in the redirect address and here: a code that arrives under another one is not ours. */
  readonly context: string
  readonly by: PrincipalId
  /** The connection this will belong to, and to whom. */
  readonly owner: Owner
  /** Hash of the session in which the person pressed the button. */
  readonly session: string
  /** Hash of the cookie that this flow gave to the browser. */
  readonly browser: string
  readonly status: FlowStatus
  /** The connection that this is to widen or renew. */
  readonly replaces?: string
  /** Asked for, which is more than granted so far. */
  readonly scopes: readonly string[]
  /** The validated issuer that the answer must name. */
  readonly issuer?: string
  readonly redirectUri?: string
  /** Of a login flow: where to poll. The token is sealed. */
  readonly poll?: { readonly endpoint: string }
  /** The connection that will be made of it: named before, so that it is found after a crash. */
  readonly connection: string
  /** Of a login flow, where people sign in: who began, to compare the account with. */
  readonly person?: { readonly name: string; readonly email?: string }
  /** Who the provider says this is, once it was asked. */
  readonly account?: Account
  /** Whether the account is that person's own; absent when there is nothing to compare. */
  readonly isOwn?: boolean
  /** What the person has to confirm, besides that it is another account than before. */
  readonly asks?: "own_account"
  /** The person has said that the account is meant. */
  readonly isConfirmed?: boolean
  readonly reason?: Reason
  readonly createdAt: number
  readonly expiresAt: number
  /** When the background has to look at it: next poll, or finishing what a dead process left. */
  readonly dueAt: number
  /** PKCE verifier, nonce, poll token. Gone as soon as they were used. */
  readonly sealed?: Sealed
}

/**
 * `consented`: the person pressed the button. `exchanging`: one request took the answer, nobody else may. `exchanged`:
 * the grant is stored. `confirming`: it is of another account than before, or not known to be the person's own, and they
 * have to say that it is meant. The rest are ends.
 */
export type FlowStatus = "consented" | "exchanging" | "exchanged" | "confirming" | "finished" | "failed"

export const flowKind: RecordKind<Flow> = {
  name: "flow",
  owner: ({ elicitation }) => elicitation,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: () => undefined,
}

/** An upstream revocation that has to be tried until the provider agreed. The connection itself is already unusable. */
export interface Revocation extends KeptRecord {
  readonly connection: string
  readonly provider: string
  readonly owner: Owner
  readonly attempts: number
  readonly dueAt: number
  readonly createdAt: number
  readonly lastProblem?: string
  /** The tokens, sealed anew: the connection's own were shredded. */
  readonly sealed: Sealed
}

export const revocationKind: RecordKind<Revocation> = {
  name: "revocation",
  owner: () => undefined,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: () => undefined,
}
