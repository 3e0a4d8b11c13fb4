// The addresses to which providers send people back. They answer with a redirect at once, also to strangers, so that
// neither code nor state stays in an address bar, a history or a referrer.

import { paths, pathTo } from "../core/addresses.ts"
import { cookieNames } from "./cookies.ts"
import { refuseLink } from "./refusals.ts"
import { toRedirect } from "./respond.ts"
import type { Route, Visit } from "./site.ts"

/** An address of its own for each provider. */
export const arriveAtContext: Route = (visit) => arrive(visit, visit.part("context"))

/** One exact address: the flow is found by `state` alone. */
export const arriveAnywhere: Route = (visit) => arrive(visit, undefined)

async function arrive({ site, request, url }: Visit, context: string | undefined): Promise<Response> {
  if (url.search === "") return refuseLink()
  const whoIsThere = await site.gate.arrive(request)
  const arrived = await site.vault.consent.arrive({
    parameters: url.searchParams,
    address: `${site.addresses.publicUrl}${url.pathname}`,
    ...(context === undefined ? {} : { context }),
    async visitor({ elicitation }) {
      const session = await whoIsThere(elicitation)
      return session === undefined ? undefined : { principal: session.principal, session: session.id }
    },
    browser: ({ id }) => site.jar.get(request, cookieNames.flow(id)),
  })
  if (arrived.kind === "unusable") return toRedirect(url.pathname)
  const { elicitation, id } = arrived.flow
  const cookies = [elicitation, id].map((name) => site.jar.clear(cookieNames.flow(name)))
  return toRedirect(pathTo(paths.connect, elicitation), { cookies })
}
