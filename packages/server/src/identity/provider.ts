// Identity providers as data: the issuer, this server's client registration, and the tenant and roles of people.

import type { Problem } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { checkUrl, invalidConfig, nameProblem, textProblem, unknownName } from "@holdpoint/hub/internal"

/** An OpenID Connect provider at which people sign in. */
export interface IdentityProvider {
  /** The id in addresses and the database: lower-case letters, digits and hyphens. */
  readonly id: string
  /** The name on the sign-in button. */
  readonly name: string
  /** The issuer, exactly as in its metadata and tokens. The metadata is discovered below this address. */
  readonly issuer: string
  readonly client: IdentityClient
  /**
   * One tenant for all people of the provider, or the value of a claim. A claim without `allowed` requires that this is
   * the only identity provider.
   */
  readonly tenant: string | { readonly claim: string; readonly allowed?: readonly string[] }
  /** The roles from a claim (a dotted path: `realm_access.roles`) combined with fixed roles by subject. */
  readonly roles?: { readonly claim?: string; readonly fixed?: Readonly<Record<string, readonly string[]>> }
  /** The requested scopes. Default: `openid profile email`. */
  readonly scopes?: readonly string[]
  /** The person's name is the first of these claims that is present. */
  readonly nameClaims?: readonly string[]
}

/** The client that you registered at an identity provider. */
export interface IdentityClient {
  readonly id: string
  readonly secret?: string
  /** The client authentication. Default: `basic` with a secret, `none` without. */
  readonly authentication?: "none" | "basic" | "post"
}

export const defaultScopes: readonly string[] = ["openid", "profile", "email"]
export const defaultNameClaims: readonly string[] = ["name", "preferred_username", "email"]

/** Validates an identity provider and returns it unchanged. Throws an error that lists every problem. */
export function defineIdentityProvider(provider: IdentityProvider): IdentityProvider {
  const problems = isObject(provider) ? [...problemsOf(provider)] : [{ path: "", message: "It must be an object." }]
  if (problems.length === 0) return provider
  const providerWords = typeof provider?.id === "string" ? `“${provider.id}”` : "without an id"
  throw invalidConfig(`The identity provider ${providerWords}`, problems)
}

/** Checks all providers together: ids are unique, and no claim can lead into another provider's tenant. */
export function defineIdentityProviders(providers: readonly IdentityProvider[]): ReadonlyMap<string, IdentityProvider> {
  const byId = new Map(providers.map((provider) => [defineIdentityProvider(provider).id, provider]))
  if (byId.size < providers.length)
    throw new HoldpointError("invalid_config", "Two identity providers have the same id. Give each its own.")
  const openProvider = providers.find(({ tenant }) => typeof tenant !== "string" && tenant.allowed === undefined)
  if (openProvider !== undefined && providers.length > 1)
    throw new HoldpointError(
      "invalid_config",
      `The identity provider “${openProvider.id}” could name any tenant, including one of another provider. List its own tenants in tenant.allowed.`,
    )
  return byId
}

export function clientAuthenticationOf({ secret, authentication }: IdentityClient): "none" | "basic" | "post" {
  return authentication ?? (secret === undefined ? "none" : "basic")
}

function* problemsOf(provider: IdentityProvider): Generator<Problem> {
  const { id, name, issuer, client, tenant, roles, scopes } = provider
  yield* unknownNames("", provider, fields)
  if (typeof id !== "string" || !/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
    yield { path: "id", message: "must be lower-case letters, digits and hyphens" }
  // Sign-in begins at /signin/{id} and ends at /signin/callback, so the id “callback” is reserved.
  if (id === "callback") yield { path: "id", message: "must not be “callback”, which is reserved" }
  const nameFault = textProblem(name, 100)
  if (nameFault !== undefined) yield { path: "name", message: nameFault }
  yield* issuerProblems(issuer)
  yield* clientProblems(client)
  yield* tenantProblems(tenant)
  if (roles !== undefined) yield* unknownNames("roles.", roles, ["claim", "fixed"])
  if (scopes !== undefined && !scopes.includes("openid"))
    yield { path: "scopes", message: "must contain openid, which identifies the person" }
}

const fields = ["id", "name", "issuer", "client", "tenant", "roles", "scopes", "nameClaims"]

export function* unknownNames(prefix: string, settings: object, knownNames: readonly string[]): Generator<Problem> {
  for (const name of Object.keys(settings))
    if (!knownNames.includes(name)) yield unknownName(`${prefix}${name}`, name, knownNames)
}

export function* clientProblems(client: IdentityClient): Generator<Problem> {
  if (!isObject(client)) {
    yield { path: "client", message: "must be an object with the id that the provider gave, and its secret" }
    return
  }
  yield* unknownNames("client.", client, ["id", "secret", "authentication"])
  const idFault = textProblem(client.id, 1_000)
  if (idFault !== undefined) yield { path: "client.id", message: idFault }
  if ((clientAuthenticationOf(client) === "none") !== (client.secret === undefined))
    yield {
      path: "client.secret",
      message: "is needed for authentication basic or post, and must be left out otherwise",
    }
}

export function* issuerProblems(issuer: string): Generator<Problem> {
  if (typeof issuer !== "string") {
    yield { path: "issuer", message: "must be text" }
    return
  }
  const checked = checkUrl(issuer)
  if (!checked.ok) for (const problem of checked.problems) yield { ...problem, path: "issuer" }
  else if (/[?#]/.test(issuer)) yield { path: "issuer", message: "must have no query and no fragment" }
}

export function* tenantProblems(tenant: IdentityProvider["tenant"]): Generator<Problem> {
  if (!isObject(tenant)) {
    const problem = nameProblem(tenant)
    if (problem !== undefined) yield { path: "tenant", message: problem }
    return
  }
  yield* unknownNames("tenant.", tenant, ["claim", "allowed"])
  if (textProblem(tenant.claim, 1_000) !== undefined)
    yield { path: "tenant.claim", message: "must be the name of a claim" }
  if (tenant.allowed?.length === 0) yield { path: "tenant.allowed", message: "must list at least one tenant" }
}

const isObject = <T>(value: T): value is T & object => typeof value === "object" && value !== null
