// A built-in authorization server: it lets clients call servers on behalf of people who sign in on our pages. All state
// is in the store, so a restart or another node changes nothing.

import type { PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import { HoldpointError, paths } from "@holdpoint/hub"
import type { Fetch, Mount, ResourceServer } from "@holdpoint/hub/internal"
import { checkUrl, pathTo } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { JSONWebKeySet } from "jose"
import { Provider } from "oidc-provider"
import type { Claims } from "../claims.ts"
import { createRateLimit } from "../rate-limit.ts"
import type { TokenIssuer } from "../resource/issuer.ts"
import { createResourceServer } from "../resource/server.ts"
import { createAdapter } from "./adapter.ts"
import { createArtifactStore } from "./artifact-store.ts"
import type { RegisteredClient } from "./client.ts"
import { toConfiguration } from "./configuration.ts"
import { type Consents, createConsents } from "./consents.ts"
import { createDocuments, type DocumentOptions, defaultDocuments } from "./documents.ts"
import { isGrantValid, revokeSignedToken } from "./grant-claim.ts"
import { createKeys, type KeySet, publicKeysOf } from "./keys.ts"
import { toPrincipal } from "./principal.ts"
import type { ProblemPage } from "./problem.ts"
import { createRegistrationLimit, defaultRegistration, type RegistrationOptions } from "./registration.ts"
import type { Requests } from "./request.ts"
import { createRequestRouting } from "./request-routing.ts"
import { createRequests } from "./requests.ts"
import { defineResources, type Resource } from "./resources.ts"
import { createResponseMiddleware, showProblem } from "./responses.ts"
import { toFetch } from "./to-fetch.ts"

/** The options of `createAuthorizationServer`. */
export interface AuthorizationOptions {
  /** The issuer address, with or without a path: where the pages are. */
  readonly issuer: string
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly resources: readonly Resource[]
  readonly clients?: readonly RegisteredClient[]
  /** Clients identified by a metadata document. False accepts none. */
  readonly metadataDocuments?: false | DocumentOptions
  /** Dynamic client registration. Absent: off. */
  readonly registration?: RegistrationOptions
  /** Pending requests per minute and process, since anyone can send one. Default: 3,000. */
  readonly requestsPerMinute?: number
  /** A guarded fetch, because unverified clients choose the addresses. */
  readonly fetch: Fetch
  readonly runtime: Runtime
  /** The page for requests that cannot be answered. Default: plain text. */
  readonly problemPage?: ProblemPage
  /** Reports errors. The arguments never contain a secret. */
  readonly report?: (activity: string, error: unknown) => void
}

/** The built-in authorization server. Created by `createAuthorizationServer`. */
export interface AuthorizationServer extends Mount {
  readonly issuer: string
  readonly resources: readonly Resource[]
  /** Pending requests, for the pages. */
  readonly requests: Requests
  /** People's consents, to list and withdraw. */
  readonly consents: Pick<Consents, "list" | "withdraw">
  /** The public keys. Returns the same object until they change. */
  keys(): Promise<JSONWebKeySet>
  /** The caller, from the claims of a verified token. Undefined when the claim is missing. */
  toPrincipal(claims: Claims): PrincipalId | undefined
  /** The token issuer for a resource server in the same process. */
  readonly tokenIssuer: TokenIssuer
  /** Creates the resource server for one resource: an address, or a path below the issuer. Requires all its scopes. */
  protect(resource: string): ResourceServer
  /** Adds a signing key, which is published before it is used. */
  rotateKeys(): Promise<void>
}

interface Engine {
  readonly version: number
  readonly provider: Provider
  readonly secret: string
  readonly published: JSONWebKeySet
  readonly answer: Mount["fetch"]
}

/**
 * The most pending requests per minute. Each is stored for a quarter of an hour: at most 45,000 at a time, up to 8 KiB
 * each and usually 1 KiB.
 */
const mostRequests = 3_000

export async function createAuthorizationServer(options: AuthorizationOptions): Promise<AuthorizationServer> {
  const { issuer, storage, sealer, clients = [], runtime, report = () => {} } = options
  assertIssuer(issuer)
  const resources = defineResources(options.resources.map((resource) => resolveBelow(issuer, resource)))
  const registration = { ...defaultRegistration, ...options.registration }
  const artifacts = createArtifactStore({ storage, sealer, runtime })
  const keys = createKeys(artifacts, runtime)
  const isTooOften = createRateLimit(options.requestsPerMinute ?? mostRequests, runtime)
  const adapter = createAdapter({ artifacts, runtime, registrationMs: registration.lifetimeMs, isTooOften })
  const isRegistrationOn = options.registration !== undefined
  const limit = isRegistrationOn ? createRegistrationLimit(registration, artifacts, runtime) : undefined
  const documents =
    options.metadataDocuments === false ? undefined : { ...defaultDocuments, ...options.metadataDocuments }
  const clientDocuments = createDocuments(options.fetch, artifacts, runtime, documents ?? defaultDocuments)
  const consents = createConsents(artifacts, runtime)
  const registered = new Set(clients.map(({ clientId }) => clientId))
  const pageOf = (id: string): string => pathTo(paths.authorize, id)
  const renderError = showProblem(options.problemPage)
  const routing = createRequestRouting(issuer, isRegistrationOn)

  const makeEngine = (set: KeySet): Engine => {
    const parts = { issuer, adapter, resources, consents, clients, documents, runtime, pageOf, renderError }
    const provider = new Provider(
      issuer,
      toConfiguration({ ...parts, isRegistrationOn, fetch: clientDocuments.fetch, keys: set }),
    )
    provider.on("server_error", (context, error) => report(`answering ${context.method} ${context.path}`, error))
    const published = publicKeysOf(set)
    const revoke = (token: string, client: string): Promise<void> =>
      revokeSignedToken(artifacts, { token, client, keys: published, now: runtime.now() })
    provider.use(createResponseMiddleware({ resources, limit, registered, page: options.problemPage, revoke }))
    // oidc-provider reads its own address from the forwarded headers, which `withMount` sets.
    provider.proxy = true
    const { version, secret } = set
    return {
      version,
      provider,
      secret,
      published,
      answer: toFetch(routing.withMount(provider.callback())),
    }
  }

  let current: Engine | undefined
  /** The current engine. It holds no state, and is made again when the keys change. */
  const engine = async (): Promise<Engine> => {
    const set = await keys.current()
    if (current?.version !== set.version) current = makeEngine(set)
    return current
  }
  await engine()

  const requests = createRequests({ issuer, engine, resources, registered, consents, documents: clientDocuments })
  const published = async (): Promise<JSONWebKeySet> => (await engine()).published
  const isRevoked = async (claims: Claims): Promise<boolean> => !(await isGrantValid(artifacts, claims))
  const verify = { by: "keys", keys: published, isRevoked } as const
  // `tenant` is required but not used: `toPrincipal` reads the tenant from the token.
  const tokenIssuer: TokenIssuer = { issuer, tenant: "authorization", verify, toPrincipal }
  return {
    issuer,
    resources: resources.all,
    requests,
    consents,
    handles: routing.handles,
    async fetch(request) {
      if (!routing.isForThisHost(request)) return new Response(null, { status: 421 })
      try {
        return await (await engine()).answer(request)
      } catch (error) {
        report("reading the signing keys", error)
        return new Response(null, { status: 503, headers: { "retry-after": "5" } })
      }
    },
    close: async () => {},
    keys: published,
    toPrincipal,
    tokenIssuer,
    protect(resourceAddress) {
      const match = resources.find(resourceAddress.startsWith("/") ? `${issuer}${resourceAddress}` : resourceAddress)
      if (match === undefined)
        throw new HoldpointError(
          "invalid_config",
          `“${resourceAddress}” is not a resource of this authorization server.`,
        )
      const scopes = Object.keys(match.scopes)
      const { fetch } = options
      // Without `runtime`: `oidc-provider` issues tokens by the system's clock, so the same clock has to judge them.
      return createResourceServer({
        ...{ resource: match.resource, issuers: [tokenIssuer], scopes, requires: scopes, fetch, report },
      })
    },
    rotateKeys: () => keys.rotate(),
  }
}

/** Adds the issuer to a resource that is configured as a path, because its address is not known in advance. */
const resolveBelow = (issuer: string, resource: Resource): Resource =>
  resource.resource.startsWith("/") ? { ...resource, resource: `${issuer}${resource.resource}` } : resource

function assertIssuer(issuer: string): void {
  const checked = checkUrl(issuer)
  if (checked.ok && !/[?#]|\/$/.test(issuer)) return
  const reasonWords = checked.ok ? "" : ` ${checked.problems.map(({ message }) => message).join(" ")}`
  throw new HoldpointError(
    "invalid_config",
    `“${issuer}” cannot be the address of the authorization server.${reasonWords} Write it like https://host, without a slash at the end.`,
  )
}
