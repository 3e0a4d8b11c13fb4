// A real authorization server (oidc-provider) on a free port, for tests: it signs in the user in
// `settings.user`, gives the consent in `settings.decision`, and counts requests to its token endpoint.

import { generateKeyPairSync, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type ClientMetadata, type Configuration, errors, Provider } from "oidc-provider"
import { noteCanary } from "../../../canaries/note.ts"
import { createOidcMemory } from "./oidc-memory.ts"

export interface OidcOptions {
  /** Where clients will say it is, when something stands in front of it. It must pass the Host header on unchanged. */
  readonly issuer?: string
  /** Besides `client`, which has the secret `client-secret` and Basic authentication. */
  readonly clients?: readonly ClientMetadata[]
  /** The redirect URIs of the built-in client. */
  readonly redirectUris?: readonly string[]
  /** In seconds. */
  readonly ttl?: { readonly accessToken?: number; readonly refreshToken?: number; readonly code?: number }
  /** A refresh token works once, and using it twice ends the grant. True by default. */
  readonly rotate?: boolean
  /** Resources that tokens can be asked for, with the scopes they know. */
  readonly resources?: Readonly<Record<string, string>>
  /** Scopes besides openid, offline_access, profile and email. */
  readonly scopes?: readonly string[]
  /** The domain of people's e-mail addresses. By default `example.com`. */
  readonly emailDomain?: string
  readonly par?: boolean
  /** Features besides those that the options above turn on. */
  readonly features?: Readonly<Record<string, { readonly enabled: boolean; readonly ack?: string }>>
  /** What else oidc-provider can be told. */
  readonly configuration?: Partial<Configuration>
}

/** May be changed at any time. */
export interface OidcSettings {
  /** Signed in without being asked, in browsers that are not signed in yet. */
  user: string
  /** What the person answers. */
  decision: "yes" | "no"
  /** Fewer scopes than were asked for, when given. */
  grantOnly?: readonly string[]
}

export interface TokenRequest {
  readonly grant: string
  /** Undefined while it is not answered yet. */
  status?: number
}

export interface Oidc {
  readonly issuer: string
  /** Where it really listens. */
  readonly address: string
  readonly settings: OidcSettings
  /** Everything that reached the token endpoint, in order. */
  readonly tokenRequests: readonly TokenRequest[]
  /** How often the token endpoint was asked, for one grant type or in all. */
  countTokens(grant?: "authorization_code" | "refresh_token"): number
  /** For hubs that know their address only after they started. */
  allowRedirect(uri: string): void
  readonly provider: Provider
  close(): Promise<void>
}

export const oidcClient = { id: "client", secret: "client-secret-of-the-tests" }

export async function startOidc(options: OidcOptions = {}): Promise<Oidc> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = options.issuer ?? address
  noteCanary("client_secret", oidcClient.secret)
  const settings: OidcSettings = { user: "alice", decision: "yes" }
  const tokenRequests: TokenRequest[] = []

  const provider = new Provider(issuer, toConfiguration(options, issuer))
  provider.use(async (ctx, next) => {
    if (ctx.method !== "POST" || !ctx.path.endsWith("/token")) return next()
    const request: TokenRequest = { grant: "unknown" }
    tokenRequests.push(request)
    await next()
    noteCanary("id_token", (ctx.body as { readonly id_token?: unknown } | undefined)?.id_token)
    noteCanary("verifier", ctx.oidc?.params?.code_verifier)
    Object.assign(request, { grant: String(ctx.oidc?.params?.grant_type ?? "unknown"), status: ctx.status })
  })
  const redirects = new Set<string>()
  const isRegistered = provider.Client.prototype.redirectUriAllowed
  provider.Client.prototype.redirectUriAllowed = function (uri) {
    return redirects.has(uri) || isRegistered.call(this, uri)
  }
  const handle = provider.callback()
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void handle(request, response)
    interact(provider, settings, request, response).catch(() => response.writeHead(500).end("interaction failed"))
  })

  return {
    issuer,
    address,
    settings,
    tokenRequests,
    countTokens: (grant) => tokenRequests.filter((one) => grant === undefined || one.grant === grant).length,
    allowRedirect: (uri) => void redirects.add(uri),
    provider,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The person: signs in as `settings.user` and answers as `settings.decision` says, without a page. */
async function interact(
  provider: Provider,
  settings: OidcSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response)
  const finish = (result: Parameters<Provider["interactionFinished"]>[2]): Promise<void> =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  if (settings.decision === "no") return finish({ error: "access_denied", error_description: "<script>no</script>" })
  if (prompt.name === "login") return finish({ login: { accountId: settings.user } })

  const accountId = session?.accountId ?? settings.user
  const storedGrant = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant = storedGrant ?? new provider.Grant({ accountId, clientId: String(params.client_id) })
  const missing = prompt.details as {
    readonly missingOIDCScope?: readonly string[]
    readonly missingOIDCClaims?: readonly string[]
    readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>
  }
  const granted = (scopes: readonly string[]): string =>
    scopes.filter((scope) => settings.grantOnly?.includes(scope) ?? true).join(" ")
  const rejected = (scopes: readonly string[]): string =>
    scopes.filter((scope) => settings.grantOnly?.includes(scope) === false).join(" ")
  if (missing.missingOIDCScope !== undefined) {
    grant.addOIDCScope(granted(missing.missingOIDCScope))
    grant.rejectOIDCScope(rejected(missing.missingOIDCScope))
  }
  if (missing.missingOIDCClaims !== undefined) grant.addOIDCClaims([...missing.missingOIDCClaims])
  for (const [resource, scopes] of Object.entries(missing.missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, granted(scopes))
    grant.rejectResourceScope(resource, rejected(scopes))
  }
  return finish({ consent: { grantId: await grant.save() } })
}

function toConfiguration(options: OidcOptions, issuer: string): Configuration {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { ttl, resources } = options
  return {
    adapter: createOidcMemory(),
    clients: [
      {
        client_id: oidcClient.id,
        client_secret: oidcClient.secret,
        redirect_uris: [...(options.redirectUris ?? ["https://hub.example/oauth/callback/oidc"])],
        grant_types: ["authorization_code", "refresh_token"],
      },
      ...(options.clients ?? []),
    ],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256", kid: "test" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email", "email_verified"] },
    scopes: ["openid", "offline_access", ...(options.scopes ?? [])],
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({
        sub,
        name: sub.replace(/^./, (first) => first.toUpperCase()),
        preferred_username: sub,
        email: `${sub}@${options.emailDomain ?? "example.com"}`,
        email_verified: true,
      }),
    }),
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      introspection: { enabled: true },
      pushedAuthorizationRequests: { enabled: options.par ?? false },
      resourceIndicators: {
        enabled: resources !== undefined,
        defaultResource: () => Object.keys(resources ?? {}),
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          const scope = resources?.[resource]
          if (scope === undefined) throw new errors.InvalidTarget()
          return { scope, accessTokenFormat: "opaque", accessTokenTTL: ttl?.accessToken ?? 3600 }
        },
      },
      ...options.features,
    },
    interactions: { url: (_ctx, interaction) => `${new URL(issuer).origin}/interaction/${interaction.uid}` },
    issueRefreshToken: async (_ctx, client, code) =>
      client.grantTypeAllowed("refresh_token") && code.scopes.has("offline_access"),
    rotateRefreshToken: options.rotate ?? true,
    ttl: {
      AccessToken: ttl?.accessToken ?? 3600,
      AuthorizationCode: ttl?.code ?? 60,
      RefreshToken: ttl?.refreshToken ?? 86_400,
      IdToken: 3600,
      Grant: 86_400,
      Interaction: 3600,
      Session: 86_400,
    },
    ...options.configuration,
  }
}
