// The API keys of agents.apiKeys. Only their digests are known here. A key proves a program, and not a person.

import { createHash, timingSafeEqual } from "node:crypto"
import type { Principal } from "@holdpoint/sdk"
import type { ApiKeyConfig } from "../definition.ts"

/** The issuer of programs. An identity provider cannot have it, because it is not an address. */
export const programIssuer = "holdpoint:program"

/** The configured key with this text. */
export function findKey(apiKeys: readonly ApiKeyConfig[], text: string): ApiKeyConfig | undefined {
  if (text === "") return undefined
  const digest = createHash("sha256").update(text).digest()
  return apiKeys.find(({ sha256 }) => {
    const known = Buffer.from(sha256, "hex")
    return known.length === digest.length && timingSafeEqual(known, digest)
  })
}

/** The program as the owner of its conversations. */
export const toProgram = ({ id, actsFor }: ApiKeyConfig): Principal => ({
  ...{ tenant: actsFor?.tenant ?? "local", issuer: programIssuer, subject: id },
})
