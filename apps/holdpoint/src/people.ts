// The people that a command can name: the person at this command line, those who have signed in, and those of the
// embedded identity provider. A name that fits no known person, or more than one, is an error.

import type { PrincipalId } from "@holdpoint/hub"
import { isSamePerson } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"
import type { Settings } from "./config.ts"
import { embeddedTenant, isEmbedded, issuerAt } from "./idp/issuer.ts"
import { demoUsers } from "./idp/users.ts"
import { issuersOf, publicUrlOf, tenantsOf } from "./sign-in-settings.ts"
import { wrongUse } from "./wrong-use.ts"

export interface KnownPerson {
  readonly principal: PrincipalId
  readonly name?: string
  readonly email?: string
  /** When the person was last recorded as signed in; absent for people who are in the settings only. */
  readonly seenAt?: number
}

/** The current user, everyone who has signed in and still can, and alice and bob if they can sign in here. */
export function peopleKnownTo(settings: Settings, signedIn: readonly KnownPerson[]): readonly KnownPerson[] {
  const currentUser = { principal: settings.me }
  const configured = settings.identityProviders.map(({ issuer }) => issuer)
  if (configured.length > 0)
    return [currentUser, ...signedIn.filter(({ principal }) => configured.includes(principal.issuer))]
  const embedded = signedIn.filter(({ principal }) => isEmbedded(principal.issuer))
  const otherPeople = signedIn.filter((person) => !embedded.includes(person))
  return [
    currentUser,
    ...otherPeople,
    ...(embedded.length === 0 ? demoPeople(settings) : peopleOfLatestServer(embedded)),
  ]
}

/** The person with this name, e-mail address or id. Throws if several match, or none and it is not SUBJECT@ISSUER. */
export function findPerson(word: string, people: readonly KnownPerson[], settings: Settings): PrincipalId {
  const explicit = toExplicit(word, settings.me.tenant)
  const matches = people.filter(
    (person) => isNamed(word, person) || (explicit && isSamePerson(person.principal, explicit)),
  )
  const [match, secondMatch] = matches
  if (match !== undefined && secondMatch === undefined) return match.principal
  if (match === undefined && explicit !== undefined) return explicit
  if (match !== undefined) {
    const lines = matches.map((person) => `  --to ${toWord(person)}${nameAndEmailOf(person)}`)
    throw wrongUse(`“${word}” matches ${matches.length} people.`, ["Write one of:", ...lines].join("\n"))
  }
  throw wrongUse(`No person called “${word}” is known here.`, adviceFor(word, people, settings).join("\n"))
}

/** Whether this person is not one of the known `people`: only the command line names them. */
export const isUnknown = (person: PrincipalId, people: readonly KnownPerson[]): boolean =>
  !people.some(({ principal }) => isSamePerson(principal, person))

/** Parses SUBJECT@ISSUER, where the issuer is an address, or `local` for people at the command line; else undefined. */
function toExplicit(word: string, tenant: string): PrincipalId | undefined {
  const [, subject, issuer] = /^(.+)@(https?:\/\/\S+|local)$/.exec(word) ?? []
  return subject === undefined || issuer === undefined ? undefined : { tenant, issuer, subject }
}

function isNamed(word: string, { principal, name, email }: KnownPerson): boolean {
  if (word === principal.subject) return true
  return [name, email].some((text) => text !== undefined && foldCase(text) === foldCase(word))
}

const foldCase = (text: string): string => text.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase()

function adviceFor(word: string, people: readonly KnownPerson[], settings: Settings): readonly string[] {
  const similarPeople = people
    .filter(({ principal, name, email }) => isNear(word, [principal.subject, name, email]))
    .slice(0, 5)
  const { tenant } = settings.me
  const tenants = tenantsOf(settings)
  const isElsewhere = tenants.length > 0 && !tenants.includes(tenant)
  return [
    ...(similarPeople.length > 0
      ? ["Did you mean:", ...similarPeople.map((one) => `  --to ${toWord(one)}${nameAndEmailOf(one)}`)]
      : []),
    ...(isElsewhere ? [`People who sign in here are not in the tenant “${tenant}”: add --tenant ${tenants[0]}.`] : []),
    "A person is known once they have signed in to `holdpoint serve` on this database.",
    `To ask a person who has not, write --to 'SUBJECT@ISSUER', such as '${word}@${issuersOf(settings)[0]}';`,
    `for a person who answers with \`holdpoint answer --as\`, write --to '${word}@local'.`,
  ]
}

function isNear(word: string, names: readonly (string | undefined)[]): boolean {
  const texts = names.filter((text) => text !== undefined)
  const words = [...texts, ...texts.flatMap((text) => text.split(/[\s@]+/))]
  return (
    nearest(word, words) !== undefined ||
    (word.length > 2 && texts.some((text) => foldCase(text).includes(foldCase(word))))
  )
}

/** The value for --to that matches only this person. */
const toWord = ({ principal: { issuer, subject } }: KnownPerson): string => `'${subject}@${issuer}'`

function nameAndEmailOf({ name, email }: KnownPerson): string {
  const about = [name, email].filter((text) => text !== undefined).join(", ")
  return about === "" ? "" : `  (${about})`
}

/** The people of the latest embedded issuer. An issuer contains the server's port, so older ones may be unreachable. */
function peopleOfLatestServer(embedded: readonly KnownPerson[]): readonly KnownPerson[] {
  const [latestPerson] = embedded.toSorted((a, b) => (b.seenAt ?? 0) - (a.seenAt ?? 0))
  return embedded.filter(({ principal }) => principal.issuer === latestPerson?.principal.issuer)
}

/** The people of the embedded provider, as they will be after the first start of `holdpoint serve`. */
function demoPeople(settings: Settings): readonly KnownPerson[] {
  if (settings.me.tenant !== embeddedTenant) return []
  const issuer = issuerAt(publicUrlOf(settings))
  return demoUsers.map(({ id, name }) => ({ principal: { tenant: embeddedTenant, issuer, subject: id }, name }))
}
