// The configuration of oidc-provider: authorization code with PKCE, refresh tokens, access tokens for one resource
// each, and no sign-in of its own. Features that are not named here are off.

import type { Runtime } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import type { AdapterFactory, Configuration, KoaContextWithOIDC } from "oidc-provider"
import { errors } from "oidc-provider"
import { cookieName, cookieValue } from "./browser.ts"
import type { RegisteredClient } from "./client.ts"
import { isDocumentAddress, judgeClient, toMetadata } from "./clients.ts"
import type { Consents } from "./consents.ts"
import type { DocumentOptions, defaultDocuments } from "./documents.ts"
import { grantClaim } from "./grant-claim.ts"
import { algorithm, type KeySet, signingKeyOf } from "./keys.ts"
import { fromAccountId, principalClaim } from "./principal.ts"
import { type Resources, scopesFor } from "./resources.ts"

export interface ConfigurationParts {
  readonly issuer: string
  readonly adapter: AdapterFactory
  readonly keys: KeySet
  readonly resources: Resources
  readonly consents: Pick<Consents, "isGranted">
  readonly clients: readonly RegisteredClient[]
  readonly documents: (DocumentOptions & typeof defaultDocuments) | undefined
  readonly isRegistrationOn: boolean
  readonly fetch: Fetch
  readonly runtime: Runtime
  /** The address of the consent page for a request. */
  readonly pageOf: (id: string) => string
  readonly renderError: NonNullable<Configuration["renderError"]>
}

export const routes = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  revocation: "/oauth/revoke",
  jwks: "/oauth/jwks",
  registration: "/oauth/register",
}

const day = 24 * 3_600
const lifetimes = { code: 60, accessToken: 600, refreshToken: 30 * day, grant: 90 * day, request: 900 }

export function toConfiguration(parts: ConfigurationParts): Configuration {
  const { issuer, adapter, keys, clients, fetch, runtime, renderError } = parts
  const cookies = { httpOnly: true, sameSite: "lax", signed: true } as const
  return {
    adapter,
    clients: toMetadata(clients),
    jwks: { keys: keys.keys.map(({ jwk }) => ({ ...jwk, kty: "EC" })) },
    cookies: {
      keys: [keys.secret],
      names: { session: "hp_oauth", interaction: "hp_oauth_request", resume: "hp_oauth_resume" },
      short: cookies,
      // oidc-provider's own session would outlive our sign-out, so its cookie is set on a path that is never requested.
      long: { ...cookies, path: `${new URL(issuer).pathname.replace(/\/$/, "")}/oauth/no-session` },
    },
    routes,
    responseTypes: ["code"],
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
    clientDefaults: { token_endpoint_auth_method: "none", id_token_signed_response_alg: algorithm },
    pkce: { required: () => true },
    scopes: [],
    claims: {},
    features: toFeatures(parts),
    extraClientMetadata: { properties: ["holdpoint"], validator: createClientValidator(clients) },
    enableHttpPostMethods: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    // A browser-based client redeems its code from the origin of its redirect address.
    clientBasedCORS: (_context, origin, { redirectUris = [] }) =>
      // A private-use scheme has the origin “null”, which any sandboxed page can have.
      origin !== "null" && redirectUris.some((uri) => URL.parse(uri)?.origin === origin),
    fetch: (url, init) => fetch(String(url), init),
    fetchResponseBodyLimits: { "client_id metadata document": parts.documents?.maxBytes ?? 0 },
    findAccount: async (context, id, token) => {
      assertGrantedResource(context, token)
      return (await isGranted(parts, id, token)) ? toAccount(id) : undefined
    },
    extraTokenClaims: (_context, token) =>
      "accountId" in token
        ? { [principalClaim]: fromAccountId(String(token.accountId)), [grantClaim]: token.grantId }
        : undefined,
    interactions: { url: (context, { uid }) => beginInteraction(parts, context, uid) },
    expiresWithSession: () => false,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: () => true,
    renderError,
    ttl: {
      AuthorizationCode: lifetimes.code,
      AccessToken: lifetimes.accessToken,
      // Each refresh extends the lifetime, up to the absolute limit.
      RefreshToken: (_context, { iiat }) =>
        Math.max(
          1,
          Math.min(lifetimes.refreshToken, lifetimes.grant - (Math.floor(runtime.now() / 1_000) - (iiat ?? 0))),
        ),
      Grant: lifetimes.grant,
      Interaction: lifetimes.request,
      Session: lifetimes.request,
    },
  } as Configuration
}

function toFeatures({ keys, resources, documents, isRegistrationOn, runtime }: ConfigurationParts) {
  const disabled = { enabled: false }
  return {
    ...{
      devInteractions: disabled,
      rpInitiatedLogout: disabled,
      userinfo: disabled,
      dPoP: disabled,
      pushedAuthorizationRequests: disabled,
    },
    revocation: {
      enabled: true,
      // RFC 7009 §2.1: only the client to which a token was issued may revoke it.
      allowedPolicy: (_context: unknown, client: IssuedToClient, token: IssuedToClient) =>
        token.clientId === client.clientId,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_context: unknown, _client: unknown, oneOf?: string[]) => {
        if (oneOf !== undefined || resources.single !== undefined) return oneOf ?? resources.single?.resource
        throw new errors.InvalidTarget("resource must be named: there are several")
      },
      useGrantedResource: () => true,
      getResourceServerInfo: (context: KoaContextWithOIDC, identifier: string) => {
        const resource = resources.find(identifier)
        const params = context.oidc.params as { scope?: string; resource?: unknown } | undefined
        if (resource === undefined || Array.isArray(params?.resource)) throw new errors.InvalidTarget()
        if (context.oidc.route === "authorization" && params !== undefined) {
          const scopes = scopesFor(resource, params.scope)
          if (scopes.length === 0) throw new errors.InvalidScope("there is no such scope", params.scope ?? "")
          params.scope = scopes.join(" ")
        }
        return {
          audience: resource.resource,
          scope: Object.keys(resource.scopes).join(" "),
          accessTokenFormat: "jwt" as const,
          accessTokenTTL: lifetimes.accessToken,
          jwt: { sign: { alg: algorithm, kid: signingKeyOf(keys, runtime.now()).jwk.kid } },
        }
      },
    },
    registration: isRegistrationOn ? { enabled: true, issueRegistrationAccessToken: false } : disabled,
    clientIdMetadataDocument:
      documents === undefined
        ? disabled
        : {
            enabled: true,
            ack: "draft-02",
            cacheDuration: documents.cacheSeconds,
            allowFetch: (_context: unknown, clientId: string) =>
              isDocumentAddress(clientId) && isFromHost(documents, clientId),
          },
  }
}

type IssuedToClient = { readonly clientId?: string | undefined }

const isFromHost = ({ hosts }: DocumentOptions, clientId: string): boolean =>
  hosts === undefined || hosts.includes(new URL(clientId).host)

/** Creates the validator of client metadata. It runs before any other code reads a client's metadata. */
function createClientValidator(clients: readonly RegisteredClient[]) {
  const registeredIds = new Set(clients.map(({ clientId }) => clientId))
  return (_context: unknown, _key: string, _value: unknown, metadata: Record<string, unknown>): void => {
    if (registeredIds.has(String(metadata.client_id))) return
    const judgement = judgeClient(metadata)
    if (!judgement.ok) throw new errors.InvalidClientMetadata(judgement.problem)
    for (const name of Object.keys(metadata)) delete metadata[name]
    Object.assign(metadata, judgement.metadata)
  }
}

/** Returns the consent page's address, and sets the cookie that binds the request to this browser. */
function beginInteraction(
  { issuer, keys, pageOf }: ConfigurationParts,
  context: KoaContextWithOIDC,
  id: string,
): string {
  context.cookies.set(cookieName(issuer, id), cookieValue(keys.secret, id), {
    ...{ signed: false, httpOnly: true, sameSite: "lax", path: "/", maxAge: lifetimes.request * 1_000 },
  })
  return pageOf(id)
}

/**
 * Refuses a request that names another resource than the one of its refresh token. oidc-provider checks that only after
 * it has replaced the token, and the program would have to ask its person again.
 */
function assertGrantedResource({ oidc }: KoaContextWithOIDC, token: object | undefined): void {
  const { resource } = oidc.params ?? {}
  const { resourceIndicators } = (token ?? {}) as { readonly resourceIndicators?: ReadonlySet<unknown> }
  if (resource === undefined || resource === "" || resourceIndicators === undefined) return
  if (!resourceIndicators.has(resource)) throw new errors.InvalidTarget()
}

/** Whether the consent behind a code or refresh token is still in force. */
async function isGranted(
  { consents, resources }: ConfigurationParts,
  account: string,
  token: object | undefined,
): Promise<boolean> {
  if (fromAccountId(account) === undefined) return false
  if (token === undefined) return true
  const { clientId, resource, grantId } = token as Readonly<Record<string, unknown>>
  const match = resources.find(resource)
  if (match === undefined) return false
  const consentKey = { account, client: String(clientId), resource: match.resource }
  return consents.isGranted(consentKey, String(grantId))
}

const toAccount = (accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) })
