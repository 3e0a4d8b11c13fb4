// Nextcloud's three ways to connect: the login flow with an app password, the core's OAuth 2 app, and the oidc app.
// Undocumented behaviour was observed on a live server.

import type { DisabledProbe, IdentityByCall, LoginFlowProvider, OAuthProvider, Probe } from "@holdpoint/hub/internal"
import { defineProvider } from "./define.ts"

/** The address, id and name of a Nextcloud. */
export interface NextcloudServer {
  /** The server's address, including its path. */
  readonly server: string
  readonly id?: string
  readonly name?: string
}

/** A client that an administrator made at a Nextcloud. */
export interface NextcloudClient extends NextcloudServer {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * A Nextcloud, by its login flow: needs no administrator, reaches every API, and is visible to the person in their
 * settings.
 */
export function nextcloudLogin(server: NextcloudServer & Pick<LoginFlowProvider, "ownAccount">): LoginFlowProvider {
  const { address, common } = settingsOf(server)
  const rule = server.ownAccount === undefined ? {} : { ownAccount: server.ownAccount }
  return defineProvider({ kind: "login_flow", ...common, server: address, rotateAfterMs, ...rule })
}

/** A Nextcloud, by its built-in OAuth 2. An administrator creates the client, with our redirect address. */
export function nextcloudOAuth(client: NextcloudClient): OAuthProvider {
  const { address, common } = settingsOf(client)
  return defineProvider({
    kind: "oauth",
    ...common,
    discovery: "none",
    endpoints: {
      authorization: `${address}/index.php/apps/oauth2/authorize`,
      token: `${address}/index.php/apps/oauth2/api/v1/token`,
    },
    client: { id: client.clientId, authentication: { method: "post", secret: client.clientSecret } },
    pkce: "none",
    redirect: "context",
    identity: identityByUserCall(address),
    // The token is an app password, and is deleted like one.
    revocation: {
      by: "call",
      authorization: "bearer",
      call: { method: "DELETE", url: `${address}/ocs/v2.php/core/apppassword?format=json` },
    },
    // An ended or used refresh token is answered with invalid_request. A token grants the whole account, so Holdpoint
    // enforces the scopes.
    quirks: { refresh: "rotates", deadGrantErrors: ["invalid_request"], scopes: "ignored" },
  })
}

/**
 * A Nextcloud, by OpenID Connect: the app oidc (H2CK/oidc) issues tokens, and the app user_oidc accepts them. They are
 * short-lived unless configured otherwise.
 */
export function nextcloudOidc(client: NextcloudClient & { readonly issuer?: string }): OAuthProvider {
  const { address, common } = settingsOf(client)
  return defineProvider({
    kind: "oauth",
    ...common,
    issuer: client.issuer ?? address,
    discovery: "oidc",
    client: { id: client.clientId, authentication: { method: "basic", secret: client.clientSecret } },
    pkce: "S256",
    baseScopes: ["openid", "profile", "email", "offline_access"],
    scopeWords: { openid: "Know who you are", profile: "See your name", email: "See your e-mail address" },
    redirect: "context",
    identity: { ...identityByUserCall(address), advice: bearerAdvice },
    revocation: { by: "nothing", settings: `${address}/index.php/settings/user/security` },
    quirks: { refresh: "rotates", scopes: "ignored", neverPresentExpired: true },
  })
}

/** The settings that all three ways to connect share. `address` is the server's address without a trailing slash. */
function settingsOf({ server, id = "nextcloud", name = "Nextcloud" }: NextcloudServer) {
  const address = server.replace(/\/+$/, "")
  return {
    address,
    common: { id, name, api: [URL.parse(address)?.origin ?? address], headers, ...probesOf(address) },
  }
}

const rotateAfterMs = 30 * 24 * 60 * 60_000

/** The apps' own APIs refuse bearer tokens without this header. */
const headers = { "OCS-APIRequest": "true" }

const userCall = (address: string) => ({ method: "GET", url: `${address}/ocs/v2.php/cloud/user?format=json` }) as const

const unauthorisedAnswer = { path: "ocs.meta.statuscode", value: 997 } as const

/** WebDAV answers 503 for a disabled account and during maintenance; OCS distinguishes the two. */
const probesOf = (address: string): { readonly probe: Probe; readonly disabled: DisabledProbe } => ({
  probe: { when: [503], call: userCall(address), says: unauthorisedAnswer },
  // OCS refuses without a reason. An address below index.php returns the reason, before any route runs.
  disabled: {
    words: "Account disabled",
    unless: unauthorisedAnswer,
    call: { method: "GET", url: `${address}/index.php/apps/files/api/v1/stats` },
  },
})

function identityByUserCall(address: string): IdentityByCall {
  const name = ["ocs.data.displayname", "ocs.data.display-name"]
  return { from: "call", call: userCall(address), id: "ocs.data.id", name, host: address.replace(/^https?:\/\//, "") }
}

const bearerAdvice =
  "Nextcloud issued a token, but does not accept it. Its administrator has to install the app user_oidc and let it accept " +
  "the tokens of the app oidc: 'user_oidc' => ['oidc_provider_bearer_validation' => true] in config.php. Nothing was connected."
