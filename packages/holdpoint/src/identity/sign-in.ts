// Signing in as an OpenID Connect relying party: authorization code, PKCE, nonce, and a cookie that ties the answer to
// the browser that began. Whoever arrives with the answer first uses it up, before anything is asked of the provider.

import { calculatePKCECodeChallenge } from "oauth4webapi"
import { paths, pathTo } from "../core/addresses.ts"
import type { Reason } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import { nearest } from "../core/nearest.ts"
import { places } from "../core/place.ts"
import type { Place } from "../core/sealed.ts"
import type { Session, SignIn } from "../ports/accounts.ts"
import type { Fetch } from "../ports/fetch.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import { hashOf, isHashOf, newToken } from "../sealing/hash.ts"
import type { Claims } from "./claims.ts"
import { toPerson } from "./claims.ts"
import type { Discover } from "./discovery.ts"
import { exchange } from "./exchange.ts"
import type { IdentityProvider } from "./provider.ts"
import { defaultScopes } from "./provider.ts"
import type { SignInCode } from "./reasons.ts"
import { codeOf, problemOf, reasonOf } from "./reasons.ts"
import type { Sessions } from "./sessions.ts"

export interface SignInParts {
  readonly storage: Pick<Storage, "signIns">
  readonly sealer: Sealer
  readonly sessions: Sessions
  readonly providers: ReadonlyMap<string, IdentityProvider>
  readonly discover: Discover
  readonly publicUrl: string
  readonly fetch: Fetch
  readonly runtime: Runtime
  readonly signInMs: number
  readonly report: (doing: string, error: unknown) => void
}

export interface BeginSignIn {
  readonly identityProvider: string
  /** Where to go afterwards: an id that the pages know. It is kept as it is and never becomes an address here. */
  readonly to: string
  /** Below our own address. Else /signin/callback; of several providers each has its own, with its id behind it. */
  readonly redirectUri?: string
  /** For somebody who wants to be somebody else: asks again, although the provider may still know them. */
  readonly prompt?: "login" | "select_account"
  /** What the sign-in cookie of this browser already holds, so that two tabs can sign in side by side. */
  readonly browser?: string | undefined
}

export interface SignInBegun {
  /** At the identity provider. */
  readonly url: string
  /** For the cookie of this browser. */
  readonly browser: string
  readonly expiresAt: number
}

export interface FinishSignIn {
  /** Where it arrived, without its parameters: an answer that came to another provider's address is not ours. */
  readonly address: string
  /** What the identity provider sent the browser back with. */
  readonly parameters: URLSearchParams
  /** What the cookie holds. */
  readonly browser: string | undefined
  readonly agent?: string | undefined
  /** The session that this browser had until now. It ends. */
  readonly session?: string | undefined
}

/** `to` is only told to the browser that began. */
export type SignInFinished =
  | { readonly kind: "signed_in"; readonly token: string; readonly session: Session; readonly to: string }
  | { readonly kind: "refused"; readonly reason: Reason & { readonly code: SignInCode }; readonly to?: string }

export async function beginSignIn(parts: SignInParts, wanted: BeginSignIn): Promise<SignInBegun> {
  const { storage, sealer, publicUrl, runtime, signInMs } = parts
  const provider = identityProviderOf(parts.providers, wanted.identityProvider)
  // RFC 9700 §4.4: where answers of several providers arrive, each has an address of its own.
  const back = parts.providers.size > 1 ? pathTo(paths.signInReturnOf, provider.id) : paths.signInReturn
  const redirectUri = wanted.redirectUri ?? `${publicUrl}${back}`
  if (!redirectUri.startsWith(`${publicUrl}/`))
    throw new HoldpointError("invalid_config", "A sign-in comes back to our own address only. Use a path below it.")
  // Anybody may begin, and what they bring along is stored.
  if (wanted.to.length > 200) throw new HoldpointError("link_unusable", "The place to return to is longer than any id.")
  const endpoint = await authorizationEndpoint(parts, provider)
  const [state, nonce, verifier] = [newToken(), newToken(), newToken()]
  const browser = wanted.browser !== undefined && isToken(wanted.browser) ? wanted.browser : newToken()
  const id = hashOf(state)
  const expiresAt = runtime.now() + signInMs
  await storage.signIns.insert({
    id,
    tenant: "",
    version: 1,
    identityProvider: provider.id,
    issuer: provider.issuer,
    redirectUri,
    browser: hashOf(browser),
    to: wanted.to,
    expiresAt,
    sealed: sealer.seal(placeOf(id), { verifier, nonce }),
  })
  for (const [name, value] of Object.entries({
    response_type: "code",
    client_id: provider.client.id,
    redirect_uri: redirectUri,
    scope: (provider.scopes ?? defaultScopes).join(" "),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(wanted.prompt === undefined ? {} : { prompt: wanted.prompt }),
  }))
    endpoint.searchParams.set(name, value)
  return { url: endpoint.href, browser, expiresAt }
}

export async function finishSignIn(parts: SignInParts, given: FinishSignIn): Promise<SignInFinished> {
  const { storage, sessions, runtime } = parts
  const [state, second] = given.parameters.getAll("state")
  const signIn = state === undefined || second !== undefined ? undefined : await storage.signIns.get(hashOf(state))
  if (state === undefined || signIn === undefined) return refused("sign_in_unknown")
  if (!isHashOf(given.browser, signIn.browser)) return refused("sign_in_other_browser")
  if (given.address !== signIn.redirectUri) return refused("sign_in_invalid")
  // The one who removes it goes on: a replay and a race both end here.
  if (!(await storage.signIns.remove(signIn))) return refused("sign_in_unknown")
  const { to } = signIn
  if (runtime.now() >= signIn.expiresAt) return refused("sign_in_expired", to)
  const provider = parts.providers.get(signIn.identityProvider)
  if (provider === undefined || provider.issuer !== signIn.issuer) return refused("sign_in_unknown", to)
  const proven = await prove(parts, provider, signIn, state, given.parameters)
  if ("code" in proven) return refused(proven.code, to)
  const person = toPerson(provider, signIn.issuer, proven.claims)
  if (!person.ok) return refused(person.code, to)
  await sessions.end(given.session)
  const begun = await sessions.begin(person, { agent: given.agent, via: provider.id })
  return { kind: "signed_in", ...begun, to }
}

function identityProviderOf(providers: ReadonlyMap<string, IdentityProvider>, id: string): IdentityProvider {
  const provider = providers.get(id)
  if (provider !== undefined) return provider
  const meant = nearest(id, providers.keys())
  const next =
    meant === undefined ? `There are: ${[...providers.keys()].join(", ") || "none"}.` : `Did you mean ${meant}?`
  throw new HoldpointError("unknown_provider", `There is no identity provider of this name. ${next}`)
}

async function prove(
  parts: SignInParts,
  provider: IdentityProvider,
  signIn: SignIn,
  state: string,
  parameters: URLSearchParams,
): Promise<{ readonly claims: Claims } | { readonly code: SignInCode }> {
  const { sealer, discover, fetch, runtime, report } = parts
  try {
    const { verifier = "", nonce = "" } =
      signIn.sealed === undefined ? {} : sealer.open(placeOf(signIn.id), signIn.sealed)
    const server = await discover(provider)
    const { redirectUri } = signIn
    const answer = { provider, server, parameters, state, redirectUri, verifier, nonce }
    return { claims: await exchange(answer, fetch, runtime) }
  } catch (error) {
    report(`finishing a sign-in with ${provider.id}`, new HoldpointError("not_signed_in", problemOf(error)))
    return { code: codeOf(error) }
  }
}

/** Metadata is written by somebody else: nothing but a web address is given to a browser. */
async function authorizationEndpoint(parts: SignInParts, provider: IdentityProvider): Promise<URL> {
  const allowed = provider.issuer.startsWith("http:") ? ["http:", "https:"] : ["https:"]
  try {
    const { authorization_endpoint: address = "" } = await parts.discover(provider)
    const endpoint = URL.parse(address)
    if (endpoint !== null && allowed.includes(endpoint.protocol)) return endpoint
  } catch (error) {
    parts.report(`looking up ${provider.id}`, new HoldpointError("provider_unavailable", problemOf(error)))
  }
  throw new HoldpointError(
    "provider_unavailable",
    `${provider.name} cannot be reached for signing in. Try again later.`,
  )
}

function refused(code: SignInCode, to?: string): SignInFinished {
  return { kind: "refused", reason: reasonOf(code), ...(to === undefined ? {} : { to }) }
}

const placeOf = (id: string): Place => places.sign_in({ tenant: "", id })
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
