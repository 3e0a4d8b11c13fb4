// Finds the people that the --to flags name, and notes which of them have not signed in yet.

import type { PrincipalId } from "@holdpoint/hub"
import type { Call } from "./command.ts"
import { nameOf } from "./describe.ts"
import { yellow } from "./output.ts"
import type { StorageSession } from "./session.ts"

export async function findPeople(
  { out, io }: Call,
  { storage, settings }: StorageSession,
  words: readonly string[],
): Promise<readonly PrincipalId[]> {
  // Imported only when --to names another person: most questions are for the person at this machine.
  const { listSignedIn } = await import("@holdpoint/server/identity")
  const { findPerson, isUnknown, peopleKnownTo } = await import("./people.ts")
  const signedIn = await listSignedIn({ storage, runtime: io.runtime }, settings.me.tenant)
  const people = peopleKnownTo(settings, signedIn)
  return words.map((word) => {
    const person = word === "me" ? settings.me : findPerson(word, people, settings)
    if (isUnknown(person, people) && person.issuer !== settings.me.issuer)
      out.note(yellow("Note: "), `${nameOf(person)} has not signed in here yet. The question waits for them.`)
    return toId(person)
  })
}

export const toId = ({ tenant, issuer, subject }: PrincipalId): PrincipalId => ({ tenant, issuer, subject })
