// Judges client metadata. Of clients that the administrator did not register, only the name and the redirect addresses
// are used; everything else is dropped, so that it is never fetched or obeyed. Pure.

import { HoldpointError } from "@holdpoint/hub"
import { checkUrl, isLoopback, textProblem } from "@holdpoint/hub/internal"
import type { ClientMetadata } from "oidc-provider"
import type { ClientKind, RegisteredClient } from "./client.ts"
import { algorithm } from "./keys.ts"

/** Fixed metadata: every client uses codes and refresh tokens only. */
const commonMetadata = {
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code" as const],
  id_token_signed_response_alg: algorithm,
}

export function toMetadata(clients: readonly RegisteredClient[]): ClientMetadata[] {
  return clients.map(({ clientId, name, redirectUris, secret }) => {
    const isWeb = redirectUris.every((uri) => uri.startsWith("https:"))
    const secrecy =
      secret === undefined
        ? { token_endpoint_auth_method: "none" as const }
        : { token_endpoint_auth_method: "client_secret_basic" as const, client_secret: secret }
    if (redirectUris.length === 0 || textProblem(name, 100) !== undefined)
      throw new HoldpointError(
        "invalid_config",
        `The client ${clientId} needs a name and at least one redirect address.`,
      )
    return {
      ...{ client_id: clientId, client_name: name, redirect_uris: [...redirectUris], ...commonMetadata, ...secrecy },
      application_type: isWeb ? "web" : "native",
    }
  })
}

/** Converts a client's metadata to the stored metadata, or returns the reason why it is refused. */
export function judgeClient(
  declared: Readonly<Record<string, unknown>>,
): { readonly ok: true; readonly metadata: ClientMetadata } | { readonly ok: false; readonly problem: string } {
  const { client_id, client_name, redirect_uris, client_id_issued_at, token_endpoint_auth_method } = declared
  const problem = redirectsProblem(redirect_uris)
  if (problem !== undefined) return { ok: false, problem }
  if (token_endpoint_auth_method === "private_key_jwt")
    return { ok: false, problem: "clients that authenticate with keys of their own are not supported; use none" }
  return {
    ok: true,
    metadata: {
      client_id: String(client_id),
      redirect_uris: redirect_uris as string[],
      ...commonMetadata,
      token_endpoint_auth_method: "none",
      // RFC 8252 §7.3: any port is allowed on a loopback redirect address.
      application_type: "native",
      ...(textProblem(client_name, 100) === undefined ? { client_name: String(client_name) } : {}),
      ...(typeof client_id_issued_at === "number" ? { client_id_issued_at } : {}),
    },
  }
}

/**
 * Whether the client id is the address of a metadata document. CIMD §3: an https address with a path, in normal form.
 */
export function isDocumentAddress(clientId: string): boolean {
  const url = clientId.length <= 500 ? URL.parse(clientId) : null
  return (
    url !== null && url.protocol === "https:" && url.pathname !== "/" && url.href === clientId && checkUrl(clientId).ok
  )
}

export function kindOf(clientId: string, registered: ReadonlySet<string>): ClientKind {
  if (registered.has(clientId)) return "registered"
  return /^https:/i.test(clientId) ? "document" : "dynamic"
}

/** Whether the redirect address stays on the person's machine, where any local program may listen. */
export function staysOnMachine(redirectUri: string): boolean {
  const { protocol, hostname } = URL.parse(redirectUri) ?? { protocol: "", hostname: "" }
  return protocol !== "https:" || isLoopback(hostname)
}

const mostRedirects = 10
const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"]

function redirectsProblem(uris: unknown): string | undefined {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > mostRedirects)
    return `redirect_uris must name one to ${mostRedirects} addresses`
  return uris.map(redirectProblem).find((problem) => problem !== undefined)
}

function redirectProblem(uri: unknown): string | undefined {
  const check = typeof uri === "string" ? checkUrl(uri) : undefined
  const url = check?.ok === true ? URL.parse(check.url) : null
  if (url === null || String(uri).includes("#")) return "redirect_uris must be whole web addresses without a fragment"
  const isLocal = isLoopback(url.hostname)
  if (url.protocol === "https:" && !isLocal) return undefined
  if (url.protocol === "http:" && loopbackHosts.includes(url.hostname)) return undefined
  return "redirect_uris must be https, or http on localhost, 127.0.0.1 or [::1]"
}
