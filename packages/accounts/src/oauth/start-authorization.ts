// Builds an authorization request: its address, and the secrets that later bind the response to it. The caller stores
// the secrets sealed and creates `state`.

import { jsonOf, judgeAvailability, toReason } from "@holdpoint/fetching/internal"
import type { Reason } from "@holdpoint/hub"
import { unionScopes } from "@holdpoint/hub/internal"
import * as oauth from "oauth4webapi"
import { toClient, toClientAuth, toOptions } from "./client.ts"
import { reasons, toProviderReason } from "./reasons.ts"
import type { OAuthTools, Registration } from "./registration.ts"
import { resolveServer, type Server } from "./server.ts"

export interface AuthorizationRequest {
  readonly redirectUri: string
  /** The scopes that the tool needs. The provider's base scopes are added to the request. */
  readonly scopes: readonly string[]
  readonly state: string
  /** OpenID Connect Core §3.1.2.1: makes the server ask the person again, even if it still has a session. */
  readonly prompt?: "login" | "select_account"
}

/** The secrets of one attempt. `verifier` is absent without PKCE, and `nonce` without the `openid` scope. */
export interface FlowSecrets {
  readonly verifier?: string
  readonly nonce?: string
}

export type StartedAuthorization =
  | { readonly kind: "started"; readonly url: string; readonly issuer?: string; readonly secrets: FlowSecrets }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

export async function startAuthorization(
  registration: Registration,
  request: AuthorizationRequest,
  tools: OAuthTools,
): Promise<StartedAuthorization> {
  const resolved = await resolveServer(registration, tools)
  if (resolved.kind !== "server") return resolved
  const { server } = resolved
  const secrets: FlowSecrets = {
    ...(registration.pkce === "none" ? {} : { verifier: oauth.generateRandomCodeVerifier() }),
    ...(requestedScopesOf(registration, request.scopes).includes("openid")
      ? { nonce: oauth.generateRandomNonce() }
      : {}),
  }
  const parameters = await toParameters(registration, request, secrets)
  const pushed = await pushParameters(registration, server, parameters, tools)
  if (pushed.kind !== "parameters") return pushed
  const url = new URL(server.metadata.authorization_endpoint!)
  for (const [name, value] of pushed.parameters) url.searchParams.set(name, value)
  return { kind: "started", url: url.href, ...(server.issuer === undefined ? {} : { issuer: server.issuer }), secrets }
}

/** The scopes to request: the provider's base scopes and those that the tool needs. */
export function requestedScopesOf(registration: Registration, scopes: readonly string[]): readonly string[] {
  return unionScopes(registration.baseScopes ?? [], scopes)
}

/**
 * Creates the request's parameters. The provider's extra parameters come first, so that they cannot replace standard
 * ones.
 */
async function toParameters(
  registration: Registration,
  { redirectUri, scopes, state, prompt }: AuthorizationRequest,
  { verifier, nonce }: FlowSecrets,
): Promise<URLSearchParams> {
  const parameters = new URLSearchParams(registration.authorizationParameters)
  const { scopeParameter = "scope", scopeSeparator = " ", scopes: scopeQuirk } = registration.quirks ?? {}
  const requestedScopes =
    scopeQuirk === "ignored" ? (registration.baseScopes ?? []) : requestedScopesOf(registration, scopes)
  const ownParameters = {
    client_id: registration.client.id,
    response_type: "code",
    redirect_uri: redirectUri,
    ...(requestedScopes.length === 0 ? {} : { [scopeParameter]: requestedScopes.join(scopeSeparator) }),
    state,
    ...(nonce === undefined ? {} : { nonce }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(registration.resource === undefined ? {} : { resource: registration.resource }),
    ...(verifier === undefined
      ? {}
      : { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" }),
  }
  for (const [name, value] of Object.entries(ownParameters)) parameters.set(name, value)
  return parameters
}

type PushResult =
  | { readonly kind: "parameters"; readonly parameters: Iterable<readonly [string, string]> }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

/** Sends a pushed authorization request (RFC 9126), so that the browser carries only a reference. */
async function pushParameters(
  registration: Registration,
  server: Server,
  parameters: URLSearchParams,
  tools: OAuthTools,
): Promise<PushResult> {
  const address = server.metadata.pushed_authorization_request_endpoint
  if (address === undefined) return { kind: "parameters", parameters }
  const authentication = await toClientAuth(registration.client, server.metadata)
  if (authentication === undefined) return { kind: "refused", reason: reasons.unreadableKey }
  try {
    const client = toClient(registration, tools)
    const options = toOptions(address, tools)
    const response = await oauth.pushedAuthorizationRequest(
      server.metadata,
      client,
      authentication,
      parameters,
      options,
    )
    const body = await jsonOf(response)
    const unavailable = judgeAvailability(response, tools.runtime.now())
    return unavailable ?? judgePushed(registration, response.status, body)
  } catch (error) {
    return { kind: "unavailable", reason: toReason(error) }
  }
}

function judgePushed(registration: Registration, status: number, body: unknown): PushResult {
  const { request_uri, error } = (body ?? {}) as { readonly request_uri?: unknown; readonly error?: unknown }
  if (status === 201 && typeof request_uri === "string" && request_uri !== "")
    return {
      kind: "parameters",
      parameters: [
        ["client_id", registration.client.id],
        ["request_uri", request_uri],
      ],
    }
  if (error === "invalid_client") return { kind: "refused", reason: reasons.clientRefused }
  if (typeof error === "string") return { kind: "refused", reason: toProviderReason(error) }
  return { kind: "unavailable", reason: reasons.unintelligible }
}
