// A directory that combines several sources: one source may resolve a role to people, and another may have their
// addresses.

import type { Audience, PrincipalId } from "../core/principal.ts"
import { isSamePerson, toPrincipalId } from "../core/principal.ts"
import type { Directory, DirectorySource, Reached } from "../ports/directory.ts"

/** Combines several directory sources into one directory. */
export function createDirectory(sources: readonly DirectorySource[]): Directory {
  const peopleOf = async (audience: Audience): Promise<readonly PrincipalId[]> => {
    switch (audience.kind) {
      case "one":
        return [audience.principal]
      case "any":
        return audience.principals
      case "role": {
        const { tenant, role } = audience
        return (await Promise.all(sources.map((source) => source.people(tenant, role)))).flat()
      }
    }
  }
  return {
    async find(kind, audience) {
      const people = uniquePeople(await peopleOf(audience))
      const lookups = people.flatMap((person) => sources.map((source) => recipientsFrom(source, kind, person)))
      return withoutRepeatedAddresses((await Promise.all(lookups)).flat())
    },
  }
}

/** A person as listed in the configuration. */
export interface KnownPerson extends PrincipalId {
  readonly roles?: readonly string[]
  /** The person's addresses by kind, such as `{ email: "alice@example.com" }`. */
  readonly addresses: Readonly<Record<string, string>>
}

/** A directory source made from a list, such as the one in a configuration file. */
export function knownPeople(people: readonly KnownPerson[]): DirectorySource {
  return {
    async addresses(kind, person) {
      const matching = people.filter((entry) => isSamePerson(entry, person) && Object.hasOwn(entry.addresses, kind))
      return matching.flatMap(({ addresses }) => addresses[kind] ?? [])
    },
    people: async (tenant, role) =>
      people.filter((entry) => entry.tenant === tenant && (entry.roles ?? []).includes(role)),
  }
}

async function recipientsFrom(source: DirectorySource, kind: string, person: PrincipalId): Promise<readonly Reached[]> {
  return (await source.addresses(kind, person)).map((address) => ({ address, person: toPrincipalId(person) }))
}

function withoutRepeatedAddresses(recipients: readonly Reached[]): readonly Reached[] {
  const byAddress = new Map<string, Reached>()
  for (const recipient of recipients) if (!byAddress.has(recipient.address)) byAddress.set(recipient.address, recipient)
  return [...byAddress.values()]
}

function uniquePeople(people: readonly PrincipalId[]): readonly PrincipalId[] {
  const keyOf = ({ tenant, issuer, subject }: PrincipalId): string => JSON.stringify([tenant, issuer, subject])
  return [...new Map(people.map((person) => [keyOf(person), person])).values()]
}
