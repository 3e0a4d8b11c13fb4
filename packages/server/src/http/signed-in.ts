// Finds the signed-in person of a request, for programs that serve their own pages beside the pages of this package.

import type { Addresses } from "@holdpoint/hub"
import type { Identity } from "../identity/index.ts"
import type { Session } from "../identity/records.ts"
import { cookieNames, createJar } from "./cookies.ts"

/**
 * The session of the browser that sent this request; undefined when it is not signed in. Check the origin of a request
 * before you change anything on its behalf (CSRF).
 */
export async function signedIn(
  request: Request,
  { identity, addresses }: { readonly identity: Identity; readonly addresses: Addresses },
): Promise<Session | undefined> {
  const token = createJar(addresses).get(request, cookieNames.session)
  return token === undefined ? undefined : identity.session(token)
}
