// /authorize/{id}: the page on which a person lets a program act in their name. Only the browser that started the
// request sees it, and the person comes from our own sign-in.

import { paths } from "@holdpoint/hub"
import { displayHost } from "@holdpoint/hub/forms"
import { pathTo, signInTo } from "@holdpoint/hub/internal"
import { staysOnMachine } from "../identity/authorization/clients.ts"
import type { ProblemPage } from "../identity/authorization/problem.ts"
import type { AuthorizationRequest, Requests } from "../identity/authorization/request.ts"
import type { AuthorizeView } from "../web/index.ts"
import { authorizePage, endedPage, errorPage, returnPage } from "../web/index.ts"
import type { Guest } from "./guest.ts"
import { refuseLink, refusePost } from "./refusals.ts"
import { receivePost } from "./request-checks.ts"
import { toPage, toRedirect } from "./respond.ts"
import type { Route, Site, Visit } from "./site.ts"
import { toTop } from "./site.ts"

interface FoundRequest {
  readonly guest: Guest
  readonly authorizationRequest: AuthorizationRequest
  readonly requests: Requests
}

export const showAuthorize: Route = async (visit) => {
  const target = await find(visit)
  if (target instanceof Response) return target
  const { guest, authorizationRequest, requests } = target
  if (authorizationRequest.next !== undefined) return toContinue(authorizationRequest)
  if (await requests.isAllowed(authorizationRequest, guest.principal)) {
    await requests.allow(authorizationRequest, toPerson(guest))
    return toContinue(authorizationRequest)
  }
  const allowedBefore = await requests.allowedBefore(authorizationRequest, guest.principal)
  return toPage(authorizePage(toView(visit.site, target, allowedBefore)))
}

export const answerAuthorize: Route = async (visit) => {
  const post = await receivePost(visit, find)
  if (post instanceof Response) return post
  const { target, fields } = post
  const { guest, authorizationRequest, requests } = target
  if (authorizationRequest.next !== undefined) return toContinue(authorizationRequest)
  switch (fields.get("do")) {
    case "allow":
      await requests.allow(authorizationRequest, toPerson(guest))
      return toContinue(authorizationRequest)
    case "deny":
      await requests.deny(authorizationRequest)
      return toContinue(authorizationRequest)
    default:
      return refusePost()
  }
}

/**
 * Sends the browser to the program from a separate page: `form-action` of our policy would block the redirect after a
 * post.
 */
export const leaveForProgram: Route = async (visit) => {
  const target = await find(visit)
  if (target instanceof Response) return target
  const { authorizationRequest } = target
  if (authorizationRequest.next === undefined) return toRedirect(pathTo(paths.authorize, authorizationRequest.id))
  return toPage(returnPage({ client: { name: nameOf(authorizationRequest) }, href: authorizationRequest.next }))
}

/** Renders the page about an authorization request whose error is not sent to the program. */
export const problemPage: ProblemPage = async ({ title, words, next }) => {
  const returnTo = next === undefined ? undefined : { href: next.href, name: next.host }
  return String(await (returnTo === undefined ? errorPage({ title, words }) : endedPage({ title, words, returnTo })))
}

async function find({ site, request, part }: Visit): Promise<FoundRequest | Response> {
  const { authorization, gate } = site
  const id = part("id")
  // Local mode has no sign-in, so any process that reaches the port could approve as the person. All are refused.
  if (authorization === undefined || gate.identity === undefined) return refuseLink()
  const guest = await gate.enter(request, `authorize:${id}`)
  if (guest instanceof Response) return guest
  const { requests } = authorization
  const authorizationRequest = await requests.find(id, request.headers.get("cookie"))
  if (authorizationRequest === undefined) return refuseLink()
  if (authorizationRequest.wants.signIn && guest.session.createdAt <= authorizationRequest.createdAt)
    return toRedirect(signInTo(`authorize:${id}`, { choose: true }))
  return { guest, authorizationRequest, requests }
}

const toContinue = ({ id }: AuthorizationRequest): Response => toRedirect(pathTo(paths.authorizeContinue, id))

const toPerson = ({ principal, session }: Guest) => ({ principal, signedInAt: session.createdAt })

/** The program's name, or the host that it comes from when it has none. */
function nameOf({ client, redirectUri }: AuthorizationRequest): string {
  return client.name ?? (displayHost(client.id) || displayHost(redirectUri) || client.id)
}

/** The host of an http(s) redirect URI; a private-use scheme is shown whole. */
const placeOf = (redirectUri: string): string =>
  /^https?:/.test(redirectUri) ? displayHost(redirectUri) : redirectUri.slice(0, 200)

function toView(
  site: Site,
  { guest, authorizationRequest }: FoundRequest,
  allowedBefore: readonly string[],
): AuthorizeView {
  const { id, client, resource, redirectUri, expiresAt } = authorizationRequest
  const isChecked = client.kind === "registered"
  return {
    ...toTop(site, guest),
    ...{ id, expiresAt, now: site.runtime.now(), action: pathTo(paths.authorize, id) },
    client: {
      ...{ name: nameOf(authorizationRequest), isChecked },
      ...(client.kind === "document" ? { host: displayHost(client.id) } : {}),
    },
    redirect: { host: placeOf(redirectUri), isLocal: staysOnMachine(redirectUri) },
    resource: { name: resource.name, host: displayHost(resource.resource) },
    scopes: authorizationRequest.scopes.map((scope) => ({
      ...{ scope, words: resource.scopes[scope] ?? scope },
      isNew: allowedBefore.length > 0 && !allowedBefore.includes(scope),
    })),
  }
}
