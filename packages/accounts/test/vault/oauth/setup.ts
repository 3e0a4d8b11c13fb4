// What the OAuth tests share: tools with a clock of their own, and the steps that a hub takes with a provider.

import { randomBytes } from "node:crypto"
import type { Fetch, OAuthProvider } from "@holdpoint/accounts"
import { createGuardedFetch } from "@holdpoint/accounts"
import { createTestClock } from "@holdpoint/testing"
import { expect } from "vitest"
import { type StartedAuthorization, startAuthorization } from "../../../src/oauth/start-authorization.ts"
import type { Credentials } from "../../../src/vault/kind.ts"
import { type RedeemResult, redeem as redeemCode } from "../../../src/vault/oauth/callback.ts"

export const redirectUri = "https://hub.example/oauth/callback/oidc"

export const loopbackFetch: Fetch = createGuardedFetch({
  allowLoopback: true,
  timeoutMs: 5000,
  maxBytes: 100_000,
  until: "body",
})

/** The clock begins now, because servers outside the tests have one too. */
export function createTools(fetch: Fetch = loopbackFetch) {
  return { fetch, runtime: createTestClock(Date.now()) }
}

type TestTools = ReturnType<typeof createTools>
type StartedFlow = Extract<StartedAuthorization, { kind: "started" }>

export interface Attempt extends StartedFlow {
  readonly state: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
}

export async function begin(provider: OAuthProvider, scopes: readonly string[], tools: TestTools): Promise<Attempt> {
  const state = randomBytes(24).toString("base64url")
  const started = await startAuthorization(provider, { redirectUri, scopes, state }, tools)
  if (started.kind !== "started") throw new Error(JSON.stringify(started))
  return { ...started, state, scopes, redirectUri }
}

export function redeem(provider: OAuthProvider, attempt: Attempt, back: URL, tools: TestTools): Promise<RedeemResult> {
  return redeemCode(provider, { ...attempt, parameters: back.searchParams }, tools)
}

export function granted(exchanged: RedeemResult): Credentials {
  expect(exchanged).toMatchObject({ kind: "granted" })
  return (exchanged as Extract<RedeemResult, { kind: "granted" }>).credentials
}
