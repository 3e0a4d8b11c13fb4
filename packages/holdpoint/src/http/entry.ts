// The checks before any route: is this our host, does the post come from our own page, is it small enough.

import { readText } from "../fetching/body.ts"
import { isSameText } from "../sealing/hash.ts"
import { refusePost } from "./refusals.ts"
import { toRedirect } from "./respond.ts"
import type { Guest, Site, Visit } from "./site.ts"

const mostFormBytes = 256 * 1_024

/** DNS rebinding: an address that merely resolves to us is not ours. */
export function isOurHost(
  request: Request,
  { addresses }: Pick<Site, "addresses">,
  alsoHosts: readonly string[],
): boolean {
  const host = request.headers.get("host") ?? new URL(request.url).host
  return host === new URL(addresses.publicUrl).host || alsoHosts.includes(host)
}

/**
 * A post must come from our own pages. Browsers that are told to send no referrer say `Origin: null` there, so what
 * decides is Sec-Fetch-Site where there is one, and in any case the token in the form.
 */
export function isOwnPost(request: Request, { addresses }: Pick<Site, "addresses">): boolean {
  const site = request.headers.get("sec-fetch-site")
  const origin = request.headers.get("origin")
  if (site !== null && site !== "same-origin") return false
  return origin === null || origin === "null" || origin === new URL(addresses.publicUrl).origin
}

/** A post from the first check to its fields: from our own page, of somebody who may, with the token of their session. */
export async function receivePost<F extends { readonly guest: Guest }>(
  visit: Visit,
  find: (visit: Visit) => Promise<F | Response>,
): Promise<{ readonly found: F; readonly fields: URLSearchParams } | Response> {
  const { site, request } = visit
  if (!isOwnPost(request, site)) return refusePost()
  const found = await find(visit)
  if (found instanceof Response) return found
  const fields = await readForm(request, found.guest.csrf)
  if (fields === undefined) return refusePost()
  const isTheirs = (await found.guest.claim?.()) ?? true
  return isTheirs ? { found, fields } : toRedirect(new URL(request.url).pathname)
}

/** The posted fields, or undefined when they are too many, of another kind, or carry the wrong token. */
export async function readForm(request: Request, csrf: string): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined
  const text = await readText(request, mostFormBytes)
  if (text === undefined) return undefined
  const fields = new URLSearchParams(text)
  return isSameText(fields.get("csrf") ?? "", csrf) ? fields : undefined
}
