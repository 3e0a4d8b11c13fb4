// Converts the programs that ask over HTTP to views of the account page: an administrator sees all programs of the
// tenant, and other people their own programs.

import { isSamePerson, paths } from "@holdpoint/hub"
import type { AskRule } from "@holdpoint/hub/internal"
import { pathTo } from "@holdpoint/hub/internal"
import { shownKeyOf } from "../identity/programs/programs.ts"
import type { Program } from "../identity/programs/records.ts"
import type { AskingProgramsView, AskingProgramView } from "../web/index.ts"
import type { Guest } from "./guest.ts"
import { isAdmin, type Site } from "./site.ts"

/** The programs that ask over HTTP and that this person may see, change and remove. */
export async function programsShownTo(site: Site, guest: Guest): Promise<readonly Program[]> {
  const { principal } = guest
  const allPrograms = (await site.programs?.list(principal.tenant)) ?? []
  if (isAdmin(site, guest)) return allPrograms
  return allPrograms.filter(({ madeBy }) => madeBy !== undefined && isSamePerson(madeBy, principal))
}

export type AskingDetails = Pick<AskingProgramsView, "newKey" | "values" | "problems">

export async function askingProgramsOf(
  site: Site,
  guest: Guest,
  details: AskingDetails = {},
): Promise<AskingProgramsView | undefined> {
  if (site.programs === undefined) return undefined
  const visiblePrograms = await programsShownTo(site, guest)
  const programs = visiblePrograms.map((program) => toView(program, guest))
  return { programs, action: paths.programKeys, isAdmin: isAdmin(site, guest), ...details }
}

function toView(program: Program, { principal }: Guest): AskingProgramView {
  const { id, name, may, madeBy, createdAt, lastUsedAt } = program
  const isOwnProgram = madeBy !== undefined && isSamePerson(madeBy, principal)
  return {
    ...{ name, shownKey: shownKeyOf(program), audience: audienceWords(may, { principal }), since: createdAt },
    ...(isOwnProgram ? {} : { madeBy: madeBy?.subject ?? "the command line" }),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    remove: pathTo(paths.removeProgramKey, id),
  }
}

function audienceWords({ to, modes }: AskRule, { principal }: Pick<Guest, "principal">): string {
  const modeWords = modes.length > 1 ? "" : modes[0] === "form" ? ", with forms only" : ", with links only"
  if (to === "anyone") return `anyone here${modeWords}`
  const people = to.people.map((one) => (isSamePerson(one, principal) ? "you" : one.subject))
  return `${[...people, ...to.roles.map((role) => `people with the role ${role}`)].join(", ")}${modeWords}`
}
