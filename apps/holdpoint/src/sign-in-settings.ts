// Where people sign in to `holdpoint serve` with these settings, and who can.

import type { Settings } from "./config.ts"
import { embeddedTenant, issuerAt } from "./idp/issuer.ts"

/** The address at which `holdpoint serve` with the same settings runs. */
export function publicUrlOf({ pages: { publicUrl, host, port } }: Settings): string {
  return publicUrl ?? new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}`).origin
}

/** Without configured identity providers, the server uses its own, with alice and bob. */
export function issuersOf(settings: Settings): readonly string[] {
  const configured = settings.identityProviders.map(({ issuer }) => issuer)
  return configured.length > 0 ? configured : [issuerAt(publicUrlOf(settings))]
}

/** The tenants of people who can sign in. Empty when a claim may name any tenant. */
export function tenantsOf({ identityProviders }: Settings): readonly string[] {
  if (identityProviders.length === 0) return [embeddedTenant]
  const tenants = identityProviders.map(({ tenant }) => (typeof tenant === "string" ? [tenant] : tenant?.allowed))
  return tenants.some((allowed) => allowed === undefined) ? [] : tenants.flatMap((allowed) => allowed ?? [])
}
