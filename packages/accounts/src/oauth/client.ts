// Client authentication at a provider. Every request uses the guarded fetch, and no request with a secret follows a
// redirect.

import type { webcrypto } from "node:crypto"
import type { OAuthClient } from "@holdpoint/hub/internal"
import * as oauth from "oauth4webapi"
import type { OAuthTools, Registration } from "./registration.ts"
import { isLoopbackHttp, type Server } from "./server.ts"

/** The tolerated difference of a provider's clock, in seconds. */
const clockTolerance = 300

export function toClient(registration: Registration, { runtime }: OAuthTools): oauth.Client {
  return {
    client_id: registration.client.id,
    // oauth4webapi reads the system clock; the skew corrects its time to the runtime's clock.
    [oauth.clockSkew]: Math.round((runtime.now() - Date.now()) / 1000),
    [oauth.clockTolerance]: clockTolerance,
  }
}

/** Creates the client authentication of a request. Undefined when the private key cannot be used. */
export async function toClientAuth(
  client: OAuthClient,
  { issuer }: Server["metadata"],
): Promise<oauth.ClientAuth | undefined> {
  const { authentication } = client
  switch (authentication.method) {
    case "none":
      return oauth.None()
    case "post":
      return oauth.ClientSecretPost(authentication.secret)
    case "basic":
      return (_server, _client, _body, headers) => {
        headers.set("authorization", toBasic(client.id, authentication.secret))
      }
    case "private_key_jwt": {
      const key = await importKey(authentication.key)
      // Prevents audience injection: an assertion for one server must be useless at another.
      const modify = {
        [oauth.modifyAssertion]: (_header: unknown, payload: object) => void Object.assign(payload, { aud: issuer }),
      }
      const kid = authentication.keyId ?? authentication.key.kid
      return key && oauth.PrivateKeyJwt(typeof kid === "string" ? { key, kid } : key, modify)
    }
  }
}

/**
 * Writes the Basic credentials. RFC 6749 §2.3.1 requires form-encoding of both parts. Only special characters are
 * encoded, because many providers do not decode, and issue ids and secrets without such characters.
 */
export function toBasic(id: string, secret: string): string {
  const encode = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+")
  return `Basic ${btoa(`${encode(id)}:${encode(secret)}`)}`
}

/** The options of every oauth4webapi request. The format `json` sends JSON instead of the form that is standard. */
export function toOptions(address: string | undefined, { fetch }: OAuthTools, format: "form" | "json" = "form") {
  return {
    [oauth.allowInsecureRequests]: isLoopbackHttp(address ?? ""),
    [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>): Promise<Response> => {
      const request = { ...init, redirect: "manual" } as RequestInit
      if (format === "form" || !(init.body instanceof URLSearchParams)) return fetch(url, request)
      const headers = { ...init.headers, "content-type": "application/json" }
      return fetch(url, { ...request, headers, body: JSON.stringify(Object.fromEntries(init.body)) })
    },
  }
}

const importedKeys = new WeakMap<object, Promise<webcrypto.CryptoKey | undefined>>()

function importKey(jwk: Readonly<Record<string, unknown>>): Promise<webcrypto.CryptoKey | undefined> {
  const imported = importedKeys.get(jwk)
  if (imported !== undefined) return imported
  const algorithm = algorithms[String(jwk.alg ?? jwk.crv ?? jwk.kty)]
  const { key_ops: _operations, ext: _extractable, use: _use, ...material } = jwk
  const key =
    algorithm === undefined || typeof jwk.d !== "string"
      ? Promise.resolve(undefined)
      : crypto.subtle.importKey("jwk", material, algorithm, false, ["sign"]).catch(() => undefined)
  importedKeys.set(jwk, key)
  return key
}

/** How to import a JWK, by its `alg`, or else its curve, or else its key type. */
const algorithms: Readonly<
  Record<string, webcrypto.EcKeyImportParams | webcrypto.RsaHashedImportParams | webcrypto.Algorithm>
> = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  "P-256": { name: "ECDSA", namedCurve: "P-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384" },
  "P-384": { name: "ECDSA", namedCurve: "P-384" },
  ES512: { name: "ECDSA", namedCurve: "P-521" },
  "P-521": { name: "ECDSA", namedCurve: "P-521" },
  EdDSA: { name: "Ed25519" },
  Ed25519: { name: "Ed25519" },
  RSA: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  RS384: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" },
  RS512: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" },
  PS256: { name: "RSA-PSS", hash: "SHA-256" },
  PS384: { name: "RSA-PSS", hash: "SHA-384" },
  PS512: { name: "RSA-PSS", hash: "SHA-512" },
}
