// What is kept of people: sign-ins under way, signed-in browsers, and what they have chosen. What is secret in them is
// sealed; what only has to be recognised is hashed.

import { ownerKey, toOwner } from "../core/connection.ts"
import type { Principal, PrincipalId } from "../core/principal.ts"
import type { KeptRecord, RecordKind } from "../ports/records.ts"

/** A sign-in under way at an identity provider. Its id is the hash of `state`; PKCE verifier and nonce are sealed. */
export interface SignIn extends KeptRecord {
  readonly identityProvider: string
  readonly issuer: string
  readonly redirectUri: string
  /** Hash of the cookie given to the browser that began. */
  readonly browser: string
  /** Where to go afterwards: an id that the pages know, never an address. */
  readonly to: string
  readonly expiresAt: number
}

export const signInKind: RecordKind<SignIn> = {
  name: "sign_in",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** A signed-in browser. Its id is the hash of what the cookie holds. Due when it ends, which is told. */
export interface Session extends KeptRecord {
  readonly principal: Principal
  /** As the identity provider gave it, for greeting. */
  readonly name?: string
  /** Verified by the identity provider. */
  readonly email?: string
  /** What the browser said it is, shortened, so that people recognise their sessions. */
  readonly agent?: string
  /** Local mode: the question whose button was pressed, or the key that made this the person's browser, hashed. */
  readonly claim?: string
  /** Local mode: hash of what the cookie holds. The id is then derived from `claim`, so that one browser wins. */
  readonly browser?: string
  readonly createdAt: number
  readonly seenAt: number
  readonly expiresAt: number
}

export const sessionKind: RecordKind<Session> = {
  name: "session",
  owner: ({ principal }) => ownerKey(toOwner(principal)),
  dueAt: ({ expiresAt }) => expiresAt,
  expiresAt: () => undefined,
}

/** What a person has chosen for themselves: a small text by name, theirs alone. Not secret, and not sealed. */
export interface Preference extends KeptRecord {
  readonly principal: PrincipalId
  readonly name: string
  readonly value: string
  readonly setAt: number
}

export const preferenceKind: RecordKind<Preference> = {
  name: "preference",
  owner: ({ principal }) => ownerKey(toOwner(principal)),
  dueAt: () => undefined,
  expiresAt: () => undefined,
}
