// The redirect URIs to which providers send people back. A request with parameters is always redirected, even from an
// unknown browser, so that neither code nor state stays in the address bar, the history or a referrer.

import { paths } from "@holdpoint/hub"
import { pathTo } from "@holdpoint/hub/internal"
import { cookieNames } from "./cookies.ts"
import { refuseLink } from "./refusals.ts"
import { toRedirect } from "./respond.ts"
import type { Route, Visit } from "./site.ts"

/** Handles the redirect URIs that belong to one provider each. */
export const arriveAtContext: Route = (visit) => arrive(visit, visit.part("context"))

/** Handles the redirect URI that all providers share: `state` alone identifies the flow. */
export const arriveAnywhere: Route = (visit) => arrive(visit, undefined)

async function arrive({ site, request, url }: Visit, context: string | undefined): Promise<Response> {
  if (url.search === "") return refuseLink()
  const sessionFor = await site.gate.arrive(request)
  const arrival = await site.vault.consent.arrive({
    parameters: url.searchParams,
    address: `${site.addresses.publicUrl}${url.pathname}`,
    ...(context === undefined ? {} : { context }),
    async visitor({ elicitation }) {
      const session = await sessionFor(elicitation)
      return session === undefined ? undefined : { principal: session.principal, session: session.id }
    },
    browser: ({ id }) => site.jar.get(request, cookieNames.flow(id)),
  })
  if (arrival.kind === "unusable") return toRedirect(url.pathname)
  const { elicitation, id } = arrival.flow
  const cookies = [elicitation, id].map((name) => site.jar.clear(cookieNames.flow(name)))
  return toRedirect(pathTo(paths.connect, elicitation), { cookies })
}
