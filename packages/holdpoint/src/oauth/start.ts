// The beginning of a consent: the address to which the person is sent, and the secrets that prove later that the answer
// is to this question. The caller keeps them sealed and makes `state`.

import * as oauth from "oauth4webapi"
import { unionScopes } from "../core/connection.ts"
import type { Reason } from "../core/elicitation.ts"
import { jsonOf, judgeAvailability, toReason } from "../fetching/answer.ts"
import { toClient, toClientAuth, toOptions } from "./client.ts"
import { reasons, toProviderReason } from "./reasons.ts"
import type { OAuthTools, Registration } from "./registration.ts"
import { resolveServer, type Server } from "./server.ts"

export interface AuthorizationRequest {
  readonly redirectUri: string
  /** What the tool needs; the provider's base scopes are added. */
  readonly scopes: readonly string[]
  readonly state: string
  /** OpenID Connect Core §3.1.2.1: asks the person again, although the server may still know them. */
  readonly prompt?: "login" | "select_account"
}

/** Absent members were not used: the provider has no PKCE, or openid was not asked for. */
export interface FlowSecrets {
  readonly verifier?: string
  readonly nonce?: string
}

export type Started =
  | { readonly kind: "started"; readonly url: string; readonly issuer?: string; readonly secrets: FlowSecrets }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

export async function startAuthorization(
  registration: Registration,
  request: AuthorizationRequest,
  tools: OAuthTools,
): Promise<Started> {
  const resolved = await resolveServer(registration, tools)
  if (resolved.kind !== "server") return resolved
  const { server } = resolved
  const secrets: FlowSecrets = {
    ...(registration.pkce === "none" ? {} : { verifier: oauth.generateRandomCodeVerifier() }),
    ...(askedScopes(registration, request.scopes).includes("openid") ? { nonce: oauth.generateRandomNonce() } : {}),
  }
  const parameters = await toParameters(registration, request, secrets)
  const pushed = await push(registration, server, parameters, tools)
  if (pushed.kind !== "parameters") return pushed
  const url = new URL(server.metadata.authorization_endpoint!)
  for (const [name, value] of pushed.parameters) url.searchParams.set(name, value)
  return { kind: "started", url: url.href, ...(server.issuer === undefined ? {} : { issuer: server.issuer }), secrets }
}

/** What is asked of the provider for what a tool needs. */
export function askedScopes(registration: Registration, scopes: readonly string[]): readonly string[] {
  return unionScopes(registration.baseScopes ?? [], scopes)
}

/** The provider's own parameters first, so that none of them replaces one of ours. */
async function toParameters(
  registration: Registration,
  { redirectUri, scopes, state, prompt }: AuthorizationRequest,
  { verifier, nonce }: FlowSecrets,
): Promise<URLSearchParams> {
  const parameters = new URLSearchParams(registration.authorizationParameters)
  const { scopeParameter = "scope", scopeSeparator = " ", scopes: scopeQuirk } = registration.quirks ?? {}
  const asked = scopeQuirk === "ignored" ? (registration.baseScopes ?? []) : askedScopes(registration, scopes)
  const ours = {
    client_id: registration.client.id,
    response_type: "code",
    redirect_uri: redirectUri,
    ...(asked.length === 0 ? {} : { [scopeParameter]: asked.join(scopeSeparator) }),
    state,
    ...(nonce === undefined ? {} : { nonce }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(registration.resource === undefined ? {} : { resource: registration.resource }),
    ...(verifier === undefined
      ? {}
      : { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" }),
  }
  for (const [name, value] of Object.entries(ours)) parameters.set(name, value)
  return parameters
}

type Pushed =
  | { readonly kind: "parameters"; readonly parameters: Iterable<readonly [string, string]> }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

/** RFC 9126: where the provider has an endpoint for it, the browser carries a reference only. */
async function push(
  registration: Registration,
  server: Server,
  parameters: URLSearchParams,
  tools: OAuthTools,
): Promise<Pushed> {
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

function judgePushed(registration: Registration, status: number, body: unknown): Pushed {
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
