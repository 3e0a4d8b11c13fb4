// Decides which person a request comes from: by a sign-in session, or in local mode by a cookie of the person's
// browser.

import { paths } from "@holdpoint/hub"
import { hashOf, localHome, newToken, signInTo } from "@holdpoint/hub/internal"
import { csrfToken } from "../identity/csrf.ts"
import type { Identity, LocalIdentity } from "../identity/index.ts"
import type { Session } from "../identity/records.ts"
import type { Jar } from "./cookies.ts"
import { cookieNames } from "./cookies.ts"
import type { Guest } from "./guest.ts"
import { refuseBrowser } from "./refusals.ts"
import { respond, toRedirect } from "./respond.ts"

export interface Gate {
  /**
   * Returns the guest, or the response to send instead. `page` names the page, so that a person returns to it after
   * signing in.
   */
  enter(request: Request, page: string): Promise<Guest | Response>
  /** Identifies a person whom a provider sends back. Never asks for a sign-in. */
  arrive(request: Request): Promise<SessionFinder>
  /** The address of the account page for an admitted person. In local mode it may contain a key. */
  readonly accountPage: string
  /** The sign-in with identity providers. Undefined in local mode. */
  readonly identity?: Identity
  /** The keys and claims of local mode. Undefined outside local mode. */
  readonly local?: LocalIdentity
}

/** Returns the session that may act on this question. */
type SessionFinder = (question: string) => Promise<Session | undefined>

export function createSignInGate(identity: Identity, jar: Jar): Gate {
  return {
    identity,
    accountPage: paths.account,
    async enter(request, page) {
      const token = jar.get(request, cookieNames.session)
      const session = token === undefined ? undefined : await identity.session(token)
      if (token === undefined || session === undefined) return toSignIn(request, page)
      return toGuest(session, token, [])
    },
    async arrive(request) {
      const session = await identity.session(jar.get(request, cookieNames.session))
      return async () => session
    },
  }
}

/**
 * Redirects to the sign-in. After a post, the sign-in page waits for a click (`choose`): `form-action` of our policy
 * covers redirects, and would block one to the identity provider. A script's request gets 401; the script then reloads
 * its page, which redirects.
 */
function toSignIn({ method, headers }: Request, page: string): Response {
  if (headers.get("sec-fetch-dest") === "empty") return respond(null, { status: 401 })
  return toRedirect(signInTo(page, { choose: method === "POST" }))
}

export function createLocalGate(local: LocalIdentity, jar: Jar): Gate {
  const cookie = browserCookie(local)
  const agentOf = (request: Request) => ({ agent: request.headers.get("user-agent") ?? "" })

  /** Admits the browser by its key and redirects to the same path without the key, so that no history keeps it. */
  async function admit(request: Request, url: URL): Promise<Response> {
    const isOwnBrowser = (await local.access(undefined, jar.get(request, cookie))).kind === "theirs"
    const token =
      isOwnBrowser || !isOpened(request)
        ? undefined
        : await local.admit(url.searchParams.get("key") ?? "", agentOf(request))
    const cookies = token === undefined ? [] : [jar.set(cookie, token, cookieSeconds)]
    return toRedirect(url.pathname, { cookies })
  }

  return {
    local,
    // Without `show`, a link admits the browser to one question only, so the address contains a key for the account.
    get accountPage() {
      return local.show === undefined ? `${paths.account}?key=${local.keyOf(newToken())}` : paths.account
    },
    async enter(request, page) {
      const url = new URL(request.url)
      if (request.method === "GET" && url.searchParams.has("key")) return admit(request, url)
      const question = /^(?:connect|visit|inbox|timeline):(.*)$/.exec(page)?.[1]
      const storedToken = jar.get(request, cookie)
      const token = storedToken ?? newToken()
      const cookies = storedToken === undefined ? [jar.set(cookie, token, cookieSeconds)] : []
      const claimState = await local.access(question, token)
      if (claimState.kind === "taken" || claimState.kind === "unknown")
        return refuseBrowser(local, { reason: claimState.kind, page, question, csrf: csrfToken(token), cookies })
      const code = local.codeOf(question ?? localHome)
      const opensOneQuestion = question !== undefined && (await local.access(undefined, token)).kind !== "theirs"
      const guest = { ...toGuest(claimState.session, token, cookies), code, opensOneQuestion }
      if (question === undefined || claimState.kind === "theirs") return guest
      return { ...guest, claim: () => local.claim(question, token, agentOf(request)) }
    },
    async arrive(request) {
      return async (question) => {
        const claimState = await local.access(question, jar.get(request, cookie))
        return claimState.kind === "theirs" ? claimState.session : undefined
      }
    },
  }
}

/** The browser cookie's name differs for each person, because people on one machine share a host. */
export const browserCookie = ({ principal: { tenant, subject } }: LocalIdentity): string =>
  cookieNames.browser(hashOf(JSON.stringify([tenant, subject])))

/** Whether a person opened the address: not an image that a web page loads, and not a prefetch. */
const isOpened = ({ headers }: Request): boolean =>
  (headers.get("sec-fetch-dest") ?? "document") === "document" && !headers.has("sec-purpose")

/**
 * The lifetime of the browser cookie. Equal to that of a claim, so that a restarted browser does not lock its person
 * out.
 */
const cookieSeconds = 7 * 24 * 3_600

function toGuest(session: Session, token: string, cookies: readonly string[]): Guest {
  const { principal } = session
  return { principal, session, name: session.name ?? principal.subject, csrf: csrfToken(token), cookies }
}
