// /signin and /signout: to the identity provider and back, and signing out.

import { paths } from "@holdpoint/hub"
import { pathTo, signInTo } from "@holdpoint/hub/internal"
import { signInWords } from "../identity/reasons.ts"
import { errorPage, signedOutPage, signInPage } from "../web/index.ts"
import { cookieNames } from "./cookies.ts"
import { refusePost } from "./refusals.ts"
import { isOwnPost, readForm } from "./request-checks.ts"
import { toPage, toRedirect } from "./respond.ts"
import type { Route } from "./site.ts"
import { pathOf } from "./targets.ts"

export const showSignIn: Route = async ({ site, url }) => {
  const { identity } = site.gate
  if (identity === undefined) return toLocalOnlyPage()
  const to = url.searchParams.get("to") ?? "inbox"
  const problem = signInWords(url.searchParams.get("problem"))
  const [first, ...otherProviders] = identity.providers
  if (first !== undefined && otherProviders.length === 0 && problem === undefined && !url.searchParams.has("choose")) {
    return toRedirect(beginAt(first.id, to, false))
  }
  const identityProviders = identity.providers.map(({ id, name }) => ({ id, name, href: beginAt(id, to, true) }))
  return toPage(signInPage({ identityProviders, to, demo: site.demo, ...(problem === undefined ? {} : { problem }) }))
}

export const beginSignIn: Route = async ({ site, request, url, part }) => {
  const { identity } = site.gate
  if (identity === undefined) return toLocalOnlyPage()
  const to = url.searchParams.get("to") ?? "inbox"
  const identityProvider = part("provider")
  if (!identity.providers.some(({ id }) => id === identityProvider))
    return toRedirect(signInTo(undefined, { choose: true }))
  try {
    const prompt = url.searchParams.has("anew") ? ({ prompt: "login" } as const) : {}
    const browser = site.jar.get(request, cookieNames.signIn)
    const signIn = await identity.begin({ identityProvider, to, browser, ...prompt })
    const maxAge = Math.ceil((signIn.expiresAt - site.runtime.now()) / 1_000)
    return toRedirect(signIn.url, { cookies: [site.jar.set(cookieNames.signIn, signIn.browser, maxAge)] })
  } catch (error) {
    site.report("starting a sign-in", error)
    return toRedirect(signInTo(to, { choose: true, problem: "identity_provider_unavailable" }))
  }
}

export const finishSignIn: Route = async ({ site, request, url }) => {
  const { identity } = site.gate
  if (identity === undefined) return toLocalOnlyPage()
  const result = await identity.finish({
    address: `${site.addresses.publicUrl}${url.pathname}`,
    parameters: url.searchParams,
    browser: site.jar.get(request, cookieNames.signIn),
    agent: request.headers.get("user-agent") ?? undefined,
    session: site.jar.get(request, cookieNames.session),
  })
  // The sign-in cookie is not cleared: another tab may still need it on its way back.
  if (result.kind === "refused") {
    return toRedirect(signInTo(result.to ?? "inbox", { choose: true, problem: result.reason.code }))
  }
  return toRedirect(pathOf(site, result.to), { cookies: [site.jar.set(cookieNames.session, result.token)] })
}

export const signOut: Route = async (visit) => {
  const { site, request } = visit
  const { identity } = site.gate
  if (identity === undefined) return toLocalOnlyPage()
  if (!isOwnPost(request, site)) return refusePost()
  const guest = await site.gate.enter(request, "inbox")
  if (guest instanceof Response) return toPage(signedOutPage())
  const fields = await readForm(request, guest.csrf)
  if (fields === undefined) return refusePost()
  await identity.end(site.jar.get(request, cookieNames.session))
  const cookies = [site.jar.clear(cookieNames.session)]
  const to = fields.get("to")
  // Another person wants to answer: after signing in, they return to the same question.
  if (to !== null) return toRedirect(signInTo(to, { choose: true }), { cookies })
  const signOutAddress = await identity.signOutAddress(guest.principal)
  return toPage(signedOutPage(signOutAddress === undefined ? {} : { signOutAddress }), { cookies })
}

/**
 * The address that begins a sign-in. `forcesLogin` makes the identity provider ask for credentials again, so that a
 * person can sign in as another person.
 */
const beginAt = (id: string, to: string, forcesLogin: boolean): string =>
  `${pathTo(paths.signInWith, id)}?${forcesLogin ? "anew&" : ""}to=${encodeURIComponent(to)}`

function toLocalOnlyPage(): Promise<Response> {
  const words = "This server is for the person at this machine only. Open the link that your terminal shows."
  return toPage(errorPage({ title: "There is no sign-in here", words }), { status: 404 })
}
