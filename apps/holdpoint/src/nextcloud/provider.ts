// Reads the identity provider's metadata at the start, so that a wrong address is reported then, and not to the first
// person who signs in. An unreachable provider is a warning only.

import { fetchWithinOrigin } from "@holdpoint/fetching/internal"
import { isHoldpointError } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import { wrongUse } from "../wrong-use.ts"
import type { OidcClient } from "./settings.ts"
import { wellKnown } from "./settings.ts"

export interface FoundProvider {
  /** The configured client, with the issuer exactly as the metadata states it if the provider could be reached. */
  readonly client: OidcClient
  readonly warning?: string
}

export async function askProvider(client: OidcClient, fetch: Fetch): Promise<FoundProvider> {
  const metadata = await readMetadata(client.discovery, fetch)
  if (metadata.kind === "unreachable") return { client, warning: unreachable(client, metadata.reason) }
  if (metadata.kind === "none") throw noProvider(client.discovery, metadata.reason)
  const { issuer } = metadata
  const provider = { client: { ...client, issuer }, ...(await refusedEndpoint(metadata.endpoints, fetch)) }
  // Sign-in and token exchange read the metadata below the issuer's address, so it must state the same issuer.
  const metadataUrl = `${issuer.replace(/\/+$/, "")}${wellKnown}`
  if (metadataUrl === client.discovery) return provider
  const ownMetadata = await readMetadata(metadataUrl, fetch)
  if (ownMetadata.kind === "unreachable")
    return { ...provider, warning: unreachable({ ...client, discovery: metadataUrl }, ownMetadata.reason) }
  if (ownMetadata.kind === "found" && ownMetadata.issuer === issuer) return provider
  throw wrongUse(
    `The provider at ${client.discovery} states the issuer ${issuer}, but ${metadataUrl} does not confirm it.`,
    "Set OIDC_DISCOVERY_URL to the issuer that its tokens name; or correct the provider's own address (for a Nextcloud: " +
      "overwrite.cli.url, and /.well-known forwarded to index.php).",
  )
}

type Metadata =
  | { readonly kind: "found"; readonly issuer: string; readonly endpoints: readonly string[] }
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string }

async function readMetadata(address: string, fetch: Fetch): Promise<Metadata> {
  let response: Response
  try {
    response = await fetchWithinOrigin(fetch, address, { headers: { accept: "application/json" } })
  } catch (error) {
    return { kind: "unreachable", reason: wordsOf(error) }
  }
  if (response.status >= 500 || response.status === 429)
    return { kind: "unreachable", reason: `it answered with ${response.status}` }
  if (response.status !== 200) return { kind: "none", reason: `it answered with ${response.status}` }
  const document = toMembers(await response.json().catch(() => undefined))
  const { issuer, token_endpoint, jwks_uri } = document
  const endpoints = [token_endpoint, jwks_uri].filter((one) => typeof one === "string")
  if (typeof issuer === "string" && URL.parse(issuer) !== null) return { kind: "found", issuer, endpoints }
  return { kind: "none", reason: "its answer is not provider metadata" }
}

const toMembers = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/** A warning if the network guard refuses an endpoint: endpoints may be on hosts that the settings do not name. */
async function refusedEndpoint(endpoints: readonly string[], fetch: Fetch): Promise<{ readonly warning?: string }> {
  for (const endpoint of endpoints) {
    try {
      const response = await fetch(endpoint, { method: "HEAD" })
      await response.body?.cancel()
    } catch (error) {
      if (isHoldpointError(error) && error.code === "unsafe_address")
        return {
          warning: `${error.message} It is an endpoint of the identity provider: allow it with HOLDPOINT_NETWORK_ALSO_ALLOW.`,
        }
    }
  }
  return {}
}

const noProvider = (address: string, reason: string): Error =>
  wrongUse(
    `There is no OpenID Connect provider at ${address}: ${reason}.`,
    "OIDC_DISCOVERY_URL is the address of its metadata, such as https://login.example.org/.well-known/openid-configuration.",
  )

const unreachable = ({ discovery }: OidcClient, reason: string): string =>
  `The identity provider cannot be reached now (${discovery}): ${reason.replace(/\.$/, "")}. People cannot sign in until it answers.`

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : ""
  return isHoldpointError(error) ? error.message : `${error.message}${code}`
}
