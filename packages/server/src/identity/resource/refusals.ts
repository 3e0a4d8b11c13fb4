// The messages for refused tokens, which repeat nothing from the token. RFC 6750 §3 allows ASCII without quotes and
// backslashes; they also avoid “=”, which clients search for.

import type { Claims } from "../claims.ts"

export const refusals = {
  unreadable: "The token cannot be read. Get a new one from the authorization server.",
  unknown_issuer: "The token is not from an authorization server that this server trusts.",
  signature: "The token is not signed with a key of its authorization server, or not in a way that is allowed here.",
  expired: "The token has expired. Get a new one.",
  not_yet_valid: "The token is not valid yet, or was issued in the future. Check the clocks.",
  lifetime: "The token does not say when it expires.",
  audience: "The token was issued for another server. Ask for one with this server as the resource.",
  not_access: "The token is not an access token, or is not marked as one (typ at+jwt, RFC 9068).",
  bound: "The token is bound to a key, and this server does not check proofs of possession. Get a bearer token.",
  inactive: "The token has expired or was revoked. Get a new one.",
  no_client: "The token does not say which client it was issued to.",
  no_person: "The token does not say who its user is, or this user is not known here.",
} as const

export type TokenRefusal = keyof typeof refusals

export type Verdict =
  | { readonly ok: true; readonly claims: Claims }
  | { readonly ok: false; readonly refusal: TokenRefusal }

/** Rejects when the token cannot be checked: it is then neither accepted nor refused. */
export type Verify = (token: string) => Promise<Verdict>

export const refuse = (refusal: TokenRefusal) => ({ ok: false, refusal }) as const
