// Converts the programs that ask over HTTP to views of the account page: an administrator sees all programs of the
// tenant, and other people their own programs.

import { paths, pathTo } from "../core/addresses.ts"
import { isSamePerson } from "../core/principal.ts"
import type { AskRule } from "../core/program.ts"
import { shownKeyOf } from "../identity/programs/programs.ts"
import type { Program } from "../identity/programs/records.ts"
import type { AskingProgramsView, AskingProgramView } from "../surfaces/web/index.ts"
import type { Endpoint } from "../surfaces/webhook/index.ts"
import { type Guest, isAdmin, type Site } from "./site.ts"

/** Returns the programs that this person may see and remove. */
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
  const endpoints = await site.webhooks?.endpoints.list(guest.principal.tenant)
  const programs = visiblePrograms.map((program) => ({ ...toView(program, guest), ...toWebhook(program, endpoints) }))
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

function toWebhook({ id }: Program, endpoints: readonly Endpoint[] | undefined): Pick<AskingProgramView, "webhook"> {
  if (endpoints === undefined) return {}
  const endpoint = endpoints.find((one) => one.id === id)
  const isFailing = endpoint?.state === "active" && endpoint.failingSince !== undefined
  const state = isFailing ? "failing" : (endpoint?.state ?? "none")
  return { webhook: { href: pathTo(paths.programWebhook, id), state } }
}

function audienceWords({ to, modes }: AskRule, { principal }: Pick<Guest, "principal">): string {
  const modeWords = modes.length > 1 ? "" : modes[0] === "form" ? ", with forms only" : ", with links only"
  if (to === "anyone") return `anyone here${modeWords}`
  const people = to.people.map((one) => (isSamePerson(one, principal) ? "you" : one.subject))
  return `${[...people, ...to.roles.map((role) => `people with the role ${role}`)].join(", ")}${modeWords}`
}
