// /browser, in local mode: the buttons that a refused browser is shown. One shows the page in the person's own browser,
// the other cancels the question. The refused browser receives neither a key nor a question.

import { newToken } from "@holdpoint/hub/internal"
import { csrfToken } from "../identity/csrf.ts"
import { endedPage, shownElsewherePage } from "../web/index.ts"
import { browserCookie } from "./gate.ts"
import { refuseLink, refusePost } from "./refusals.ts"
import { isOwnPost, readForm } from "./request-checks.ts"
import { toPage, toRedirect } from "./respond.ts"
import type { Route, Site } from "./site.ts"
import { pathOf } from "./targets.ts"

export const answerBrowser: Route = async ({ site, request }) => {
  const { local } = site.gate
  if (local === undefined) return refuseLink()
  if (!isOwnPost(request, site)) return refusePost()
  const token = site.jar.get(request, browserCookie(local)) ?? ""
  const fields = await readForm(request, csrfToken(token))
  if (fields === undefined) return refusePost()
  const target = fields.get("to") ?? ""
  switch (fields.get("do")) {
    case "show":
      return show(site, target)
    case "end":
      return end(site, target, token)
    default:
      return refusePost()
  }
}

/** Shows the address with the key to the person at the machine, never to the browser that asked for it. */
async function show({ gate, addresses, parts }: Site, target: string): Promise<Response> {
  const { local } = gate
  const path = pathOf({ parts }, target)
  const address = `${addresses.publicUrl}${path}?key=${local?.keyOf(newToken())}`
  return (await local?.show?.(address)) === true ? toPage(shownElsewherePage()) : toRedirect(path)
}

/** Cancels a question that another browser has claimed, so that the person can ask for a new link. */
async function end({ gate, hub }: Site, target: string, token: string): Promise<Response> {
  const id = /:(.*)$/.exec(target)?.[1]
  const claimState = id === undefined ? undefined : await gate.local?.access(id, token)
  if (id === undefined || gate.local === undefined || claimState?.kind !== "taken") return refuseLink()
  await hub.answer(id, { by: gate.local.principal, action: "cancel", via: "web" })
  return toPage(endedPage(cancelledPage))
}

const cancelledPage = {
  title: "The question was cancelled",
  words: "The program that asked has been told. Go back to it and start again to get a new link.",
}
