// People as of their last sign-in, for the directory: their roles and their verified e-mail address. Kept for a limited
// time after the last sign-in.

import { createHash } from "node:crypto"
import type { Principal, PrincipalId } from "../core/principal.ts"
import { toPrincipalId } from "../core/principal.ts"
import type { DirectorySource } from "../ports/directory.ts"
import type { KeptRecord, RecordKind } from "../ports/records.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"

interface SeenPerson extends KeptRecord {
  readonly principal: PrincipalId
  readonly roles: readonly string[]
  readonly email?: string
  readonly seenAt: number
}

/** After this time without a sign-in a person gets no more messages: they may have left. */
const keptMs = 90 * 24 * 3_600_000
/** The shortest interval between two writes for the same person. */
const seenEveryMs = 24 * 3_600_000
const pageSize = 500

export const personKind: RecordKind<SeenPerson> = {
  name: "person",
  owner: () => everyone,
  dueAt: () => undefined,
  expiresAt: ({ seenAt }) => seenAt + keptMs,
}
const everyone = "everyone"

interface PeopleNeeds {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Pick<Runtime, "now">
}

interface SignedIn {
  readonly principal: Principal
  /** Verified by the identity provider. */
  readonly email?: string
}

/** Stores one of several concurrent sign-ins. */
export async function noteSignedIn({ storage, runtime }: PeopleNeeds, { principal, email }: SignedIn): Promise<void> {
  const records = storage.records(personKind)
  const id = idOf(principal)
  const known = await records.get(id)
  const next: SeenPerson = {
    ...{ id, tenant: principal.tenant, version: (known?.version ?? 0) + 1, principal: toPrincipalId(principal) },
    ...{ roles: principal.roles ?? [], seenAt: runtime.now(), ...(email === undefined ? {} : { email }) },
  }
  if (known === undefined) await records.insert(next)
  else if (isNews(known, next)) await records.replace(next)
}

/** A directory source made from sign-ins: it reaches people by their verified `email`, and knows who has a role. */
export function signedInPeople({ storage, runtime }: PeopleNeeds): DirectorySource {
  const records = storage.records(personKind)
  const isKept = ({ seenAt }: SeenPerson): boolean => runtime.now() < seenAt + keptMs
  return {
    async addresses(kind, person) {
      const known = kind === "email" ? await records.get(idOf(person)) : undefined
      return known?.email !== undefined && isKept(known) ? [known.email] : []
    },
    async people(tenant, role) {
      const found: PrincipalId[] = []
      for (let afterId = ""; ; ) {
        const page = await records.list({ tenant, owner: everyone, afterId, limit: pageSize })
        found.push(...page.filter((one) => one.roles.includes(role) && isKept(one)).map(({ principal }) => principal))
        const last = page.at(-1)
        if (last === undefined || page.length < pageSize) return found
        afterId = last.id
      }
    },
  }
}

function isNews(known: SeenPerson, next: SeenPerson): boolean {
  const isSame = known.email === next.email && JSON.stringify(known.roles) === JSON.stringify(next.roles)
  return !isSame || next.seenAt - known.seenAt >= seenEveryMs
}

const idOf = ({ tenant, issuer, subject }: PrincipalId): string =>
  createHash("sha256")
    .update(JSON.stringify([tenant, issuer, subject]))
    .digest("base64url")
