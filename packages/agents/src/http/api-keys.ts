// The API keys of `agents.apiKeys`, of which the server has only digests. A key identifies a program, not a person.

import { createHash, timingSafeEqual } from "node:crypto"
import type { Principal } from "@holdpoint/hub"
import type { ApiKeyConfig } from "../definition.ts"

/** The issuer in the principals of programs. No identity provider can have it, because it is not a URL. */
export const programIssuer = "holdpoint:program"

/** Finds the configured key that matches this text. */
export function findKey(apiKeys: readonly ApiKeyConfig[], text: string): ApiKeyConfig | undefined {
  if (text === "") return undefined
  const digest = createHash("sha256").update(text).digest()
  return apiKeys.find(({ sha256 }) => {
    const expected = Buffer.from(sha256, "hex")
    return expected.length === digest.length && timingSafeEqual(expected, digest)
  })
}

/** The principal of a program, as the owner of its conversations. */
export const toProgram = ({ id, actsFor }: ApiKeyConfig): Principal => ({
  ...{ tenant: actsFor?.tenant ?? "local", issuer: programIssuer, subject: id },
})
