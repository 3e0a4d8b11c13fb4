// Programs that ask over HTTP, on the account page. A person makes keys for programs that ask only them; an
// administrator makes keys for programs that ask others, and withdraws any key of the tenant.

import { paths } from "@holdpoint/hub"
import { type AskRule, allModes, nameProblem, toPrincipalId } from "@holdpoint/hub/internal"
import type { AskingProgramsView } from "../web/index.ts"
import { account, posted } from "./account.ts"
import { programsShownTo } from "./asking-program-views.ts"
import type { Guest } from "./guest.ts"
import { refuseLink } from "./refusals.ts"
import { toPage, toRedirect } from "./respond.ts"
import { isAdmin, type Route, type Site } from "./site.ts"

export const makeProgramKey: Route = (visit) =>
  posted(visit, async (guest, fields) => {
    const { site } = visit
    if (site.programs === undefined) return refuseLink()
    const fieldText = (name: string): string => (fields.get(name) ?? "").trim()
    const values = {
      name: fieldText("name"),
      to: isAdmin(site, guest) ? fieldText("to") : "me",
      role: fieldText("role"),
    }
    const problems = await problemsOf(site, guest, values)
    if (problems.length > 0)
      return toPage(await account(site, guest, { asking: { values, problems } }), { status: 422 })
    const { tenant } = guest.principal
    const madeBy = toPrincipalId(guest.principal)
    const { key } = await site.programs.add({ tenant, name: values.name, may: ruleOf(guest, values), madeBy })
    return toPage(await account(site, guest, { asking: { newKey: { name: values.name, key } } }))
  })

export const removeProgramKey: Route = (visit) =>
  posted(visit, async (guest) => {
    const { site } = visit
    const program = (await programsShownTo(site, guest)).find(({ id }) => id === visit.part("id"))
    if (program === undefined) return refuseLink()
    await site.programs?.remove(program, guest.principal)
    return toRedirect(paths.account)
  })

interface Values {
  readonly name: string
  readonly to: string
  readonly role: string
}

type FieldProblem = NonNullable<AskingProgramsView["problems"]>[number]

async function problemsOf(site: Site, guest: Guest, { name, to, role }: Values): Promise<readonly FieldProblem[]> {
  const wrongName = nameProblem(name)
  const isTaken = (await programsShownTo(site, guest)).some((one) => one.name === name)
  const wrongRole = to === "role" ? nameProblem(role) : undefined
  return [
    ...(wrongName === undefined ? [] : [{ field: "name", message: `The name ${wrongName}.` } as const]),
    ...(isTaken ? [{ field: "name", message: "Another program has this name. Choose a different one." } as const] : []),
    ...(["me", "role", "anyone"].includes(to) ? [] : [{ field: "to", message: "Choose one from the list." } as const]),
    ...(wrongRole === undefined ? [] : [{ field: "role", message: `The role ${wrongRole}.` } as const]),
  ]
}

function ruleOf({ principal }: Guest, { to, role }: Values): AskRule {
  if (to === "anyone") return { to: "anyone", modes: allModes }
  if (to === "role") return { to: { people: [], roles: [role] }, modes: allModes }
  return { to: { people: [toPrincipalId(principal)], roles: [] }, modes: allModes }
}
