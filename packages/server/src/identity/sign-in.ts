// Sign-in as an OpenID Connect relying party: authorization code, PKCE, nonce, and a cookie that binds the response to
// the browser that began. The first arrival consumes the sign-in before the provider is asked.

import type {
  AuthorizationRequest,
  Exchange,
  OAuthTools,
  Registration,
  StartedAuthorization,
} from "@holdpoint/accounts/internal"
import { startAuthorization } from "@holdpoint/accounts/internal"
import type { Reason, Storage } from "@holdpoint/hub"
import { type Addresses, HoldpointError, paths } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"
import type { SealBinding } from "@holdpoint/hub/internal"
import { hashOf, isHashOf, newToken, sealBindings } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import { toPerson } from "./claims.ts"
import { noteSignedIn } from "./people.ts"
import type { ProofResult } from "./prove.ts"
import { prove } from "./prove.ts"
import type { IdentityProvider } from "./provider.ts"
import type { SignInCode } from "./reasons.ts"
import { problemOf, reasonOf, signInCodeOf } from "./reasons.ts"
import type { Session, SignIn } from "./records.ts"
import { signInKind } from "./records.ts"
import type { Sessions } from "./sessions.ts"

export interface SignInParts {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly sessions: Sessions
  readonly providers: ReadonlyMap<string, IdentityProvider>
  /** The registrations by provider id. */
  readonly registrations: ReadonlyMap<string, Registration>
  readonly addresses: Addresses
  readonly tools: OAuthTools
  readonly signInMs: number
  readonly report: (activity: string, error: unknown) => void
}

export interface BeginSignIn {
  readonly identityProvider: string
  /** Where the person continues: an id that the pages know. Stored as it is, and never used as an address here. */
  readonly to: string
  /** Must be below our own address. Default: /signin/callback; with several providers, /signin/callback/{id}. */
  readonly redirectUri?: string
  /** Makes the provider ask again, for a person who wants to use another account. */
  readonly prompt?: "login" | "select_account"
  /** The current value of this browser's sign-in cookie, so that two tabs can sign in at the same time. */
  readonly browser?: string | undefined
}

export interface SignInBegun {
  /** The address at the identity provider. */
  readonly url: string
  /** The value for this browser's cookie. */
  readonly browser: string
  readonly expiresAt: number
}

export interface FinishSignIn {
  /** The address that the response arrived at, without parameters. It must be the redirect address of the sign-in. */
  readonly address: string
  /** The query parameters from the identity provider. */
  readonly parameters: URLSearchParams
  /** The value of this browser's sign-in cookie. */
  readonly browser: string | undefined
  readonly agent?: string | undefined
  /** The browser's previous session, which ends. */
  readonly session?: string | undefined
}

/** `to` is returned only to the browser that began the sign-in. */
export type SignInFinished =
  | { readonly kind: "signed_in"; readonly token: string; readonly session: Session; readonly to: string }
  | { readonly kind: "refused"; readonly reason: Reason & { readonly code: SignInCode }; readonly to?: string }

export async function beginSignIn(parts: SignInParts, request: BeginSignIn): Promise<SignInBegun> {
  const { storage, sealer, addresses, tools, signInMs } = parts
  const provider = identityProviderOf(parts.providers, request.identityProvider)
  // RFC 9700 §4.4: with several providers, each has its own redirect address.
  const isOneOfSeveral = parts.providers.size > 1
  const ownReturnAddress = isOneOfSeveral
    ? addresses.to(paths.signInReturnOf, provider.id)
    : addresses.to(paths.signInReturn)
  const redirectUri = request.redirectUri ?? ownReturnAddress
  if (!addresses.isOurs(redirectUri))
    throw new HoldpointError(
      "invalid_config",
      "A sign-in can return only to an address of this server. Use a path below its public address.",
    )
  // Anyone can begin a sign-in, so the stored value is limited.
  if (request.to.length > 200) throw new HoldpointError("link_unusable", "The target to return to is too long.")
  const state = newToken()
  const prompt = request.prompt === undefined ? {} : { prompt: request.prompt }
  const { url, secrets } = await start(parts, provider, { redirectUri, state, ...prompt })
  const browser = request.browser !== undefined && isToken(request.browser) ? request.browser : newToken()
  const id = hashOf(state)
  const expiresAt = tools.runtime.now() + signInMs
  await storage.records(signInKind).insert({
    id,
    tenant: "",
    version: 1,
    identityProvider: provider.id,
    issuer: provider.issuer,
    redirectUri,
    browser: hashOf(browser),
    to: request.to,
    expiresAt,
    sealed: sealer.seal(bindingOf(id), { ...secrets }),
  })
  return { url, browser, expiresAt }
}

export async function finishSignIn(parts: SignInParts, response: FinishSignIn): Promise<SignInFinished> {
  const { storage, sessions, tools } = parts
  const [state, secondState] = response.parameters.getAll("state")
  const signIn =
    state === undefined || secondState !== undefined ? undefined : await storage.records(signInKind).get(hashOf(state))
  if (state === undefined || signIn === undefined) return toRefused("sign_in_unknown")
  // Only the request that removes the record continues, not a replay or a concurrent request. A response in another
  // browser removes it too, so that its owner cannot send the response back to the browser that began.
  const isRemoved = await storage.records(signInKind).remove(signIn)
  if (!isHashOf(response.browser, signIn.browser)) return toRefused("sign_in_other_browser")
  if (response.address !== signIn.redirectUri) return toRefused("sign_in_invalid")
  if (!isRemoved) return toRefused("sign_in_unknown")
  const { to } = signIn
  if (tools.runtime.now() >= signIn.expiresAt) return toRefused("sign_in_expired", to)
  const provider = parts.providers.get(signIn.identityProvider)
  if (provider === undefined || provider.issuer !== signIn.issuer) return toRefused("sign_in_unknown", to)
  const proof = await finish(parts, provider, signIn, { parameters: response.parameters, state })
  if (proof.kind !== "claims") return toRefused(signInCodeOf(proof), to)
  const person = toPerson(provider, signIn.issuer, proof.claims)
  if (!person.ok) return toRefused(person.code, to)
  await noteSignedIn({ storage, runtime: tools.runtime }, person)
  await sessions.end(response.session)
  const startedSession = await sessions.begin(person, { agent: response.agent, via: provider.id })
  return { kind: "signed_in", ...startedSession, to }
}

function identityProviderOf(providers: ReadonlyMap<string, IdentityProvider>, id: string): IdentityProvider {
  const provider = providers.get(id)
  if (provider !== undefined) return provider
  const candidate = nearest(id, providers.keys())
  const suggestion =
    candidate === undefined
      ? `The identity providers are: ${[...providers.keys()].join(", ") || "none"}.`
      : `Did you mean ${candidate}?`
  throw new HoldpointError("unknown_provider", `There is no identity provider with this name. ${suggestion}`)
}

/** Starts the authorization and returns the address at the provider. Throws when the provider cannot be reached. */
async function start(
  { registrations, tools, report }: SignInParts,
  { id, name }: IdentityProvider,
  request: Omit<AuthorizationRequest, "scopes">,
): Promise<Extract<StartedAuthorization, { kind: "started" }>> {
  const started = await startAuthorization(registrations.get(id)!, { ...request, scopes: [] }, tools)
  if (started.kind === "started") return started
  report(`looking up ${id}`, new HoldpointError("provider_unavailable", problemOf(started.reason)))
  throw new HoldpointError("provider_unavailable", `${name} cannot be reached for signing in. Try again later.`)
}

async function finish(
  parts: SignInParts,
  provider: IdentityProvider,
  signIn: SignIn,
  answer: Pick<Exchange, "parameters" | "state">,
): Promise<ProofResult> {
  const { sealer, registrations, tools, report } = parts
  const activity = `finishing a sign-in with ${provider.id}`
  try {
    const secrets = signIn.sealed === undefined ? {} : sealer.open(bindingOf(signIn.id), signIn.sealed)
    const { issuer, redirectUri } = signIn
    const exchange = { ...answer, issuer, redirectUri, secrets }
    const proof = await prove({ registration: registrations.get(provider.id)!, people: provider, exchange }, tools)
    if (proof.kind !== "claims") report(activity, new HoldpointError("not_signed_in", problemOf(proof.reason)))
    return proof
  } catch (error) {
    report(activity, error)
    return { kind: "unavailable", reason: { code: "sealed_unreadable" } }
  }
}

function toRefused(code: SignInCode, returnTo?: string): SignInFinished {
  return { kind: "refused", reason: reasonOf(code), ...(returnTo === undefined ? {} : { to: returnTo }) }
}

const bindingOf = (id: string): SealBinding => sealBindings.sign_in({ tenant: "", id })
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
