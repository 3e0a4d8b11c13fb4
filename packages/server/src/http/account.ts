// /account: the person's connections, sessions and history; for administrators also the connections of projects.

import { paths } from "@holdpoint/hub"
import type { Connection } from "@holdpoint/hub/internal"
import { pathTo, signInTo, toOwner } from "@holdpoint/hub/internal"
import type { Identity } from "../identity/index.ts"
import { accountPage, confirmDisconnectPage } from "../web/index.ts"
import { toConnectionView, toProjects, toSessionView } from "./account-views.ts"
import { ownPage } from "./after-answer.ts"
import { type AskingDetails, askingProgramsOf } from "./asking-program-views.ts"
import { choicesOf, keepChoices } from "./choices.ts"
import type { Guest } from "./guest.ts"
import { toHistory } from "./history.ts"
import { programsOf } from "./programs.ts"
import { type ReachDetails, reachOf, saveReach } from "./reach.ts"
import { refuseLink } from "./refusals.ts"
import { receivePost } from "./request-checks.ts"
import { toPage, toRedirect } from "./respond.ts"
import type { Route, Site, Visit } from "./site.ts"
import { isAdmin, toTop } from "./site.ts"

const mostHistory = 30

export const showAccount: Route = async (visit) => {
  const guest = await visit.site.gate.enter(visit.request, "account")
  if (guest instanceof Response) return guest
  return toPage(await account(visit.site, guest), { cookies: guest.cookies })
}

export const confirmDisconnect: Route = async (visit) => {
  const guest = await visit.site.gate.enter(visit.request, "account")
  if (guest instanceof Response) return guest
  const connection = await findConnection(visit, guest)
  if (connection instanceof Response) return connection
  const view = toConnectionView(visit.site, connection)
  return toPage(confirmDisconnectPage({ ...toTop(visit.site, guest), connection: view }))
}

export const disconnect: Route = (visit) =>
  posted(visit, async (guest) => {
    const connection = await findConnection(visit, guest)
    if (connection instanceof Response) return connection
    const { site } = visit
    const { name } = toConnectionView(site, connection).provider
    const disconnection = await site.vault.disconnect(connection.id, { by: guest.principal })
    return toPage(await account(site, guest, { notice: endWords(name, disconnection) }))
  })

/**
 * Removes scopes from a connection. Nothing changes at the provider, because this server enforces these scopes itself.
 */
export const narrowConnection: Route = (visit) =>
  posted(visit, async (guest, fields) => {
    const connection = await findConnection(visit, guest)
    if (connection instanceof Response) return connection
    const { site } = visit
    const { narrow, provider } = toConnectionView(site, connection)
    const removedScopes = (narrow?.scopes ?? []).filter(({ scope }) => fields.getAll("scope").includes(scope))
    if (removedScopes.length === 0) return toRedirect(paths.account)
    await site.vault.narrow(connection.id, { scopes: removedScopes.map(({ scope }) => scope), by: guest.principal })
    const words = removedScopes.map(({ words: one }) => `“${one}”`).join(", ")
    return toPage(await account(site, guest, { notice: `No longer allowed at ${provider.name}: ${words}.` }))
  })

/** Asks the signed-in person to connect a lost connection again, with the same scopes. */
export const reconnect: Route = (visit) =>
  posted(visit, async (guest) => {
    const connection = await findConnection(visit, guest)
    if (connection instanceof Response) return connection
    const { owner, provider, scopes, account } = connection
    const audience = { kind: "one", principal: guest.principal } as const
    const { id } = await visit.site.vault.ask({
      ...{ owner, provider, scopes, audience, requester: ownPage },
      ...(account === undefined ? {} : { account: account.id }),
    })
    return toRedirect(pathTo(paths.connect, id))
  })

export const connectForProject: Route = (visit) =>
  posted(visit, async (guest, fields) => {
    const { site } = visit
    if (!isAdmin(site, guest)) return refuseLink()
    const fieldText = (name: string): string => (fields.get(name) ?? "").trim()
    const values = { project: fieldText("project"), provider: fieldText("provider"), scopes: fieldText("scopes") }
    const problems = projectProblems(site, values)
    if (problems.length > 0) return toPage(await account(site, guest, { form: { values, problems } }), { status: 422 })
    const { id } = await site.vault.ask({
      owner: { kind: "project", tenant: guest.principal.tenant, project: values.project },
      provider: values.provider,
      scopes: values.scopes.split(/[\s,]+/).filter((scope) => scope !== ""),
      requester: ownPage,
      audience: { kind: "one", principal: guest.principal },
    })
    return toRedirect(pathTo(paths.connect, id))
  })

export const endSession: Route = (visit) =>
  posted(visit, async ({ principal }) => {
    await identityOf(visit).endById(visit.part("id"), principal)
    return toRedirect(paths.account)
  })

export const endAllSessions: Route = (visit) =>
  posted(visit, async ({ principal }) => {
    await identityOf(visit).endAll(principal)
    return toRedirect(signInTo(undefined, { choose: true }))
  })

export const saveChoices: Route = (visit) =>
  posted(visit, async (guest, fields) => {
    const title = await keepChoices(visit.site, guest.principal, fields)
    if (title === undefined) return refuseLink()
    return toPage(await account(visit.site, guest, { notice: `Saved: ${title}.` }))
  })

export const changeReach: Route = (visit) =>
  posted(visit, async (guest, fields) => {
    const rejected = await saveReach(visit.site, guest, fields)
    if (rejected !== undefined) return toPage(await account(visit.site, guest, { reach: rejected }), { status: 422 })
    return toPage(await account(visit.site, guest, { notice: "Saved: how questions reach you." }))
  })

/** The result of the last action on the account page, or the values and problems of a failed one. */
interface AccountDetails {
  readonly notice?: string
  readonly form?: Parameters<typeof toProjects>[3]
  readonly asking?: AskingDetails
  readonly reach?: ReachDetails
}

/** The account page of the person. */
export async function account(
  site: Site,
  guest: Guest,
  { notice, form, asking: details, reach: rejected }: AccountDetails = {},
) {
  const { principal, session } = guest
  const { tenant } = principal
  const connections = await site.vault.list(toOwner(principal))
  const sessions = (await site.gate.identity?.list(principal)) ?? []
  const settled = await site.hub.list({ tenant, principal, state: "settled", order: "newest", limit: mostHistory })
  const projects = isAdmin(site, guest)
    ? (await site.vault.listOfTenant(tenant)).filter(({ owner }) => owner.kind === "project")
    : undefined
  const sections = await Promise.all(site.parts.map((part) => part.accountSection?.(site, guest)))
  const asking = await askingProgramsOf(site, guest, details)
  const reach = await reachOf(site, guest, rejected)
  return accountPage({
    now: site.runtime.now(),
    ...toTop(site, guest),
    connections: connections.filter(isShown).map((connection) => toConnectionView(site, connection)),
    programs: await programsOf(site, guest),
    ...(asking === undefined ? {} : { asking }),
    sections: sections.filter((section) => section !== undefined),
    choices: await choicesOf(site, principal),
    ...(reach === undefined ? {} : { reach }),
    sessions: sessions.map((openSession) => toSessionView(openSession, session.id)),
    history: toHistory(site, { person: principal, questions: settled, connections }),
    signOutEverywhere: paths.endAllSessions,
    ...(notice === undefined ? {} : { notice }),
    ...(projects === undefined ? {} : { projects: toProjects(site, projects.filter(isShown), paths.projects, form) }),
  })
}

/** Runs `work` if a page of this server sent the post for a signed-in person. Otherwise returns the refusal. */
export async function posted(
  visit: Visit,
  work: (guest: Guest, fields: URLSearchParams) => Promise<Response>,
): Promise<Response> {
  const post = await receivePost(visit, async ({ site, request }) => {
    const guest = await site.gate.enter(request, "account")
    return guest instanceof Response ? guest : { guest }
  })
  return post instanceof Response ? post : work(post.target.guest, post.fields)
}

async function findConnection({ site, part }: Visit, guest: Guest): Promise<Connection | Response> {
  const connection = await site.vault.get(part("id"))
  return connection !== undefined && mayManage(site, guest, connection) ? connection : refuseLink()
}

function mayManage(site: Site, guest: Guest, { owner }: Connection): boolean {
  const { tenant, issuer, subject } = guest.principal
  if (owner.tenant !== tenant) return false
  return owner.kind === "person" ? owner.issuer === issuer && owner.subject === subject : isAdmin(site, guest)
}

const isShown = ({ status }: Connection): boolean => status !== "revoked" && status !== "pending"

function projectProblems({ vault }: Site, { project, provider }: { project: string; provider: string }) {
  const isName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(project)
  return [
    ...(isName
      ? []
      : [
          {
            field: "project",
            message: "Use letters, digits, spaces, dots and hyphens, and start with a letter or digit.",
          } as const,
        ]),
    ...(vault.providers.has(provider)
      ? []
      : [{ field: "provider", message: "Choose a provider from the list." } as const]),
  ]
}

function identityOf({ site }: Visit): Pick<Identity, "endById" | "endAll"> {
  return site.gate.identity ?? { endById: async () => false, endAll: async () => 0 }
}

function endWords(name: string, disconnection: Awaited<ReturnType<Site["vault"]["disconnect"]>>): string {
  if (disconnection.upstream === "later")
    return `${name} is disconnected here. The access could not be revoked at ${name} yet; this server keeps trying.`
  if (disconnection.upstream === "impossible")
    return `${name} is disconnected here. The access cannot be revoked at ${name} from here: remove it in its settings too.`
  return `${name} was disconnected.`
}
