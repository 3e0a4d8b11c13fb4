// Who is there: by a session from an identity provider, or in local mode by the one browser that claimed the link.

import { localHome, paths, signInTo } from "../core/addresses.ts"
import { csrfToken } from "../identity/csrf.ts"
import type { Identity, LocalIdentity } from "../identity/index.ts"
import type { Session } from "../identity/records.ts"
import { isSameText } from "../sealing/hash.ts"
import type { Jar } from "./cookies.ts"
import { cookieNames } from "./cookies.ts"
import { refuseLink } from "./refusals.ts"
import { respond, toRedirect } from "./respond.ts"
import type { Guest } from "./site.ts"

export interface Gate {
  /**
   * The guest, or what to answer instead. `about` is what the page is about: in local mode a browser claims each thing
   * for itself; otherwise it is where a person comes back to after signing in.
   */
  enter(request: Request, about: string): Promise<Guest | Response>
  /** Who is there when a provider sends them back, without asking anybody to sign in. */
  arrive(request: Request): Promise<WhoIsThere>
  /** The account page, in a link for somebody who has been let in: in local mode they may not have been there yet. */
  readonly accountPage: string
  /** Undefined where nobody signs in. */
  readonly identity?: Identity
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
  // Another with each start that has a secret of its own: whoever reads the terminal can claim it again.
  const home = `${localHome}-${local.keyOf("name of home").slice(0, 12)}`
  return {
    accountPage: `${paths.account}?key=${local.keyOf(localHome)}`,
    async enter(request, about) {
      // A question is claimed once, whichever page shows it; inbox and account are claimed together.
      const question = /^(?:connect|visit|inbox):(.*)$/.exec(about)?.[1]
      const id = question ?? home
      const held = jar.get(request, cookieNames.claim(id))
      const isTheirs = (await local.session(held))?.claim === id
      const key = question === undefined ? local.keyOf(localHome) : undefined
      if (!isTheirs && !mayClaim(request, key)) return refuseLink()
      const claimed = await local.claim(id, held, { agent: request.headers.get("user-agent") ?? "" })
      if (claimed.kind === "taken") return refuseLink()
      const token = claimed.kind === "claimed" ? claimed.token : held
      const cookies = claimed.kind === "claimed" ? [jar.set(cookieNames.claim(id), claimed.token, claimSeconds)] : []
      // The key has done its work: it stays in no history.
      if (keyIn(request) !== "") return toRedirect(new URL(request.url).pathname, { cookies })
      return { ...toGuest(claimed.session, token ?? "", cookies), code: local.codeOf(question ?? localHome) }
    },
    async arrive(request) {
      return async (about) => {
        const session = await local.session(jar.get(request, cookieNames.claim(about)))
        return session?.claim === about ? session : undefined
      }
    },
  }
}

/**
 * A question's id is known to who was asked; the home of them all has a name that anybody can guess, and needs its key.
 * Only a page that is opened claims: a browser keeps no cookie for what a web page loads as a picture.
 */
function mayClaim(request: Request, key: string | undefined): boolean {
  const destination = request.headers.get("sec-fetch-dest") ?? "document"
  return (
    request.method === "GET" && destination === "document" && (key === undefined || isSameText(keyIn(request), key))
  )
}

const keyIn = (request: Request): string => new URL(request.url).searchParams.get("key") ?? ""

/** As long as the claim itself: a browser that is started anew must not lock its person out. */
const claimSeconds = 7 * 24 * 3_600

function toGuest(session: Session, token: string, cookies: readonly string[]): Guest {
  const { principal } = session
  return { principal, session, name: session.name ?? principal.subject, csrf: csrfToken(token), cookies }
}
