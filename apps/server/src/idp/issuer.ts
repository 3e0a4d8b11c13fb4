// The path, the issuer and the tenant of the embedded identity provider.

import { isLoopback } from "../loopback.ts"

export const mount = "/idp"
export const embeddedTenant = "local"

export const issuerAt = (publicUrl: string): string => `${new URL(publicUrl).origin}${mount}`

/** Whether an embedded identity provider has this issuer, of whichever port. */
export const isEmbedded = (issuer: string): boolean =>
  URL.canParse(issuer) && issuer === issuerAt(issuer) && isLoopback(issuer)
