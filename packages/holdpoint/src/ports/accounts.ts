// The records behind accounts, besides the connections themselves. What is secret in them is sealed; what only has to
// be recognised is hashed.

import type { Account, Owner } from "../core/connection.ts"
import type { Reason } from "../core/elicitation.ts"
import type { Principal, PrincipalId } from "../core/principal.ts"
import type { Sealed } from "../core/sealed.ts"
import type { KeptRecord } from "./records.ts"

/**
 * One attempt of a verified person to connect an account, from their click on our page until its end. Its id is the hash
 * of the `state` that the provider hands back. Filed under the question it serves; due when it expires, or sooner when
 * it has to be polled or finished.
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
  /** Who the provider says this is, once it was asked. */
  readonly account?: Account
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
 * the grant is stored. `confirming`: it is of another account than before, and the person has to say so. The rest are
 * ends.
 */
export type FlowStatus = "consented" | "exchanging" | "exchanged" | "confirming" | "finished" | "failed"

/** A sign-in under way at an identity provider. Its id is the hash of `state`. */
export interface SignIn extends KeptRecord {
  readonly identityProvider: string
  readonly issuer: string
  readonly redirectUri: string
  /** Hash of the cookie given to the browser that began. */
  readonly browser: string
  /** Where to go afterwards: an id that the pages know, never an address. */
  readonly to: string
  readonly expiresAt: number
  /** PKCE verifier and nonce. */
  readonly sealed?: Sealed
}

/** A signed-in browser. Its id is the hash of what the cookie holds. Filed under the person; due when it ends. */
export interface Session extends KeptRecord {
  readonly principal: Principal
  /** As the identity provider gave it, for greeting. */
  readonly name?: string
  /** What the browser said it is, shortened, so that people recognise their sessions. */
  readonly agent?: string
  /** Local mode: the one question that this browser claimed. */
  readonly claim?: string
  /** Local mode: hash of what the cookie holds. The id is then derived from the question, so that one browser wins. */
  readonly browser?: string
  readonly createdAt: number
  readonly seenAt: number
  readonly expiresAt: number
}

/** A data key by itself: of a tenant's answers, or the canary. Filed under what it is for. */
export interface DataKey extends KeptRecord {
  readonly purpose: "answers" | "canary"
  readonly createdAt: number
  readonly sealed: Sealed
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
