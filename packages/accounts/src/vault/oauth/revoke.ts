// Revokes a grant by the provider's own means. A failed revocation is retried later.

import { jsonOf, judgeAvailability, toReason } from "@holdpoint/fetching/internal"
import type { ApiCall, OAuthProvider, RevocationMeans } from "@holdpoint/hub/internal"
import * as oauth from "oauth4webapi"
import { toBasic, toClient, toClientAuth, toOptions } from "../../oauth/client.ts"
import { reasons } from "../../oauth/reasons.ts"
import { resolveServer, type Server } from "../../oauth/server.ts"
import { callApi, isSuccess } from "../api-call.ts"
import type { ProviderRevokeResult, SecretFields, Tools } from "../kind.ts"
import { toBearer } from "./bearer.ts"
import { refreshTokens } from "./refresh.ts"

export async function revokeGrant(
  provider: OAuthProvider,
  fields: SecretFields,
  tools: Tools,
): Promise<ProviderRevokeResult> {
  const { revocation } = provider
  switch (revocation.by) {
    case "nothing":
      return { kind: "impossible", ...(revocation.settings === undefined ? {} : { settings: revocation.settings }) }
    case "call":
      return revokeByCall(provider, revocation, fields, tools)
    case "rfc7009":
      return revokeTokens(provider, revocation.accepts ?? [], fields, tools)
  }
}

/** Revokes the refresh token first, so that no new access token can be issued. */
async function revokeTokens(
  provider: OAuthProvider,
  accepts: readonly number[],
  fields: SecretFields,
  tools: Tools,
): Promise<ProviderRevokeResult> {
  const resolved = await resolveServer(provider, tools)
  if (resolved.kind !== "server") return { kind: "later", reason: resolved.reason }
  const { server } = resolved
  if (server.metadata.revocation_endpoint === undefined) return { kind: "impossible" }
  for (const hint of ["refresh_token", "access_token"] as const) {
    const token = fields[hint]
    if (token === undefined) continue
    const revoked = await revokeToken(provider, server, { token, hint, accepts }, tools)
    if (revoked.kind !== "revoked") return revoked
  }
  return { kind: "revoked" }
}

async function revokeToken(
  provider: OAuthProvider,
  server: Server,
  { token, hint, accepts }: { readonly token: string; readonly hint: string; readonly accepts: readonly number[] },
  tools: Tools,
): Promise<ProviderRevokeResult> {
  const authentication = await toClientAuth(provider.client, server.metadata)
  if (authentication === undefined) return { kind: "later", reason: reasons.unreadableKey }
  try {
    const response = await oauth.revocationRequest(server.metadata, toClient(provider, tools), authentication, token, {
      ...toOptions(server.metadata.revocation_endpoint, tools, provider.quirks?.tokenRequest),
      additionalParameters: { token_type_hint: hint },
    })
    const unavailable = judgeAvailability(response, tools.runtime.now())
    if (unavailable !== undefined) return { ...unavailable, kind: "later" }
    if (accepts.includes(response.status)) return { kind: "revoked" }
    return judgeRevocation(response.status, await jsonOf(response))
  } catch (error) {
    return { kind: "later", reason: toReason(error) }
  }
}

/**
 * RFC 7009 §2.2: an unknown token counts as success. Some providers report it with their own error (Google:
 * invalid_token).
 */
export function judgeRevocation(status: number, body: unknown): ProviderRevokeResult {
  if (status >= 200 && status < 300) return { kind: "revoked" }
  const { error } = (body ?? {}) as { readonly error?: unknown }
  if (["unsupported_token_type", "invalid_token", "invalid_grant"].includes(String(error))) return { kind: "revoked" }
  return {
    kind: "later",
    reason: status === 401 || error !== undefined ? reasons.clientRefused : reasons.unintelligible,
  }
}

type ByCall = Extract<RevocationMeans, { by: "call" }>

async function revokeByCall(
  provider: OAuthProvider,
  revocation: ByCall,
  fields: SecretFields,
  tools: Tools,
): Promise<ProviderRevokeResult> {
  const firstResult = await callOnce(provider, revocation, fields, tools)
  if (firstResult !== "token_refused") return firstResult
  // The access token may only have expired while the grant is alive: a refreshed token can revoke it.
  const refreshed = await refreshTokens(provider, fields, tools)
  if (refreshed.kind === "unknown") return { ...refreshed, kind: "later" }
  if (refreshed.kind !== "refreshed") return { kind: "revoked" }
  const renewedFields = refreshed.credentials.fields
  const secondResult = await callOnce(provider, revocation, renewedFields, tools)
  if (secondResult === "token_refused") return { kind: "later", reason: reasons.credentialsRefused, renewedFields }
  // A rotated refresh token is used up: with the old fields, the next attempt would take the grant for ended.
  return secondResult.kind === "later" ? { ...secondResult, renewedFields } : secondResult
}

async function callOnce(
  provider: OAuthProvider,
  { call, authorization }: ByCall,
  fields: SecretFields,
  tools: Tools,
): Promise<ProviderRevokeResult | "token_refused"> {
  const isBearer = authorization === "bearer"
  const headers = isBearer ? toBearer(provider, fields) : toClientHeaders(provider)
  if (headers === undefined) return { kind: "later", reason: reasons.clientRefused }
  const answer = await callApi(withToken(call, fields), headers, tools)
  if (answer.kind === "unavailable") return { ...answer, kind: "later" }
  const { okMember, deadGrantErrors = [] } = provider.quirks ?? {}
  const body = (answer.body ?? {}) as Readonly<Record<string, unknown>>
  const hasFailed = okMember !== undefined && body[okMember] === false
  if (isSuccess(call, answer.status) && !hasFailed) return { kind: "revoked" }
  if (hasFailed && deadGrantErrors.includes(String(body.error))) return isBearer ? "token_refused" : { kind: "revoked" }
  if (answer.status === 401) return isBearer ? "token_refused" : { kind: "later", reason: reasons.clientRefused }
  return { kind: "later", reason: reasons.unintelligible }
}

function toClientHeaders({ client, headers }: OAuthProvider): Readonly<Record<string, string>> | undefined {
  const { authentication } = client
  if (authentication.method !== "basic" && authentication.method !== "post") return undefined
  return { ...headers, authorization: toBasic(client.id, authentication.secret) }
}

/** Inserts the token into a JSON body, escaped. */
function withToken(call: ApiCall, fields: SecretFields): ApiCall {
  if (call.body === undefined) return call
  const text = JSON.stringify(fields.access_token ?? "").slice(1, -1)
  return { ...call, body: call.body.replaceAll("{access_token}", () => text) }
}
