// The keys of an authorization server. A token names a key of the set and never supplies one; an unknown key id
// triggers a rate-limited refetch.

import type { OAuthTools } from "@holdpoint/accounts/internal"
import type { JSONWebKeySet, LocalJWKSet } from "jose"
import { createLocalJWKSet, errors } from "jose"
import { type CacheTimes, createCached } from "./cached.ts"
import { cacheServer, unfitIssuerError } from "./discover.ts"
import type { ByJwt, ByKeys } from "./issuer.ts"

export type FindKey = (...parameters: Parameters<LocalJWKSet>) => ReturnType<LocalJWKSet>

const minute = 60_000
const times: CacheTimes = { freshMs: 10 * minute, staleMs: 60 * minute, retryMs: 5_000, renewMs: 30_000 }

export function createRemoteKeys(issuer: string, { jwksUri }: ByJwt, tools: OAuthTools): FindKey {
  const server = cacheServer(issuer, { jwks_uri: true }, tools)
  const addressOf = async (): Promise<string> => jwksUri ?? (await server.get()).jwks_uri!
  const load = async () => readKeys(issuer, await tools.fetch(await addressOf(), keyRequest))
  const keys = createCached(load, tools.runtime.now, times)
  return async (header, token) => {
    const set = await keys.get()
    try {
      return await set(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const newerSet = await keys.renew(set)
      if (newerSet === undefined) throw error
      return newerSet(header, token)
    }
  }
}

/** Keys of an authorization server in this process. A set is parsed once per object. */
export function createLocalKeys({ keys }: ByKeys): FindKey {
  const importedSets = new WeakMap<JSONWebKeySet, LocalJWKSet>()
  return async (header, token) => {
    const keySet = await keys()
    const set = importedSets.get(keySet) ?? createLocalJWKSet(keySet)
    importedSets.set(keySet, set)
    return set(header, token)
  }
}

const keyRequest: RequestInit = {
  headers: { accept: "application/json, application/jwk-set+json" },
  redirect: "manual",
}

async function readKeys(issuer: string, response: Response): Promise<LocalJWKSet> {
  if (response.status !== 200)
    throw unfitIssuerError(issuer, `it answered the request for its keys with status ${response.status}`)
  try {
    return createLocalJWKSet((await response.json()) as JSONWebKeySet)
  } catch {
    throw unfitIssuerError(issuer, "its keys cannot be read")
  }
}
