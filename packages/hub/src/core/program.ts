// What a program with a key may ask, and which people. Pure.

import type { Mode } from "./elicitation.ts"
import type { Problem } from "./error.ts"
import type { Audience, PrincipalId } from "./principal.ts"
import { isSamePerson } from "./principal.ts"
import { nameProblem } from "./text.ts"

/** What a program may ask, and of whom. All of them belong to the program's tenant. */
export interface AskRule {
  readonly to: "anyone" | AllowedAudience
  readonly modes: readonly Mode[]
}

/** The people and the roles that a program may ask. */
export interface AllowedAudience {
  readonly people: readonly PrincipalId[]
  readonly roles: readonly string[]
}

export const allModes: readonly Mode[] = ["form", "url"]

/** Why the program may not ask this; empty when it may. */
export function askProblems(rule: AskRule, audience: Audience, mode: Mode): readonly Problem[] {
  return [
    ...(rule.modes.includes(mode)
      ? []
      : [{ path: mode, message: `is not allowed: this program may only ask with ${modeWords(rule)}` }]),
    ...(isAllowed(rule, audience) ? [] : [{ path: "audience", message: "is not one that this program may ask" }]),
  ]
}

function isAllowed({ to }: AskRule, audience: Audience): boolean {
  if (to === "anyone") return true
  const isListed = (person: PrincipalId): boolean => to.people.some((allowed) => isSamePerson(allowed, person))
  switch (audience.kind) {
    case "one":
      return isListed(audience.principal)
    case "any":
      return audience.principals.every(isListed)
    case "role":
      return to.roles.includes(audience.role)
  }
}

const modeWords = ({ modes }: AskRule): string => modes.map((mode) => (mode === "form" ? "forms" : "links")).join(", ")

/** What is wrong with a program's name and rule, before it is stored. */
export function programProblems({ name, may }: { readonly name: string; readonly may: AskRule }): readonly Problem[] {
  const nameFault =
    nameProblem(name) ?? (name.length > maxNameLength ? `must have at most ${maxNameLength} characters` : undefined)
  const { to, modes } = may
  const isEmpty = to !== "anyone" && to.people.length === 0 && to.roles.length === 0
  return [
    ...(nameFault === undefined ? [] : [{ path: "name", message: nameFault }]),
    ...(isEmpty ? [{ path: "to", message: "must name a person, a role, or anyone" }] : []),
    ...(modes.length === 0 ? [{ path: "modes", message: "must be form, url or both" }] : []),
  ]
}

export const maxNameLength = 100

/** The id of the program as a requester, which scopes its idempotency keys and its questions. */
export const requesterIdOf = (program: { readonly id: string }): string => `program:${program.id}`
