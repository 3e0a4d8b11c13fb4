// Sign-out at the identity provider (OpenID Connect RP-Initiated Logout). Our own session ends without it.

import { resolveServer } from "@holdpoint/accounts/internal"
import type { PrincipalId } from "@holdpoint/hub"
import { HoldpointError, paths } from "@holdpoint/hub"
import { problemOf } from "./reasons.ts"
import type { SignInParts } from "./sign-in.ts"

type Parts = Pick<SignInParts, "providers" | "registrations" | "tools" | "addresses" | "report">

export async function signOutAddress(parts: Parts, principal: PrincipalId): Promise<string | undefined> {
  const provider = [...parts.providers.values()].find(({ issuer }) => issuer === principal.issuer)
  if (provider === undefined) return undefined
  const resolved = await resolveServer(parts.registrations.get(provider.id)!, parts.tools)
  if (resolved.kind !== "server") {
    parts.report(`looking up ${provider.id}`, new HoldpointError("provider_unavailable", problemOf(resolved.reason)))
    return undefined
  }
  const url = URL.parse(resolved.server.metadata.end_session_endpoint ?? "")
  if (url === null) return undefined
  // The ID token is not stored; without one, the provider asks the person to confirm.
  url.searchParams.set("client_id", provider.client.id)
  url.searchParams.set("post_logout_redirect_uri", parts.addresses.to(paths.signIn))
  return url.href
}
