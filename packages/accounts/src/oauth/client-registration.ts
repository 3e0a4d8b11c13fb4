// Registers a client at an authorization server (RFC 7591). Requests a public client, but accepts a secret if the
// server issues one.

import { jsonOf, judgeAvailability, toReason } from "@holdpoint/fetching/internal"
import type { Reason } from "@holdpoint/hub"
import { reasons } from "./reasons.ts"
import type { OAuthTools } from "./registration.ts"

export interface NewClient {
  readonly name: string
  readonly uri: string
  readonly redirectUri: string
}

export type ClientRegistration =
  | {
      readonly kind: "registered"
      readonly clientId: string
      readonly clientSecret?: string
      /** The method by which the client secret is sent. */
      readonly method?: "basic" | "post"
      /** When the secret expires. Absent when it does not expire. */
      readonly expiresAt?: number
    }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

/** The client's metadata (RFC 7591 §2), the same for a registration and for a metadata document. */
export function toClientMetadata({ name, uri, redirectUri }: NewClient) {
  return {
    client_name: name,
    client_uri: uri,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: redirectUri.startsWith("https:") ? "web" : "native",
  }
}

export async function requestRegistration(
  endpoint: string,
  client: NewClient,
  tools: OAuthTools,
): Promise<ClientRegistration> {
  try {
    const response = await tools.fetch(endpoint, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify(toClientMetadata(client)),
      redirect: "manual",
    })
    const body = await jsonOf(response)
    return judgeAvailability(response, tools.runtime.now()) ?? judgeRegistration(response.status, body)
  } catch (error) {
    return { kind: "unavailable", reason: toReason(error) }
  }
}

export function judgeRegistration(status: number, body: unknown): ClientRegistration {
  if (status >= 300 && status < 400) return { kind: "refused", reason: reasons.redirected }
  const document = (body ?? {}) as Readonly<Record<string, unknown>>
  const { client_id, client_secret, client_secret_expires_at: end, token_endpoint_auth_method: method } = document
  const isKnown = method === undefined || methods.includes(String(method))
  if (status >= 400 || typeof client_id !== "string" || client_id === "" || !isKnown)
    return { kind: "refused", reason: { code: "registration_refused", message: refusedWords } }
  if (typeof client_secret !== "string" || client_secret === "" || method === "none")
    return { kind: "registered", clientId: client_id }
  return {
    kind: "registered",
    clientId: client_id,
    clientSecret: client_secret,
    // RFC 7591 §2: Basic is the default of the specification.
    method: method === "client_secret_post" ? "post" : "basic",
    ...(typeof end === "number" && end > 0 ? { expiresAt: end * 1_000 } : {}),
  }
}

const methods = ["none", "client_secret_basic", "client_secret_post"]

const refusedWords =
  "The authorization server did not register this program. The operator can register a client there by hand."
