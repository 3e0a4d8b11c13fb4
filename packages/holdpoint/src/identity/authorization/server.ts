// The authorization server for those who have none: it lets programs call servers in the name of people who sign in on
// our pages. All it knows is in the store, so that a restart or another node changes nothing.

import type { JSONWebKeySet } from "jose"
import { Provider } from "oidc-provider"
import { paths, pathTo } from "../../core/addresses.ts"
import { HoldpointError } from "../../core/error.ts"
import type { PrincipalId } from "../../core/principal.ts"
import { checkUrl } from "../../core/url.ts"
import type { Fetch } from "../../ports/fetch.ts"
import type { Mount } from "../../ports/mount.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Sealer } from "../../ports/sealer.ts"
import type { Storage } from "../../ports/storage.ts"
import type { Claims } from "../claims.ts"
import type { TokenIssuer } from "../resource/issuer.ts"
import { createResourceServer, type ResourceServer } from "../resource/server.ts"
import { createAdapter } from "./adapter.ts"
import { createArtifactStore } from "./artifact-store.ts"
import type { RegisteredClient } from "./client.ts"
import { toConfiguration } from "./configuration.ts"
import { type Consents, createConsents } from "./consents.ts"
import { createDocuments, type DocumentOptions, defaultDocuments } from "./documents.ts"
import { createEntrance } from "./entrance.ts"
import { isStanding, revokeSigned } from "./granted.ts"
import { createKeys, type KeySet, publicKeysOf } from "./keys.ts"
import { toPrincipal } from "./principal.ts"
import type { ProblemPage } from "./problem.ts"
import { createPace, createRegistrationLimit, defaultRegistration, type RegistrationOptions } from "./registration.ts"
import type { Requests } from "./request.ts"
import { createRequests } from "./requests.ts"
import { defineResources, type Resource } from "./resources.ts"
import { behave, showProblem } from "./responses.ts"
import { toFetch } from "./to-fetch.ts"

export interface AuthorizationOptions {
  /** How clients reach it: where the pages are, with or without a path. */
  readonly issuer: string
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly resources: readonly Resource[]
  readonly clients?: readonly RegisteredClient[]
  /** Clients whose id is the address of what they say of themselves. False takes none. */
  readonly metadataDocuments?: false | DocumentOptions
  /** Clients that register themselves. Absent takes none. */
  readonly registration?: RegistrationOptions
  /** Requests that are kept until a person answers, in this process: anybody can make one. 3,000 unless said otherwise. */
  readonly requestsPerMinute?: number
  /** Guarded: the addresses are anybody's. */
  readonly fetch: Fetch
  readonly runtime: Runtime
  /** What people see when a request cannot be answered at all. Plain text unless given. */
  readonly problemPage?: ProblemPage
  /** Told of what went wrong here. Never of a secret. */
  readonly report?: (doing: string, error: unknown) => void
}

export interface AuthorizationServer extends Mount {
  readonly issuer: string
  readonly resources: readonly Resource[]
  /** What waits for a person, for the pages. */
  readonly requests: Requests
  /** What people have allowed, for them to look at and to withdraw. */
  readonly consents: Pick<Consents, "list" | "withdraw">
  /** The public keys. The same object as long as they are the same. */
  keys(): Promise<JSONWebKeySet>
  /** Who calls, from the claims of a verified token. Undefined when it names nobody. */
  toPrincipal(claims: Claims): PrincipalId | undefined
  /** For a resource server in the same process. */
  readonly tokenIssuer: TokenIssuer
  /** That resource server, for one of the resources: an address, or a path below the issuer. Takes all its scopes. */
  protect(resource: string): ResourceServer
  /** Another signing key, known to everybody before it is used. */
  rotateKeys(): Promise<void>
}

interface Engine {
  readonly version: number
  readonly provider: Provider
  readonly secret: string
  readonly published: JSONWebKeySet
  readonly answer: Mount["fetch"]
}

/** A minute's. Each is kept for a quarter of an hour: at the most 45,000 at one time, of 8 KiB and mostly of one. */
const mostRequests = 3_000

export async function createAuthorizationServer(options: AuthorizationOptions): Promise<AuthorizationServer> {
  const { issuer, storage, sealer, clients = [], runtime, report = () => {} } = options
  assertIssuer(issuer)
  const resources = defineResources(options.resources.map((one) => below(issuer, one)))
  const registration = { ...defaultRegistration, ...options.registration }
  const artifacts = createArtifactStore({ storage, sealer, runtime })
  const keys = createKeys(artifacts, runtime)
  const isTooOften = createPace(options.requestsPerMinute ?? mostRequests, runtime)
  const adapter = createAdapter({ artifacts, runtime, registrationMs: registration.lifetimeMs, isTooOften })
  const isRegistrationOn = options.registration !== undefined
  const limit = isRegistrationOn ? createRegistrationLimit(registration, artifacts, runtime) : undefined
  const documents =
    options.metadataDocuments === false ? undefined : { ...defaultDocuments, ...options.metadataDocuments }
  const said = createDocuments(options.fetch, artifacts, runtime, documents ?? defaultDocuments)
  const consents = createConsents(artifacts, runtime)
  const registered = new Set(clients.map(({ clientId }) => clientId))
  const pageOf = (id: string): string => pathTo(paths.authorize, id)
  const renderError = showProblem(options.problemPage)
  const entrance = createEntrance(issuer, isRegistrationOn)

  const makeEngine = (set: KeySet): Engine => {
    const made = { issuer, adapter, resources, consents, clients, documents, runtime, pageOf, renderError }
    const provider = new Provider(issuer, toConfiguration({ ...made, isRegistrationOn, fetch: said.fetch, keys: set }))
    provider.on("server_error", (context, error) => report(`answering ${context.method} ${context.path}`, error))
    const published = publicKeysOf(set)
    const revoke = (token: string, client: string): Promise<void> =>
      revokeSigned(artifacts, { token, client, keys: published, now: runtime.now() })
    provider.use(behave({ resources, limit, registered, page: options.problemPage, revoke }))
    // It says what its own address is by the request; the entrance has set what it sees.
    provider.proxy = true
    const { version, secret } = set
    return {
      version,
      provider,
      secret,
      published,
      answer: toFetch(entrance.inside(provider.callback())),
    }
  }

  let current: Engine | undefined
  /** Made anew when the keys have changed: it keeps nothing by itself. */
  const engine = async (): Promise<Engine> => {
    const set = await keys.current()
    if (current?.version !== set.version) current = makeEngine(set)
    return current
  }
  await engine()

  const requests = createRequests({ issuer, engine, resources, registered, consents, documents: said })
  const published = async (): Promise<JSONWebKeySet> => (await engine()).published
  // The tenant is that of the person: the token names it.
  const isRevoked = async (claims: Claims): Promise<boolean> => !(await isStanding(artifacts, claims))
  const verify = { by: "keys", keys: published, isRevoked } as const
  const tokenIssuer: TokenIssuer = { issuer, tenant: "authorization", verify, toPrincipal }
  return {
    issuer,
    resources: resources.all,
    requests,
    consents,
    handles: entrance.handles,
    async fetch(request) {
      if (!entrance.isHere(request)) return new Response(null, { status: 421 })
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
    protect(wanted) {
      const found = resources.find(wanted.startsWith("/") ? `${issuer}${wanted}` : wanted)
      if (found === undefined)
        throw new HoldpointError("invalid_config", `“${wanted}” is not a resource of this authorization server.`)
      const scopes = Object.keys(found.scopes)
      const { fetch } = options
      return createResourceServer({ resource: found.resource, issuers: [tokenIssuer], scopes, requires: scopes, fetch })
    },
    rotateKeys: () => keys.rotate(),
  }
}

/** A resource may be written as a path, where the address is not known yet. */
const below = (issuer: string, one: Resource): Resource =>
  one.resource.startsWith("/") ? { ...one, resource: `${issuer}${one.resource}` } : one

function assertIssuer(issuer: string): void {
  const checked = checkUrl(issuer)
  if (checked.ok && !/[?#]|\/$/.test(issuer)) return
  const why = checked.ok ? "" : ` ${checked.problems.map(({ message }) => message).join(" ")}`
  throw new HoldpointError(
    "invalid_config",
    `“${issuer}” cannot be the address of the authorization server.${why} Write it like https://host, without a slash at its end.`,
  )
}
