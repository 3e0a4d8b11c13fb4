// Starts a flow when a verified person presses the button, and not before: creates state, PKCE verifier, nonce and the
// flow's cookie, or starts a login flow at the server.

import type { Elicitation, Reason } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import type { LoginFlowProvider, McpServerProvider, OAuthProvider, Provider } from "@holdpoint/hub/internal"
import { hashOf, newToken, toPrincipalId } from "@holdpoint/hub/internal"
import { resolveServer } from "../../oauth/server.ts"
import { startAuthorization } from "../../oauth/start-authorization.ts"
import { startLoginFlow } from "../login-flow.ts"
import { findAuthorization } from "../mcp-server/find.ts"
import { toFields, toOAuthProvider } from "../mcp-server/pin.ts"
import type { Flow } from "../records.ts"
import { flowKind } from "../records.ts"
import type { ConsentParts, PageSubmission, Visitor } from "./consent.ts"
import { flowBinding, tooManyAttempts } from "./flows.ts"
import { loginAgent } from "./own-account.ts"
import { isAsShown, requestOf } from "./request.ts"
import { startWidening } from "./widen.ts"

export type BeginResult =
  /** `browser` is the value for a cookie in this browser, and is sent nowhere else. */
  | { readonly kind: "begun"; readonly flow: Flow; readonly browser: string }
  | { readonly kind: "unavailable"; readonly reason: Reason }
  /** The provider is not needed: the existing connection now has the scopes, or an earlier press is adding them. */
  | { readonly kind: "widened" }
  | OutdatedPage

/** The question has changed since the page was shown. Nothing was started; the page has to be shown again. */
export interface OutdatedPage {
  readonly kind: "outdated"
}

export const outdatedPage: OutdatedPage = { kind: "outdated" }

/** Starts a flow for the question. `submission` is what the page sent; undefined when no page was shown. */
export async function begin(
  parts: ConsentParts,
  elicitation: Elicitation,
  visitor: Visitor,
  submission: PageSubmission | undefined,
): Promise<BeginResult> {
  const { shownDigest, allowedScopes = [] } = submission ?? {}
  const request = await requestOf(parts, elicitation)
  if (request === undefined) return { kind: "unavailable", reason: { code: "unknown_provider" } }
  if (shownDigest !== undefined && shownDigest !== request.digest) return outdatedPage
  const refusal = await tooManyAttempts(parts, elicitation)
  if (refusal !== undefined) return { kind: "unavailable", reason: refusal }
  if (request.isWidening) return startWidening(parts, elicitation, visitor, shownDigest)
  const { provider, owner } = request
  const chosenOffers = request.offers.filter(({ scope }) => allowedScopes.includes(scope))
  const scopes = [...request.scopes, ...chosenOffers].map(({ scope }) => scope)
  const state = newToken()
  const started = await start(parts, provider, {
    ...{ state, scopes },
    agent: loginAgent(parts, hashOf(state), visitor.person),
  })
  if (started.kind !== "started") return { kind: "unavailable", reason: started.reason }
  const browser = newToken()
  const now = parts.tools.runtime.now()
  const flowKey = { tenant: elicitation.tenant, elicitation: elicitation.id, id: hashOf(state) }
  const flow: Flow = {
    ...flowKey,
    version: 1,
    kind: started.flow,
    provider: provider.id,
    context: provider.id,
    by: toPrincipalId(visitor.principal),
    owner,
    session: visitor.session,
    browser: hashOf(browser),
    status: "consented",
    connection: parts.tools.runtime.newId(),
    scopes,
    ...(started.flow !== "login_flow" || visitor.person === undefined ? {} : { person: visitor.person }),
    ...(request.connection === undefined ? {} : { replaces: request.connection.id }),
    ...(started.issuer === undefined ? {} : { issuer: started.issuer }),
    ...(started.redirectUri === undefined ? {} : { redirectUri: started.redirectUri }),
    ...(started.endpoint === undefined ? {} : { poll: { endpoint: started.endpoint } }),
    createdAt: now,
    expiresAt: now + started.lifetimeMs,
    dueAt: started.flow === "login_flow" ? now + parts.times.firstPollMs : now + started.lifetimeMs,
    sealed: parts.sealer.seal(flowBinding(flowKey), started.secrets),
  }
  // Accepting replaces the question's deadline with the flow's own, before the browser leaves.
  const accepted = await parts.questions.answer(elicitation.id, {
    by: visitor.principal,
    action: "accept",
    via: "web",
    expiresAt: flow.expiresAt,
  })
  if (!accepted.ok) return { kind: "unavailable", reason: { code: accepted.refusal.code } }
  // Another call may have widened the question while the person pressed. An accepted question cannot be widened.
  if (!(await isAsShown(parts, accepted.elicitation, shownDigest))) return outdatedPage
  await parts.storage.records(flowKind).insert(flow)
  parts.arm(flow.dueAt)
  return { kind: "begun", flow, browser }
}

type StartResult =
  | {
      readonly kind: "started"
      readonly flow: Flow["kind"]
      readonly secrets: Readonly<Record<string, string>>
      readonly lifetimeMs: number
      readonly issuer?: string
      readonly redirectUri?: string
      readonly endpoint?: string
    }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

function start(
  parts: ConsentParts,
  provider: Provider,
  authorizationRequest: { readonly state: string; readonly scopes: readonly string[]; readonly agent: string },
): Promise<StartResult> {
  switch (provider.kind) {
    case "oauth":
      return startOAuth(parts, provider, authorizationRequest)
    case "mcp_server":
      return startMcpServer(parts, provider, authorizationRequest)
    case "login_flow":
      return startLogin(parts, provider, authorizationRequest.agent)
    case "api_key":
    case "basic":
      return Promise.resolve({ kind: "refused", reason: { code: "entered_here" } })
  }
}

async function startOAuth(
  parts: ConsentParts,
  provider: OAuthProvider,
  { state, scopes }: { readonly state: string; readonly scopes: readonly string[] },
): Promise<StartResult> {
  const redirectUri = redirectUriOf(parts, provider)
  const refusal = await refuseSharedAddress(parts, provider)
  if (refusal !== undefined) return { kind: "refused", reason: refusal }
  const started = await startAuthorization(provider, { redirectUri, scopes, state }, parts.tools)
  if (started.kind !== "started") return started
  const { url, issuer, secrets } = started
  return {
    kind: "started",
    flow: "oauth",
    secrets: { ...secrets, url },
    lifetimeMs: parts.times.oauthMs,
    redirectUri,
    ...(issuer === undefined ? {} : { issuer }),
  }
}

/** The authorization server is found now, and the flow is pinned to it: the response is redeemed there or nowhere. */
async function startMcpServer(
  parts: ConsentParts,
  provider: McpServerProvider,
  authorizationRequest: { readonly state: string; readonly scopes: readonly string[] },
): Promise<StartResult> {
  const redirectUri = parts.addresses.to(paths.consentReturnOf, provider.id)
  const discovered = await findAuthorization(parts, provider, redirectUri)
  if (discovered.kind !== "found") return discovered
  const started = await startOAuth(parts, toOAuthProvider(provider, discovered.pin), authorizationRequest)
  if (started.kind !== "started") return started
  return { ...started, secrets: { ...started.secrets, ...toFields(discovered.pin, provider) } }
}

async function startLogin(parts: ConsentParts, provider: LoginFlowProvider, agent: string): Promise<StartResult> {
  const started = await startLoginFlow(provider, agent, parts.tools)
  if (started.kind !== "started") return started
  const { login, endpoint, secrets } = started
  return {
    kind: "started",
    flow: "login_flow",
    secrets: { ...secrets, url: login },
    lifetimeMs: parts.times.loginFlowMs,
    endpoint,
  }
}

/** Whether another provider has the same redirect address. Then responses must contain `iss` (RFC 9700 §4.4). */
export function sharesAddress({ providers }: Pick<ConsentParts, "providers">, provider: OAuthProvider): boolean {
  const sharingProviders = [...providers.values()].filter(
    (candidate) => candidate.kind === "oauth" && candidate.redirect === "single",
  )
  return provider.redirect === "single" && sharingProviders.length > 1
}

async function refuseSharedAddress(parts: ConsentParts, provider: OAuthProvider): Promise<Reason | undefined> {
  if (!sharesAddress(parts, provider)) return undefined
  const resolved = await resolveServer(provider, parts.tools)
  if (resolved.kind !== "server") return resolved.reason
  if (resolved.server.namesIssuer) return undefined
  const message =
    `${provider.name} shares its redirect address with another provider, and its responses do not name their ` +
    "issuer. The operator has to give it its own redirect address."
  return { code: "shared_address", message }
}

/** The provider's own redirect address, at which no other provider's code is redeemed, or else the shared address. */
function redirectUriOf(
  { addresses, callbackUrl }: Pick<ConsentParts, "addresses" | "callbackUrl">,
  provider: OAuthProvider,
): string {
  return provider.redirect === "single" ? callbackUrl : addresses.to(paths.consentReturnOf, provider.id)
}
