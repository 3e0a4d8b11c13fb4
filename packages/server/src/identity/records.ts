// Records about people: open sign-ins, sessions and preferences. Secrets are sealed; values that are only compared are
// hashed.

import type { Principal, PrincipalId } from "@holdpoint/hub"
import { ownerKey, toOwner } from "@holdpoint/hub/internal"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

/** An open sign-in at an identity provider. Its id is the hash of `state`; PKCE verifier and nonce are sealed. */
export interface SignIn extends KeptRecord {
  readonly identityProvider: string
  readonly issuer: string
  readonly redirectUri: string
  /** The hash of the cookie of the browser that began the sign-in. */
  readonly browser: string
  /** The page where the person continues: an id that the pages know, never an address. */
  readonly to: string
  readonly expiresAt: number
}

export const signInKind: RecordKind<SignIn> = {
  name: "sign_in",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** A signed-in browser. Its id is the hash of the cookie's value. Due when it ends. */
export interface Session extends KeptRecord {
  readonly principal: Principal
  /** The name from the identity provider, shown on the pages. */
  readonly name?: string
  /** The e-mail address, verified by the identity provider. */
  readonly email?: string
  /** The shortened User-Agent, so that people recognise their sessions. */
  readonly agent?: string
  /** Local mode: the claimed question, or the hash of the key that admitted this browser. */
  readonly claim?: string
  /** Local mode: the hash of the cookie's value. The id is derived from `claim`, so that only one browser can claim. */
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

/** A person's preference: a small text by name. Not secret, and not sealed. */
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
