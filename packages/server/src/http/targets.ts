// The addresses to which people may be redirected: only by known ids, never by an address in a link.

import type { Elicitation } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import { pathTo } from "@holdpoint/hub/internal"
import { cookieNames } from "./cookies.ts"
import type { ReturnTarget, Site, Visit } from "./site.ts"

/** The path to return to after signing in; the inbox for an unknown value. */
export function pathOf({ parts }: Pick<Site, "parts">, target: string): string {
  if (target === "account") return paths.account
  const [, page, id] = /^([a-z][a-z-]*):([\w-]{1,100})$/.exec(target) ?? []
  if (page === undefined || id === undefined) return paths.inbox
  const ofParts = parts.flatMap((part) => part.pages).find(({ returnName }) => returnName === page)
  const path = pages.find(([name]) => name === page)?.[1] ?? ofParts?.path
  return path === undefined ? paths.inbox : pathTo(path, id)
}

const pages = [
  ["connect", paths.connect],
  ["visit", paths.visit],
  ["inbox", paths.question],
  ["timeline", paths.timeline],
  ["authorize", paths.authorize],
] as const

export function returnTargetOf(site: Site, id: string | undefined): { readonly returnTo?: ReturnTarget } {
  const returnTo = id === undefined ? undefined : site.returnTargets.get(id)
  return returnTo === undefined ? {} : { returnTo }
}

/** The id of a configured opener, or undefined. */
function openerOf({ openers }: Site, id: string | null): string | undefined {
  return id !== null && openers.has(id) ? id : undefined
}

/** A cookie that remembers which page opened this window, for as long as the flow may take. */
export function rememberOpener({ site, url, part }: Visit): readonly string[] {
  const opener = openerOf(site, url.searchParams.get("popup"))
  return opener === undefined ? [] : [site.jar.set(cookieNames.opener(part("id")), opener, 20 * 60)]
}

/**
 * The message that a popup window posts to its opener: only to the configured origin, and only the question's id and
 * status.
 */
export function popupOf(site: Site, request: Request, { id }: Elicitation, status: string) {
  const opener = site.jar.get(request, cookieNames.opener(id))
  const origin = opener === undefined ? undefined : site.openers.get(opener)
  return origin === undefined ? {} : { popup: { origin, id, status } }
}
