// Nextcloud's three ways in: the login flow with an app password, the OAuth 2 app of the core, the oidc app. Seen on a
// live server where its documents are silent.

import type { DisabledProbe, IdentityByCall, LoginFlowProvider, OAuthProvider, Probe } from "../../core/provider.ts"
import { defineProvider } from "./define.ts"

export interface NextcloudServer {
  /** Its address, with its path if it has one. */
  readonly server: string
  readonly id?: string
  readonly name?: string
}

export interface NextcloudClient extends NextcloudServer {
  readonly clientId: string
  readonly clientSecret: string
}

/** No administrator needed, every API, visible to the person in their settings. */
export function nextcloudLogin(server: NextcloudServer & Pick<LoginFlowProvider, "ownAccount">): LoginFlowProvider {
  const { at, known } = knownOf(server)
  const rule = server.ownAccount === undefined ? {} : { ownAccount: server.ownAccount }
  return defineProvider({ kind: "login_flow", ...known, server: at, rotateAfterMs, ...rule })
}

/** The oauth2 app of the core. An administrator creates the client; its redirect address is the registered one. */
export function nextcloudOAuth(client: NextcloudClient): OAuthProvider {
  const { at, known } = knownOf(client)
  return defineProvider({
    kind: "oauth",
    ...known,
    discovery: "none",
    endpoints: {
      authorization: `${at}/index.php/apps/oauth2/authorize`,
      token: `${at}/index.php/apps/oauth2/api/v1/token`,
    },
    client: { id: client.clientId, authentication: { method: "post", secret: client.clientSecret } },
    pkce: "none",
    redirect: "context",
    identity: whoAmI(at),
    // The token is an app password and can be deleted as one.
    revocation: {
      by: "call",
      authorization: "bearer",
      call: { method: "DELETE", url: `${at}/ocs/v2.php/core/apppassword?format=json` },
    },
    // A dead or used refresh token is answered with invalid_request. A token is the whole account: scopes are ours.
    quirks: { refresh: "rotates", deadGrantErrors: ["invalid_request"], scopes: "ignored" },
  })
}

/** The oidc app (H2CK/oidc), with user_oidc accepting its tokens. Their lives are short unless set otherwise. */
export function nextcloudOidc(client: NextcloudClient & { readonly issuer?: string }): OAuthProvider {
  const { at, known } = knownOf(client)
  return defineProvider({
    kind: "oauth",
    ...known,
    issuer: client.issuer ?? at,
    discovery: "oidc",
    client: { id: client.clientId, authentication: { method: "basic", secret: client.clientSecret } },
    pkce: "S256",
    baseScopes: ["openid", "profile", "email", "offline_access"],
    scopeWords: { openid: "Know who you are", profile: "See your name", email: "See your e-mail address" },
    redirect: "context",
    identity: { ...whoAmI(at), advice: bearerAdvice },
    revocation: { by: "nothing", settings: `${at}/index.php/settings/user/security` },
    quirks: { refresh: "rotates", scopes: "ignored", neverPresentExpired: true },
  })
}

/** What all three have in common. `at`: without a slash at its end. */
function knownOf({ server, id = "nextcloud", name = "Nextcloud" }: NextcloudServer) {
  const at = server.replace(/\/+$/, "")
  return { at, known: { id, name, api: [URL.parse(at)?.origin ?? at], headers, ...probesOf(at) } }
}

const rotateAfterMs = 30 * 24 * 60 * 60_000

/** Bearer tokens are refused by the apps' own APIs without it. */
const headers = { "OCS-APIRequest": "true" }

const userCall = (at: string) => ({ method: "GET", url: `${at}/ocs/v2.php/cloud/user?format=json` }) as const

const unauthorised = { path: "ocs.meta.statuscode", value: 997 } as const

/** WebDAV answers 503 for a disabled account, as it does when the server is being maintained; OCS tells them apart. */
const probesOf = (at: string): { readonly probe: Probe; readonly disabled: DisabledProbe } => ({
  probe: { when: [503], call: userCall(at), says: unauthorised },
  // OCS refuses without a reason; below index.php it is told before any route is looked at.
  disabled: {
    words: "Account disabled",
    unless: unauthorised,
    call: { method: "GET", url: `${at}/index.php/apps/files/api/v1/stats` },
  },
})

function whoAmI(at: string): IdentityByCall {
  const name = ["ocs.data.displayname", "ocs.data.display-name"]
  return { from: "call", call: userCall(at), id: "ocs.data.id", name, host: at.replace(/^https?:\/\//, "") }
}

const bearerAdvice =
  "Nextcloud gave a token, and does not accept it. Its administrator has to install the app user_oidc and let it take the " +
  "tokens of the app oidc: 'user_oidc' => ['oidc_provider_bearer_validation' => true] in config.php. Nothing was connected."
