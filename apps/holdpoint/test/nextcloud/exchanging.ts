// A real identity provider that issues signed tokens for the requested servers, and exchanges them for Nextcloud
// tokens, or refuses to.

import type { RunningStandIn } from "@holdpoint/nextcloud-stand-in"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose"
import { errors } from "oidc-provider"
import { onTestFinished } from "vitest"

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

export interface ExchangeSettings {
  /** The error that the provider returns instead of a token. */
  refusal?: "invalid_target" | "unauthorized_client" | "server_error"
  /** The audience of all tokens, whatever was requested. */
  audience?: readonly string[]
  seconds: number
}

export interface ExchangeStage {
  readonly oidc: Oidc
  readonly settings: ExchangeSettings
  /** The parameters of each exchange, without the token. */
  readonly exchanges: readonly Readonly<Record<string, unknown>>[]
  readonly env: Readonly<Record<string, string>>
}

/** With `exchanges: false`, the provider does not support token exchange. */
export async function startExchanging(
  cloud: RunningStandIn,
  options: { readonly exchanges?: boolean; readonly redirectUri: string },
): Promise<ExchangeStage> {
  const settings: ExchangeSettings = { seconds: 300 }
  const seen: Record<string, unknown>[] = []
  const withExchange = options.exchanges ?? true
  const oidc = await startOidc({
    clients: [
      {
        client_id: "desk",
        token_endpoint_auth_method: "none",
        redirect_uris: [options.redirectUri],
        grant_types: ["authorization_code"],
      },
    ],
    configuration: {
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => [],
          useGrantedResource: () => true,
          getResourceServerInfo: (_ctx, resource) => ({
            scope: "openid",
            audience: settings.audience?.[0] ?? resource,
            accessTokenFormat: "jwt",
            accessTokenTTL: 3600,
            jwt: { sign: { alg: "ES256" } },
          }),
        },
      },
      // A token can have several audiences, if the provider is configured so.
      formats: {
        customizers: {
          jwt: (_ctx, _token, jwt) => {
            if (settings.audience !== undefined) jwt.payload.aud = [...settings.audience]
          },
        },
      },
    },
  })
  onTestFinished(() => oidc.close())
  if (withExchange) offerExchange(oidc, cloud, { settings, seen })
  return {
    oidc,
    settings,
    exchanges: seen,
    env: {
      ENABLE_OFFLINE_ACCESS: "false",
      OIDC_DISCOVERY_URL: `${oidc.issuer}/.well-known/openid-configuration`,
      OIDC_CLIENT_ID: oidcClient.id,
      OIDC_CLIENT_SECRET: oidcClient.secret,
    },
  }
}

function offerExchange(
  { provider, issuer }: Oidc,
  cloud: RunningStandIn,
  { settings, seen }: { readonly settings: ExchangeSettings; readonly seen: Record<string, unknown>[] },
): void {
  const names = ["subject_token", "subject_token_type", "requested_token_type", "audience", "resource"]
  // The default client may exchange tokens too.
  const isAllowed = provider.Client.prototype.grantTypeAllowed
  provider.Client.prototype.grantTypeAllowed = function (type) {
    return type === exchangeGrant || isAllowed.call(this, type)
  }
  provider.registerGrantType(
    exchangeGrant,
    async (ctx) => {
      const { subject_token: token, ...rest } = ctx.oidc.params ?? {}
      seen.push(rest)
      if (settings.refusal === "invalid_target") throw new errors.InvalidTarget()
      if (settings.refusal === "unauthorized_client") throw new errors.UnauthorizedClient()
      if (settings.refusal === "server_error") ctx.throw(503)
      const keys = await fetch(`${issuer}/jwks`)
      await jwtVerify(String(token), createLocalJWKSet((await keys.json()) as never), { issuer })
      const user = String(decodeJwt(String(token)).sub)
      const { secret } = cloud.world.issue(user, "exchanged", "oidc")
      noteCanary("access_token", secret)
      ctx.body = {
        access_token: secret,
        issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
        token_type: "Bearer",
        expires_in: settings.seconds,
      }
    },
    names,
    ["audience", "resource"],
  )
}
