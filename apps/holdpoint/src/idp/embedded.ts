// The embedded identity provider, so that everything can be tried without an account anywhere. Not for production:
// anyone at this machine can sign in as any of its people, without a password. It works on a loopback address only.

import { HoldpointError } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { toFetch } from "@holdpoint/server/authorization"
import { Provider } from "oidc-provider"
import { isLoopback } from "../loopback.ts"
import { toConfiguration } from "./configuration.ts"
import { createInteraction } from "./interaction.ts"
import { idpPath, issuerAt } from "./issuer.ts"
import { sendErrorPage } from "./pages.ts"
import type { DemoUser } from "./users.ts"
import { demoUsers } from "./users.ts"

export interface EmbeddedIdpOptions {
  /** The address of the server that mounts the identity provider. Must be a loopback address. */
  readonly publicUrl: string
  /** The redirect URIs of this server's sign-in. */
  readonly redirectUris: readonly string[]
  readonly users?: readonly DemoUser[]
}

export interface EmbeddedIdp extends Mount {
  readonly issuer: string
  /** A public client, so PKCE is required. */
  readonly client: { readonly id: string }
  /** The server prints this warning at the start. */
  readonly warning: string
}

export function createEmbeddedIdp(options: EmbeddedIdpOptions): EmbeddedIdp {
  const { redirectUris, users = demoUsers } = options
  assertLoopback(options.publicUrl)
  const base = new URL(options.publicUrl)
  const issuer = issuerAt(options.publicUrl)
  const client = { id: "holdpoint" }
  const provider = new Provider(issuer, toConfiguration({ mount: idpPath, client, redirectUris, users }))
  // The provider derives its own address from the forwarded headers that are set below.
  provider.proxy = true
  const answer = provider.callback()
  const interact = createInteraction(provider, users)
  const answerAll = toFetch((request, response) => {
    const { url = "" } = request
    Object.assign(request.headers, { "x-forwarded-host": base.host, "x-forwarded-proto": base.protocol.slice(0, -1) })
    const path = url.slice(idpPath.length)
    if (path.startsWith("/interaction/")) return void interact(request, response).catch(() => sendErrorPage(response))
    // oidc-provider derives its mount path from the difference between originalUrl and url.
    Object.assign(request, { originalUrl: url, url: path.startsWith("/") ? path : `/${path}` })
    answer(request, response).catch(() => sendErrorPage(response))
  })

  return {
    issuer,
    client,
    warning: `The sign-in of this server is a demonstration (${users.map(({ id }) => id).join(", ")}, no password). Not for production: configure an identity provider instead.`,
    handles: (path) => path === idpPath || path.startsWith(`${idpPath}/`),
    async fetch(request) {
      // A foreign host name that resolves to this machine is a DNS rebinding attack.
      const host = request.headers.get("host") ?? new URL(request.url).host
      return host === base.host ? answerAll(request) : new Response(null, { status: 421 })
    },
    close: async () => {},
  }
}
function assertLoopback(publicUrl: string): void {
  if (isLoopback(publicUrl)) return
  throw new HoldpointError(
    "invalid_config",
    "The embedded identity provider, with alice and bob, works on a loopback address only, and the " +
      `public address is ${publicUrl}. Configure your own identity provider (identityProviders in the ` +
      "settings), or use http://localhost as the public address.",
  )
}
