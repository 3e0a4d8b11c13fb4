// People as they last signed in, for the directory: who has which role, and the e-mail address that their identity
// provider has verified. Kept for a while after the last sign-in, and no longer.

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

/** Who has not signed in for this long is not written to any more: they may have left. */
const keptMs = 90 * 24 * 3_600_000
/** The same person again is written down this often at most. */
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

/** Of several sign-ins at the same time one is written. */
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

/** Reaches by `email` those who signed in with a verified address, and knows whom a role is of. */
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
