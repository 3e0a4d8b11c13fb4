// Digests of values and people: short texts that are equal for equal values in every process. Pure.

import { createHash } from "node:crypto"
import type { PrincipalId } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { isTooDeep, tooDeepWords } from "@holdpoint/hub/internal"

/** The digest of a person. Hashed, so that it stays short however long the ids of an identity provider are. */
export const personDigestOf = ({ tenant, issuer, subject }: PrincipalId): string => digestOf([tenant, issuer, subject])

/** The digest of a value. The order of the members of an object does not matter. */
export function digestOf(value: unknown): string {
  if (isTooDeep(value))
    throw new HoldpointError("invalid_question", `A value in this call ${tooDeepWords}. Use flatter values.`)
  return createHash("sha256").update(canonicalize(value)).digest("base64url")
}

function canonicalize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalize(member)}`).join(",")}}`
}
