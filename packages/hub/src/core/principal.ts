// People as verified by an identity provider, and the rule for who may answer. Pure; roles are those of the current
// request, never looked up.

/** A person's identity. Two principals are the same person when all three parts are equal. */
export interface PrincipalId {
  readonly tenant: string
  readonly issuer: string
  readonly subject: string
}

/** A person as verified just now, with the roles that the identity provider or the configuration gave. */
export interface Principal extends PrincipalId {
  readonly roles?: readonly string[]
}

/** Who may answer: one person, any of several, or anyone with a role in the tenant. */
export type Audience =
  | { readonly kind: "one"; readonly principal: PrincipalId }
  | { readonly kind: "any"; readonly principals: readonly PrincipalId[] }
  | { readonly kind: "role"; readonly tenant: string; readonly role: string }

/** Whether two principals are the same person: tenant, issuer and subject are equal. */
export function isSamePerson(a: PrincipalId, b: PrincipalId): boolean {
  return a.tenant === b.tenant && a.issuer === b.issuer && a.subject === b.subject
}

/** The parts of a question that say who may answer it. */
export interface Addressed {
  readonly audience: Audience
  /** The role that may answer too, since the escalation. */
  readonly escalatedTo?: string
  /** The person who may not answer, although they belong to the audience. */
  readonly notBy?: PrincipalId
}

/** Whether this person may answer the question, by name or by role. */
export function canAnswer(elicitation: Addressed, principal: Principal): boolean {
  return isAddressed(elicitation, principal) && !isExcluded(elicitation, principal)
}

/** Whether the question is addressed to this person. The one person who may not answer it may still see it. */
export function isAddressed(elicitation: Pick<Addressed, "audience" | "escalatedTo">, principal: Principal): boolean {
  const { audience, escalatedTo } = elicitation
  if (isInAudience(audience, principal)) return true
  const isOfTenant = tenantOf(audience) === principal.tenant
  return escalatedTo !== undefined && isOfTenant && (principal.roles ?? []).includes(escalatedTo)
}

/** Whether this is the person whom the asker excluded from answering. */
export function isExcluded({ notBy }: Pick<Addressed, "notBy">, person: PrincipalId): boolean {
  return notBy !== undefined && isSamePerson(notBy, person)
}

function isInAudience(audience: Audience, principal: Principal): boolean {
  switch (audience.kind) {
    case "one":
      return isSamePerson(audience.principal, principal)
    case "any":
      return audience.principals.some((member) => isSamePerson(member, principal))
    case "role":
      return audience.tenant === principal.tenant && (principal.roles ?? []).includes(audience.role)
  }
}

/** The identity without roles, which change and are not stored with actions. */
export function toPrincipalId({ tenant, issuer, subject }: PrincipalId): PrincipalId {
  return { tenant, issuer, subject }
}

export function tenantOf(audience: Audience): string {
  switch (audience.kind) {
    case "one":
      return audience.principal.tenant
    case "any":
      return audience.principals[0]?.tenant ?? ""
    case "role":
      return audience.tenant
  }
}

/** The index keys of a question within its tenant: one per person, or one for the role. */
export function addresseeKeysOf(audience: Audience): readonly string[] {
  switch (audience.kind) {
    case "one":
      return [personKey(audience.principal)]
    case "any":
      return [...new Set(audience.principals.map(personKey))]
    case "role":
      return [roleKey(audience.role)]
  }
}

/** The index key of the role to which a question was escalated, if it was. */
export const escalationKeysOf = ({ escalatedTo }: Pick<Addressed, "escalatedTo">): readonly string[] =>
  escalatedTo === undefined ? [] : [roleKey(escalatedTo)]

/** The index keys under which the questions for this person are found: one for the person, one for each role. */
export function keysOfPrincipal(principal: Principal): readonly string[] {
  return [personKey(principal), ...(principal.roles ?? []).map(roleKey)]
}

// JSON keeps the parts distinct for any characters.
const personKey = ({ issuer, subject }: PrincipalId): string => JSON.stringify([issuer, subject])
const roleKey = (role: string): string => JSON.stringify([role])
