// Converts a principal to token claims and back: the caller of a server and the person on our pages are exactly the
// same principal. Pure.

import type { PrincipalId } from "@holdpoint/hub"
import { nameProblem } from "@holdpoint/hub/internal"

/** The access-token claim that holds the principal. */
export const principalClaim = "principal"

/** The `sub` claim: an unambiguous encoding of the three parts. */
export function toAccountId({ tenant, issuer, subject }: PrincipalId): string {
  return [tenant, issuer, subject].map(encodeURIComponent).join("|")
}

/** Reads the principal from a `sub` claim. Undefined for a text that `toAccountId` did not produce. */
export function fromAccountId(accountId: string): PrincipalId | undefined {
  const parts = accountId.split("|")
  const [tenant, issuer, subject] = parts.map(decode)
  return parts.length === 3 ? checked({ tenant, issuer, subject }) : undefined
}

/**
 * Reads the principal. Signature, issuer and audience must already be verified. Undefined when the claim is missing.
 */
export function toPrincipal(claims: Readonly<Record<string, unknown>>): PrincipalId | undefined {
  const claimed = claims[principalClaim]
  return typeof claimed === "object" && claimed !== null ? checked(claimed) : undefined
}

function checked(parts: { readonly tenant?: unknown; readonly issuer?: unknown; readonly subject?: unknown }) {
  const { tenant, issuer, subject } = parts
  const isComplete = [tenant, issuer, subject].every((part) => nameProblem(part) === undefined)
  return isComplete ? ({ tenant, issuer, subject } as PrincipalId) : undefined
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
