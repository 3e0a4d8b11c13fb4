// People as of their last sign-in, for the directory and for askers who name them: their name, roles and verified
// e-mail address. The records are deleted some time after the last sign-in.

import { createHash } from "node:crypto"
import type { Principal, PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import type { Members } from "@holdpoint/hub/internal"
import { toPrincipalId } from "@holdpoint/hub/internal"
import type { DirectorySource } from "@holdpoint/hub/outlets"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

interface SeenPerson extends KeptRecord {
  readonly principal: PrincipalId
  readonly roles: readonly string[]
  /** The name from the identity provider. People choose it themselves, so it proves nothing. */
  readonly name?: string
  readonly email?: string
  readonly seenAt: number
}

/** How long a person is stored without a sign-in. After that, they get no more messages, because they may have left. */
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

/** A person as their identity provider describes them. */
export interface DescribedPerson {
  readonly principal: Principal
  readonly name?: string
  /** The e-mail address, verified by the identity provider. */
  readonly email?: string
}

/** A person as of their last sign-in. */
export interface SignedInPerson extends DescribedPerson {
  /** The time of the last recorded sign-in, accurate to a day. */
  readonly seenAt: number
}

/** Records a sign-in. Of several concurrent sign-ins, only one is stored. */
export async function noteSignedIn(needs: PeopleNeeds, person: DescribedPerson): Promise<void> {
  await notePerson(needs, person, needsUpdate)
}

/** Stores a person before their first sign-in. Called by a program that has verified the person itself. */
export async function introducePerson(needs: PeopleNeeds, person: DescribedPerson): Promise<void> {
  await notePerson(needs, person, () => true)
}

async function notePerson(
  { storage, runtime }: PeopleNeeds,
  { principal, name, email }: DescribedPerson,
  needsWrite: (stored: SeenPerson, next: SeenPerson) => boolean,
): Promise<void> {
  const records = storage.records(personKind)
  const id = idOf(principal)
  const stored = await records.get(id)
  const person: SeenPerson = {
    ...{ id, tenant: principal.tenant, version: (stored?.version ?? 0) + 1, principal: toPrincipalId(principal) },
    ...{ roles: principal.roles ?? [], seenAt: runtime.now() },
    ...{ ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) },
  }
  if (stored === undefined) await records.insert(person)
  else if (needsWrite(stored, person)) await records.replace(person)
}

/** Lists the people of the tenant who have signed in within the last 90 days. */
export async function listSignedIn(
  { storage, runtime }: PeopleNeeds,
  tenant: string,
): Promise<readonly SignedInPerson[]> {
  const people: SignedInPerson[] = []
  for await (const { principal, roles, name, email, seenAt } of listKept({ storage, runtime }, tenant)) {
    const description = { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) }
    people.push({ principal: roles.length === 0 ? principal : { ...principal, roles }, ...description, seenAt })
  }
  return people
}

/** Finds a person, with the roles of their last sign-in. Undefined when that was more than 90 days ago. */
export async function findSignedIn(needs: PeopleNeeds, person: PrincipalId): Promise<SignedInPerson | undefined> {
  const stored = await needs.storage.records(personKind).get(idOf(person))
  if (stored === undefined || !isKept(stored, needs)) return undefined
  const { principal, roles, name, email, seenAt } = stored
  const description = { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) }
  return { principal: roles.length === 0 ? principal : { ...principal, roles }, ...description, seenAt }
}

/** A directory source made from sign-ins: it reaches people by their verified `email`, and knows who has a role. */
export function signedInPeople(needs: PeopleNeeds): DirectorySource {
  const records = needs.storage.records(personKind)
  return {
    async addresses(kind, person) {
      const stored = kind === "email" ? await records.get(idOf(person)) : undefined
      return stored?.email !== undefined && isKept(stored, needs) ? [stored.email] : []
    },
    async people(tenant, role) {
      const people: PrincipalId[] = []
      for await (const { roles, principal } of listKept(needs, tenant)) if (roles.includes(role)) people.push(principal)
      return people
    },
  }
}

/** The roles of people as of their last sign-in. */
export function signedInMembers(needs: PeopleNeeds): Members {
  const records = needs.storage.records(personKind)
  return {
    async rolesOf(person) {
      const stored = await records.get(idOf(person))
      return stored === undefined ? undefined : { roles: stored.roles, at: stored.seenAt }
    },
  }
}

async function* listKept(needs: PeopleNeeds, tenant: string): AsyncGenerator<SeenPerson> {
  const records = needs.storage.records(personKind)
  for (let afterId = ""; ; ) {
    const page = await records.list({ tenant, owner: everyone, afterId, limit: pageSize })
    yield* page.filter((person) => isKept(person, needs))
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    afterId = last.id
  }
}

/** Whether the record has not expired. Housekeeping may not have removed an expired one yet. */
const isKept = ({ seenAt }: SeenPerson, { runtime }: PeopleNeeds): boolean => runtime.now() < seenAt + keptMs

function needsUpdate(stored: SeenPerson, next: SeenPerson): boolean {
  const hasSameName = stored.name === next.name && stored.email === next.email
  const hasSameRoles = JSON.stringify(stored.roles) === JSON.stringify(next.roles)
  return !hasSameName || !hasSameRoles || next.seenAt - stored.seenAt >= seenEveryMs
}

const idOf = ({ tenant, issuer, subject }: PrincipalId): string =>
  createHash("sha256")
    .update(JSON.stringify([tenant, issuer, subject]))
    .digest("base64url")
