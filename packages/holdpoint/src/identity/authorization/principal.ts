// People on their way through a token and back: the caller of a server and the person on our pages are the same, to the
// letter, as the identity provider proved them. Pure.

import type { PrincipalId } from "../../core/principal.ts"
import { nameProblem } from "../../core/text.ts"

/** The claim of our access tokens that says who this is. */
export const principalClaim = "principal"

/** What `sub` is: one text for the three parts, which no other three give. */
export function toAccountId({ tenant, issuer, subject }: PrincipalId): string {
  return [tenant, issuer, subject].map(encodeURIComponent).join("|")
}

/** Undefined for what `toAccountId` has not made. */
export function fromAccountId(accountId: string): PrincipalId | undefined {
  const parts = accountId.split("|")
  const [tenant, issuer, subject] = parts.map(decode)
  return parts.length === 3 ? checked({ tenant, issuer, subject }) : undefined
}

/** Of the claims of a token whose signature, issuer and audience were verified. Undefined when it names nobody. */
export function toPrincipal(claims: Readonly<Record<string, unknown>>): PrincipalId | undefined {
  const claimed = claims[principalClaim]
  return typeof claimed === "object" && claimed !== null ? checked(claimed) : undefined
}

function checked(parts: { readonly tenant?: unknown; readonly issuer?: unknown; readonly subject?: unknown }) {
  const { tenant, issuer, subject } = parts
  const isWhole = [tenant, issuer, subject].every((part) => nameProblem(part) === undefined)
  return isWhole ? ({ tenant, issuer, subject } as PrincipalId) : undefined
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
