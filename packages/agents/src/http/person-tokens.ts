// Short-lived tokens for one person, which the backend of another site gets for its own chat page. They are sealed,
// valid only for the run API, and end with the API key that they were made with.

import { createHash } from "node:crypto"
import type { Principal, Runtime } from "@holdpoint/hub"
import type { Tokens } from "@holdpoint/hub/sealing"
import type { ApiKeyConfig } from "../definition.ts"

/** The maximum lifetime of a token. */
export const mostSeconds = 900

/** The prefix of every person token, which distinguishes it from access tokens. */
export const personTokenPrefix = "hprun_"

export interface PersonToken {
  readonly principal: Principal
  readonly key: ApiKeyConfig
  /** The only conversation that the token is valid for. */
  readonly conversation?: string
}

export interface TokenRequest {
  readonly key: ApiKeyConfig
  readonly subject: string
  readonly seconds: number
  readonly conversation?: string
}

export interface MintedToken {
  readonly token: string
  readonly expiresAt: number
}

export interface PersonTokens {
  mint(request: TokenRequest): MintedToken
  /**
   * Verifies a token. Undefined when it was altered or has expired, or when its API key was removed or now acts for
   * other people.
   */
  open(token: string): PersonToken | undefined
}

interface TokenContent {
  readonly key: string
  readonly subject: string
  readonly expiresAt: number
  readonly conversation?: string
}

const purpose = "run api: a person"

export function createPersonTokens(
  tokens: Tokens,
  { now }: Pick<Runtime, "now">,
  apiKeys: readonly ApiKeyConfig[],
): PersonTokens {
  return {
    mint({ key, subject, seconds, conversation }) {
      const expiresAt = now() + Math.min(seconds, mostSeconds) * 1_000
      const content: TokenContent = {
        key: stateOf(key),
        subject,
        expiresAt,
        ...(conversation === undefined ? {} : { conversation }),
      }
      return { token: `${personTokenPrefix}${tokens.seal(purpose, JSON.stringify(content))}`, expiresAt }
    },
    open(token) {
      const text = tokens.open(purpose, token.slice(personTokenPrefix.length))
      if (text === undefined) return undefined
      // Only this server can seal a token, so the JSON has the shape that `mint` gave it.
      const { key: state, subject, expiresAt, conversation } = JSON.parse(text) as TokenContent
      const key = apiKeys.find((one) => stateOf(one) === state)
      if (key?.actsFor === undefined || expiresAt <= now()) return undefined
      const { tenant, issuer } = key.actsFor
      return { principal: { tenant, issuer, subject }, key, ...(conversation === undefined ? {} : { conversation }) }
    },
  }
}

/** A digest of an API key's settings. It changes when the key is replaced or acts for other people. */
const stateOf = ({ id, sha256, actsFor }: ApiKeyConfig): string =>
  createHash("sha256")
    .update(JSON.stringify([id, sha256.toLowerCase(), actsFor?.issuer, actsFor?.tenant]))
    .digest("base64url")
