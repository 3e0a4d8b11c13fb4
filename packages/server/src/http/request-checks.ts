// The checks before a route: the Host header, the origin of a post, its size and its CSRF token.

import { readText } from "@holdpoint/fetching/internal"
import { isSameText } from "@holdpoint/hub/internal"
import type { Guest } from "./guest.ts"
import { refuseEarlyPress, refusePost } from "./refusals.ts"
import { toRedirect } from "./respond.ts"
import type { Site, Visit } from "./site.ts"

const mostFormBytes = 256 * 1_024

/** Whether the Host header names this server. Prevents DNS rebinding. */
export function isOurHost(
  request: Request,
  { addresses }: Pick<Site, "addresses">,
  alsoHosts: readonly string[],
): boolean {
  const host = request.headers.get("host") ?? new URL(request.url).host
  return host === new URL(addresses.publicUrl).host || alsoHosts.includes(host)
}

/**
 * Whether a post comes from our own pages. Our no-referrer policy makes browsers send `Origin: null`, so the header
 * Sec-Fetch-Site decides, if the browser sends it. The CSRF token in the form is checked in any case.
 */
export function isOwnPost(request: Request, { addresses }: Pick<Site, "addresses">): boolean {
  const site = request.headers.get("sec-fetch-site")
  const origin = request.headers.get("origin")
  if (site !== null && site !== "same-origin") return false
  return origin === null || origin === "null" || origin === new URL(addresses.publicUrl).origin
}

/**
 * Checks a post and returns its fields: it must come from our own page, from a permitted person, with their session's
 * CSRF token.
 */
export async function receivePost<F extends { readonly guest: Guest }>(
  visit: Visit,
  find: (visit: Visit) => Promise<F | Response>,
): Promise<{ readonly target: F; readonly fields: URLSearchParams } | Response> {
  const { site, request } = visit
  if (!isOwnPost(request, site)) return refusePost()
  const target = await find(visit)
  if (target instanceof Response) return target
  const fields = await readForm(request, target.guest.csrf)
  if (fields === undefined) return refusePost()
  if (isTooSoon(fields, site)) return refuseEarlyPress(new URL(request.url).pathname)
  const isClaimed = (await target.guest.claim?.()) ?? true
  return isClaimed ? { target, fields } : toRedirect(new URL(request.url).pathname)
}

/** How long a page must have existed before its button is pressed, as in `forms/steady.mjs`. */
const stillMs = 700

/**
 * Whether the button was pressed sooner than a person can read the page: a second click that was meant for the page
 * before. Judged only without scripts. Not signed, because it protects people from their own hand.
 */
function isTooSoon(fields: URLSearchParams, { runtime }: Pick<Site, "runtime">): boolean {
  const renderedAt = fields.get("rendered")
  return renderedAt !== null && Math.abs(runtime.now() - Number(renderedAt)) < stillMs
}

/** Reads the posted fields. Undefined when the body is too large, is not a form, or has a wrong CSRF token. */
export async function readForm(request: Request, csrf: string): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined
  const text = await readText(request, mostFormBytes)
  if (text === undefined) return undefined
  const fields = new URLSearchParams(text)
  return isSameText(fields.get("csrf") ?? "", csrf) ? fields : undefined
}
