// Finds people by their verified e-mail address, among the people who have signed in. A program that may ask only
// certain people finds only these, so that it cannot learn who else uses this server.

import type { Problem } from "@holdpoint/hub"
import { isSamePerson } from "@holdpoint/hub"
import type { AskRule } from "@holdpoint/hub/internal"
import { isObject } from "@holdpoint/hub/internal"
import type { SignedInPerson } from "../identity/people.ts"
import { toWirePerson } from "./json.ts"

/** Lists the people of the tenant who have signed in. */
export type ListPeople = () => Promise<readonly SignedInPerson[]>

export interface FoundAudience {
  /** The audience of the request, with each e-mail address replaced by its person. */
  readonly audience: unknown
  readonly problems: readonly Problem[]
}

/** Replaces e-mail addresses with people. `member` is the member of the body, for the paths of problems. */
export async function findByEmail(
  audience: unknown,
  { to }: AskRule,
  list: ListPeople,
  member = "audience",
): Promise<FoundAudience> {
  const people =
    isObject(audience) && Array.isArray(audience.people) ? (audience.people as readonly unknown[]) : undefined
  const named = people ?? [audience]
  if (!named.some(isByEmail)) return { audience, problems: [] }
  const askable = (await list()).filter(
    ({ principal }) => to === "anyone" || to.people.some((one) => isSamePerson(one, principal)),
  )
  const problems: Problem[] = []
  const principals = named.map((one, index) => {
    if (!isByEmail(one)) return one
    const matches = askable.filter(({ email }) => email !== undefined && foldCase(email) === foldCase(one.email))
    const [match, secondMatch] = matches
    if (match !== undefined && secondMatch === undefined) return toWirePerson(match.principal)
    const path = people === undefined ? `${member}.email` : `${member}.people.${index}.email`
    const message = match === undefined ? unknownWords : "belongs to more than one person"
    problems.push({ path, message, suggestion: 'Use { "issuer": …, "subject": … }.' })
    return one
  })
  return { audience: people === undefined ? principals[0] : { people: principals }, problems }
}

const unknownWords = "belongs to no person whom this program may ask and who has signed in here"

const isByEmail = (value: unknown): value is { readonly email: string } =>
  isObject(value) && Object.keys(value).join() === "email" && typeof value.email === "string"

const foldCase = (email: string): string => email.trim().toLowerCase()
