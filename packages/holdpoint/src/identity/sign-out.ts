// Signing out at the identity provider as well (OpenID Connect RP-Initiated Logout). Our own session ends without it.

import { paths } from "../core/addresses.ts"
import type { PrincipalId } from "../core/principal.ts"
import { problemOf } from "./reasons.ts"
import type { SignInParts } from "./sign-in.ts"

type Parts = Pick<SignInParts, "providers" | "discover" | "publicUrl" | "report">

export async function signOutAddress(parts: Parts, principal: PrincipalId): Promise<string | undefined> {
  const provider = [...parts.providers.values()].find(({ issuer }) => issuer === principal.issuer)
  if (provider === undefined) return undefined
  const server = await parts.discover(provider).catch((error: unknown) => {
    parts.report(`looking up ${provider.id}`, new Error(problemOf(error)))
    return undefined
  })
  const url = URL.parse(server?.end_session_endpoint ?? "")
  if (url === null || url.protocol !== new URL(provider.issuer).protocol) return undefined
  // Without an ID token, which is not kept, the provider asks the person whether they mean it.
  url.searchParams.set("client_id", provider.client.id)
  url.searchParams.set("post_logout_redirect_uri", `${parts.publicUrl}${paths.signIn}`)
  return url.href
}
