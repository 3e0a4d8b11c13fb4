// Decides in local mode whose request this is: from a page of this server in the person's own browser, or from a program
// of theirs, which has the key. Every user of the machine can reach the port, so a request without proof is refused.

import type { Addresses, Principal } from "@holdpoint/hub"
import type { LocalIdentity } from "../identity/local.ts"
import { readBearer } from "../identity/resource/bearer.ts"
import { createJar } from "./cookies.ts"
import { browserCookie } from "./gate.ts"

export interface LocalSite {
  readonly identity: LocalIdentity
  readonly addresses: Addresses
}

/** The person's request; or, when nothing proves that it is theirs, why it is refused. */
export type LocalCaller =
  /** `mayApprove` is false for a program with the key: it begins things, and the person's Yes comes from their browser. */
  { readonly principal: Principal; readonly mayApprove: boolean } | { readonly refusal: string }

export async function localCallerOf(request: Request, { identity, addresses }: LocalSite): Promise<LocalCaller> {
  const { principal } = identity
  const refused = { refusal: noProof(identity) }
  const bearer = readBearer(request)
  if (bearer.kind === "token") return identity.isProgramKey(bearer.token) ? { principal, mayApprove: false } : refused
  if (bearer.kind === "malformed" || !isOwnPage(request, new URL(addresses.publicUrl))) return refused
  const token = createJar(addresses).get(request, browserCookie(identity))
  return (await identity.access(undefined, token)).kind === "theirs" ? { principal, mayApprove: true } : refused
}

const noProof = ({ programKey }: LocalIdentity): string =>
  "This server belongs to one person at this machine. A program of theirs sends the header " +
  `“Authorization: Bearer KEY”: the key is in ${programKey.place}. A browser of theirs opens an address that the server ` +
  "printed or showed, once."

/** Browsers send their cookies with the requests of any page, so only pages of this origin may use them. */
export function isOwnPage({ headers, url }: Request, ownUrl: URL): boolean {
  const origin = headers.get("origin")
  const isOwnOrigin = origin === null ? headers.get("sec-fetch-site") === "same-origin" : origin === ownUrl.origin
  return isOwnOrigin && (headers.get("host") ?? new URL(url).host) === ownUrl.host
}
