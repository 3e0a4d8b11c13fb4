// The path, the issuer and the tenant of the embedded identity provider.

import { isLoopback } from "../loopback.ts"

export const idpPath = "/idp"
export const embeddedTenant = "local"

export const issuerAt = (publicUrl: string): string => `${new URL(publicUrl).origin}${idpPath}`

/** Whether this is the issuer of an embedded identity provider, on any port. */
export const isEmbedded = (issuer: string): boolean =>
  URL.canParse(issuer) && issuer === issuerAt(issuer) && isLoopback(issuer)
