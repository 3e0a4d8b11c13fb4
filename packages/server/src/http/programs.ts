// The programs that act in a person's name, as /account lists them, and how a person stops one.

import { paths } from "@holdpoint/hub"
import { displayHost } from "@holdpoint/hub/forms"
import { pathTo } from "@holdpoint/hub/internal"
import type { StandingConsent } from "../identity/authorization/index.ts"
import type { ProgramView } from "../web/index.ts"
import type { Guest } from "./guest.ts"
import { receivePost } from "./request-checks.ts"
import { toRedirect } from "./respond.ts"
import type { AuthorizationParts, Route, Site } from "./site.ts"

export async function programsOf({ authorization }: Site, { principal }: Guest): Promise<readonly ProgramView[]> {
  if (authorization === undefined) return []
  return (await authorization.consents.list(principal)).map((consent) => toProgramView(authorization, consent))
}

export const withdrawProgram: Route = async (visit) => {
  const post = await receivePost(visit, async ({ site, request }) => {
    const guest = await site.gate.enter(request, "account")
    return guest instanceof Response ? guest : { guest }
  })
  if (post instanceof Response) return post
  const { principal } = post.target.guest
  await visit.site.authorization?.consents.withdraw(principal, visit.part("id"))
  return toRedirect(paths.account)
}

function toProgramView({ resources }: AuthorizationParts, consent: StandingConsent): ProgramView {
  const { id, client, name, scopes, since } = consent
  const resource = resources.find((one) => one.resource === consent.resource)
  const host = displayHost(client)
  return {
    name: name ?? (host || client),
    ...(host === "" ? {} : { host }),
    resource: resource?.name ?? displayHost(consent.resource),
    scopes: scopes.map((scope) => ({ scope, words: resource?.scopes[scope] ?? scope })),
    since,
    withdraw: pathTo(paths.withdraw, id),
  }
}
