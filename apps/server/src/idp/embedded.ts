// The identity provider that comes along, so that everything can be tried with no account anywhere. Not for production:
// its people, its one password and its keys are for trying out, and it runs on this machine's own address only.

import { HoldpointError } from "@holdpoint/sdk"
import { toFetch } from "@holdpoint/sdk/authorization"
import type { Mount } from "@holdpoint/sdk/compose"
import { Provider } from "oidc-provider"
import { isLoopback } from "../loopback.ts"
import { toConfiguration } from "./configuration.ts"
import { createInteraction } from "./interaction.ts"
import { issuerAt, mount } from "./issuer.ts"
import { sendErrorPage } from "./pages.ts"
import type { DemoUser } from "./users.ts"
import { demoUsers } from "./users.ts"

export interface EmbeddedIdpOptions {
  /** Of the server it is mounted in. Must be on this machine. */
  readonly publicUrl: string
  /** Where our own sign-in comes back to. */
  readonly redirectUris: readonly string[]
  readonly users?: readonly DemoUser[]
}

export interface EmbeddedIdp extends Mount {
  readonly issuer: string
  /** A public client: PKCE is required of it. */
  readonly client: { readonly id: string }
  /** To be said at the start. */
  readonly warning: string
}

export function createEmbeddedIdp(options: EmbeddedIdpOptions): EmbeddedIdp {
  const { redirectUris, users = demoUsers } = options
  assertLoopback(options.publicUrl)
  const base = new URL(options.publicUrl)
  const issuer = issuerAt(options.publicUrl)
  const client = { id: "holdpoint" }
  const provider = new Provider(issuer, toConfiguration({ mount, client, redirectUris, users }))
  // It says what its own address is by the request; what we set below is what it sees.
  provider.proxy = true
  const answer = provider.callback()
  const interact = createInteraction(provider, users)
  const answerAll = toFetch((request, response) => {
    const { url = "" } = request
    Object.assign(request.headers, { "x-forwarded-host": base.host, "x-forwarded-proto": base.protocol.slice(0, -1) })
    const path = url.slice(mount.length)
    if (path.startsWith("/interaction/")) return void interact(request, response).catch(() => sendErrorPage(response))
    // The addresses it gives out are put together from the part that is missing here.
    Object.assign(request, { originalUrl: url, url: path.startsWith("/") ? path : `/${path}` })
    answer(request, response)
  })

  return {
    issuer,
    client,
    warning: `The sign-in of this server is a demonstration (${users.map(({ id }) => id).join(", ")}, one public password). Not for production: configure an identity provider instead.`,
    handles: (path) => path === mount || path.startsWith(`${mount}/`),
    async fetch(request) {
      // A foreign name that leads to this machine is how a web page would reach it (DNS rebinding).
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
    "The identity provider that comes along, with alice and bob, works on this machine's own address only, and the " +
      `public address is ${publicUrl}. Configure your own identity provider (identityProviders in the ` +
      "settings), or use http://localhost as the public address.",
  )
}
