// Who is there: by a session from an identity provider, or in local mode by the browser that is the person's.

import { localHome, paths, signInTo } from "../core/addresses.ts"
import { csrfToken } from "../identity/csrf.ts"
import type { Identity, LocalIdentity } from "../identity/index.ts"
import type { Session } from "../identity/records.ts"
import { hashOf, newToken } from "../sealing/hash.ts"
import type { Jar } from "./cookies.ts"
import { cookieNames } from "./cookies.ts"
import { refuseBrowser } from "./refusals.ts"
import { respond, toRedirect } from "./respond.ts"
import type { Guest } from "./site.ts"

export interface Gate {
  /**
   * The guest, or what to answer instead. `about` is what the page is about, and where a person comes back to after
   * signing in.
   */
  enter(request: Request, about: string): Promise<Guest | Response>
  /** Who is there when a provider sends them back, without asking anybody to sign in. */
  arrive(request: Request): Promise<WhoIsThere>
  /** The account page, in a link for somebody who has been let in: in local mode they may not have been there yet. */
  readonly accountPage: string
  /** Undefined where nobody signs in. */
  readonly identity?: Identity
  /** Undefined where people sign in. */
  readonly local?: LocalIdentity
}

/** Answers once it is known which question this is about. */
type WhoIsThere = (question: string) => Promise<Session | undefined>

export function createSignInGate(identity: Identity, jar: Jar): Gate {
  return {
    identity,
    accountPage: paths.account,
    async enter(request, about) {
      const token = jar.get(request, cookieNames.session)
      const session = token === undefined ? undefined : await identity.session(token)
      if (token === undefined || session === undefined) return toSignIn(request, about)
      return toGuest(session, token, [])
    },
    async arrive(request) {
      const session = await identity.session(jar.get(request, cookieNames.session))
      return async () => session
    },
  }
}

/**
 * A post is led to a page first: browsers hold every redirect after it to our policy, and the next is not ours. What a
 * script asks for is not led there at all: it loads its page anew, and that is.
 */
function toSignIn({ method, headers }: Request, about: string): Response {
  if (headers.get("sec-fetch-dest") === "empty") return respond(null, { status: 401 })
  return toRedirect(signInTo(about, { choose: method === "POST" }))
}

export function createLocalGate(local: LocalIdentity, jar: Jar): Gate {
  const cookie = browserCookie(local)
  const agentOf = (request: Request) => ({ agent: request.headers.get("user-agent") ?? "" })

  /** The key has done its work: it stays in no history. */
  async function admit(request: Request, url: URL): Promise<Response> {
    const isTheirs = (await local.standing(undefined, jar.get(request, cookie))).kind === "theirs"
    const token =
      isTheirs || !isOpened(request)
        ? undefined
        : await local.admit(url.searchParams.get("key") ?? "", agentOf(request))
    const cookies = token === undefined ? [] : [jar.set(cookie, token, cookieSeconds)]
    return toRedirect(url.pathname, { cookies })
  }

  return {
    local,
    // A browser that was let in by a link alone is shown the way to the rest with a key of its own.
    get accountPage() {
      return local.show === undefined ? `${paths.account}?key=${local.keyOf(newToken())}` : paths.account
    },
    async enter(request, about) {
      const url = new URL(request.url)
      if (request.method === "GET" && url.searchParams.has("key")) return admit(request, url)
      const question = /^(?:connect|visit|inbox):(.*)$/.exec(about)?.[1]
      const held = jar.get(request, cookie)
      const token = held ?? newToken()
      const cookies = held === undefined ? [jar.set(cookie, token, cookieSeconds)] : []
      const standing = await local.standing(question, token)
      if (standing.kind === "taken" || standing.kind === "unknown")
        return refuseBrowser(local, { why: standing.kind, about, csrf: csrfToken(token), cookies })
      const guest = { ...toGuest(standing.session, token, cookies), code: local.codeOf(question ?? localHome) }
      if (question === undefined || standing.kind === "theirs") return guest
      return { ...guest, claim: () => local.claim(question, token, agentOf(request)) }
    },
    async arrive(request) {
      return async (about) => {
        const standing = await local.standing(about, jar.get(request, cookie))
        return standing.kind === "theirs" ? standing.session : undefined
      }
    },
  }
}

/** People on one machine have names of their own; a browser that is started anew is known again. */
export const browserCookie = ({ principal: { tenant, subject } }: LocalIdentity): string =>
  cookieNames.browser(hashOf(JSON.stringify([tenant, subject])))

/** By a person: neither a picture that a web page loads, nor ahead of time. */
const isOpened = ({ headers }: Request): boolean =>
  (headers.get("sec-fetch-dest") ?? "document") === "document" && !headers.has("sec-purpose")

/** As long as a claim: a browser that is started anew must not lock its person out. */
const cookieSeconds = 7 * 24 * 3_600

function toGuest(session: Session, token: string, cookies: readonly string[]): Guest {
  const { principal } = session
  return { principal, session, name: session.name ?? principal.subject, csrf: csrfToken(token), cookies }
}
