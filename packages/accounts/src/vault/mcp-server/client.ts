// Our client at an authorization server that was found at run time. Precedence: the configured client, a metadata
// document on our pages, dynamic registration. A registered client is kept sealed and used at its server only.

import type { Reason } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import type { McpServerProvider, OAuthClient } from "@holdpoint/hub/internal"
import { hashOf, sealBindingOf } from "@holdpoint/hub/internal"
import { requestRegistration } from "../../oauth/client-registration.ts"
import type { Server } from "../../oauth/server.ts"
import type { OAuthClientRecord } from "../records.ts"
import { oauthClientKind } from "../records.ts"
import type { FindParts } from "./find.ts"
import { toAuthentication } from "./pin.ts"

export type FoundClient =
  | { readonly kind: "client"; readonly client: OAuthClient }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

export async function findClient(
  parts: FindParts,
  provider: McpServerProvider,
  server: Server,
  redirectUri: string,
): Promise<FoundClient> {
  const { newClients } = server
  const document = parts.addresses.to(paths.clientDocument, provider.id)
  if (provider.client !== undefined) return { kind: "client", client: provider.client }
  // The authorization server fetches the document, and accepts https only.
  if (newClients.byDocument && document.startsWith("https:"))
    return { kind: "client", client: { id: document, authentication: { method: "none" } } }
  if (provider.registration === true && newClients.registrationEndpoint !== undefined)
    return registeredClient(parts, provider, server, redirectUri)
  const message =
    `The authorization server of ${provider.name} does not accept a client id metadata document from here. ` +
    "The operator can register a client there and configure it as `client`, or allow registration with `registration: true`."
  return { kind: "refused", reason: { code: "client_unknown", message } }
}

/** Drops a registered client that its authorization server no longer knows; the next attempt registers again. */
export async function forgetClient(
  { storage }: Pick<FindParts, "storage">,
  provider: McpServerProvider,
  { issuer = "", redirectUri = "" }: { readonly issuer?: string; readonly redirectUri?: string },
): Promise<void> {
  const records = storage.records(oauthClientKind)
  const record = await records.get(clientRecordId(provider, issuer, redirectUri))
  if (record !== undefined) await records.remove(record)
}

/** Two providers never share a client, even at the same authorization server. */
const clientRecordId = ({ id }: McpServerProvider, issuer: string, redirectUri: string): string =>
  hashOf(JSON.stringify([id, issuer, redirectUri]))

async function registeredClient(
  parts: FindParts,
  provider: McpServerProvider,
  { metadata: { issuer }, newClients }: Server,
  redirectUri: string,
): Promise<FoundClient> {
  const records = parts.storage.records(oauthClientKind)
  const id = clientRecordId(provider, issuer, redirectUri)
  const now = parts.tools.runtime.now()
  const existing = await records.get(id)
  if (existing !== undefined && (existing.expiresAt === undefined || existing.expiresAt > now))
    return { kind: "client", client: openClient(parts, existing) }
  const registration = await requestRegistration(
    newClients.registrationEndpoint ?? "",
    { name: "Holdpoint", uri: parts.addresses.publicUrl, redirectUri },
    parts.tools,
  )
  if (registration.kind !== "registered") return registration
  const { clientId, clientSecret, method, expiresAt } = registration
  const base = { id, tenant: "", provider: provider.id, issuer, redirectUri, createdAt: now }
  const fields = {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(method === undefined ? {} : { method }),
  }
  const record: OAuthClientRecord = {
    ...base,
    version: (existing?.version ?? 0) + 1,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    sealed: parts.sealer.seal(sealBindingOf(oauthClientKind.name, base), fields),
  }
  if (await (existing === undefined ? records.insert(record) : records.replace(record)))
    return { kind: "client", client: openClient(parts, record) }
  // Another process registered at the same time; its client is used.
  const storedRecord = await records.get(id)
  return storedRecord === undefined
    ? { kind: "unavailable", reason: { code: "unavailable" } }
    : { kind: "client", client: openClient(parts, storedRecord) }
}

function openClient({ sealer }: FindParts, record: OAuthClientRecord): OAuthClient {
  const fields = sealer.open(sealBindingOf(oauthClientKind.name, record), record.sealed)
  return { id: fields.client_id ?? "", authentication: toAuthentication(fields.client_secret, fields.method) }
}
