// Loads the authorization server, and with it oidc-provider, only when one is created.

import { loadPeer } from "@holdpoint/hub/internal"
import type { AuthorizationOptions, AuthorizationServer } from "./server.ts"

/** Creates an OAuth authorization server for the people who sign in on these pages. Needs the package oidc-provider. */
export async function createAuthorizationServer(options: AuthorizationOptions): Promise<AuthorizationServer> {
  const server = await loadPeer("oidc-provider", () => import("./server.ts"))
  return server.createAuthorizationServer(options)
}
