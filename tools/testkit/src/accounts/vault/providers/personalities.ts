// What each provider's documents say that it does. Client ids and secrets are those of the tests.

import { type Personality, toIdToken } from "./mock.ts"

export const testClient = { id: "2f1c-our.client", secret: "client-secret-of-the-tests" }

const refusal = (status: number, error: string) => ({ status, body: { error, error_description: "Do not show this." } })
const usual = {
  code: refusal(400, "invalid_grant"),
  client: refusal(401, "invalid_client"),
  refresh: refusal(400, "invalid_grant"),
}
const base = { client: testClient, asks: { format: "form", authentication: "post" }, errors: usual } as const
const pkce = { code_challenge: /^[\w-]{43}$/, code_challenge_method: "S256", state: /^.{16,}$/ } as const
const noPkce = { code_challenge: undefined, code_challenge_method: undefined, state: /^.{16,}$/ } as const

export const nextcloud: Personality = {
  ...base,
  authorize: "cloud.example.com/index.php/apps/oauth2/authorize",
  token: "cloud.example.com/index.php/apps/oauth2/api/v1/token",
  parameters: { ...noPkce, scope: undefined },
  pkce: false,
  refresh: "rotates",
  tokens: ({ access, refresh }) => ({
    access_token: access,
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: refresh,
    user_id: "alice",
  }),
  errors: {
    code: refusal(400, "invalid_request"),
    client: refusal(400, "invalid_client"),
    refresh: refusal(400, "invalid_request"),
  },
  api: {
    "GET cloud.example.com/ocs/v2.php/cloud/user": ({ isLive, headers }) =>
      isLive && headers["ocs-apirequest"] === "true"
        ? { body: { ocs: { data: { id: "alice", email: "alice@example.com", displayname: "Alice" } } } }
        : { status: 401 },
    "DELETE cloud.example.com/ocs/v2.php/core/apppassword": ({ isLive, bearer, revoke }) =>
      isLive && revoke(bearer!) ? { body: { ocs: { meta: { status: "ok" } } } } : { status: 401 },
  },
}

const oidcHost = "other-cloud.example.com"
const oidcApp = `${oidcHost}/index.php/apps/oidc`

export const nextcloudApp: Personality = {
  ...base,
  asks: { format: "form", authentication: "basic" },
  authorize: `${oidcApp}/authorize`,
  token: `${oidcApp}/token`,
  parameters: { ...pkce, scope: "openid profile email offline_access", nonce: /^.{16,}$/ },
  pkce: true,
  refresh: "rotates",
  tokens: ({ access, refresh, scopes, nonce, clientId }) => ({
    access_token: access,
    token_type: "Bearer",
    expires_in: 900,
    refresh_token: refresh,
    scope: scopes,
    id_token: toIdToken({
      iss: `https://${oidcHost}`,
      aud: clientId,
      sub: "alice",
      preferred_username: "alice",
      nonce,
    }),
  }),
  api: {
    [`GET ${oidcHost}/ocs/v2.php/cloud/user`]: ({ isLive, headers }) =>
      isLive && headers["ocs-apirequest"] === "true"
        ? { body: { ocs: { data: { id: "alice", email: null, displayname: "alice" } } } }
        : { status: 401 },
    [`GET ${oidcHost}/.well-known/openid-configuration`]: () => ({
      body: {
        issuer: `https://${oidcHost}`,
        authorization_endpoint: `https://${oidcApp}/authorize`,
        token_endpoint: `https://${oidcApp}/token`,
        userinfo_endpoint: `https://${oidcApp}/userinfo`,
        jwks_uri: `https://${oidcApp}/jwks`,
        code_challenge_methods_supported: ["S256", "plain"],
        id_token_signing_alg_values_supported: ["RS256", "HS256"],
      },
    }),
  },
}

export const google: Personality = {
  ...base,
  authorize: "accounts.google.com/o/oauth2/v2/auth",
  token: "oauth2.googleapis.com/token",
  parameters: { ...pkce, access_type: "offline", prompt: "consent", nonce: /^.{16,}$/, scope: /^openid / },
  pkce: true,
  answers: { authuser: "0", prompt: "consent", iss: "https://accounts.google.com" },
  refresh: "keeps",
  tokens: ({ access, refresh, scopes, nonce, clientId, isRefresh }) => ({
    access_token: access,
    expires_in: 3599,
    ...(isRefresh ? {} : { refresh_token: refresh }),
    scope: scopes.replace(/\bemail$/, "https://www.googleapis.com/auth/userinfo.email"),
    token_type: "Bearer",
    id_token: toIdToken({
      iss: "https://accounts.google.com",
      aud: clientId,
      azp: clientId,
      sub: "1077",
      email: "alice@gmail.com",
      nonce,
    }),
  }),
  api: {
    "GET accounts.google.com/.well-known/openid-configuration": () => ({
      body: {
        issuer: "https://accounts.google.com",
        authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth",
        token_endpoint: "https://oauth2.googleapis.com/token",
        userinfo_endpoint: "https://openidconnect.googleapis.com/v1/userinfo",
        revocation_endpoint: "https://oauth2.googleapis.com/revoke",
        jwks_uri: "https://www.googleapis.com/oauth2/v3/certs",
        code_challenge_methods_supported: ["plain", "S256"],
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: true,
      },
    }),
    // One token ends the whole grant; the other is not known any more then.
    "POST oauth2.googleapis.com/revoke": ({ body, revoke }) => {
      const known = revoke(String(body.token)) && String(body.token).startsWith("refresh")
      return known ? {} : refusal(400, "invalid_token")
    },
  },
}

export const github: Personality = {
  ...base,
  authorize: "github.com/login/oauth/authorize",
  token: "github.com/login/oauth/access_token",
  parameters: { ...pkce, scope: "repo read:user public_repo" },
  pkce: true,
  refresh: "never",
  tokens: ({ access }) => ({ access_token: access, scope: "repo,read:user", token_type: "bearer" }),
  errors: {
    code: refusal(200, "bad_verification_code"),
    client: refusal(200, "incorrect_client_credentials"),
    refresh: refusal(200, "bad_refresh_token"),
  },
  api: {
    "GET api.github.com/user": ({ isLive }) => (isLive ? { body: { id: 583231, login: "alice" } } : { status: 401 }),
    [`DELETE api.github.com/applications/${testClient.id}/token`]: ({ isClient, body, revoke }) => {
      if (!isClient) return { status: 401 }
      return revoke(String(body.access_token)) ? { status: 204 } : { status: 404 }
    },
  },
}

const tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

export const microsoft: Personality = {
  ...base,
  authorize: "login.microsoftonline.com/common/oauth2/v2.0/authorize",
  token: "login.microsoftonline.com/common/oauth2/v2.0/token",
  parameters: { ...pkce, scope: "openid profile offline_access Mail.Read", nonce: /^.{16,}$/ },
  pkce: true,
  refresh: "rotates",
  tokens: ({ access, refresh, nonce, clientId }) => ({
    token_type: "Bearer",
    scope: "openid profile Mail.Read",
    expires_in: 3736,
    ext_expires_in: 3736,
    access_token: access,
    refresh_token: refresh,
    id_token: toIdToken({
      iss: `https://login.microsoftonline.com/${tenant}/v2.0`,
      tid: tenant,
      aud: clientId,
      sub: "AAAAAbbbb",
      preferred_username: "alice@outlook.com",
      nonce,
    }),
  }),
  api: {},
}

export const slack: Personality = {
  ...base,
  asks: { format: "form", authentication: "basic" },
  authorize: "slack.com/oauth/v2/authorize",
  token: "slack.com/api/oauth.v2.access",
  parameters: { ...noPkce, scope: undefined, user_scope: "chat:write,search:read" },
  scopeParameter: "user_scope",
  pkce: false,
  refresh: "rotates",
  tokens: ({ access, refresh, scopes, isRefresh }) => {
    const tokens = {
      access_token: access,
      token_type: "user",
      scope: scopes,
      expires_in: 43200,
      refresh_token: refresh,
    }
    const team = { id: "T1", name: "Team" }
    return isRefresh
      ? { ok: true, app_id: "A1", team, ...tokens }
      : { ok: true, app_id: "A1", team, authed_user: { id: "U1", ...tokens } }
  },
  errors: {
    code: { body: { ok: false, error: "invalid_code" } },
    client: { body: { ok: false, error: "bad_client_secret" } },
    refresh: { body: { ok: false, error: "invalid_refresh_token" } },
  },
  api: {
    "POST slack.com/api/auth.test": ({ isLive }) =>
      isLive
        ? { body: { ok: true, team: "Team", user: "alice", team_id: "T1", user_id: "U1" } }
        : { body: { ok: false, error: "invalid_auth" } },
    "POST slack.com/api/auth.revoke": ({ bearer, revoke }) =>
      revoke(bearer ?? "") ? { body: { ok: true, revoked: true } } : { body: { ok: false, error: "token_revoked" } },
  },
}

export const linear: Personality = {
  ...base,
  authorize: "linear.app/oauth/authorize",
  token: "api.linear.app/oauth/token",
  parameters: { ...pkce, scope: "read,issues:create", actor: "user", prompt: "consent" },
  pkce: true,
  refresh: "rotates",
  tokens: ({ access, refresh, scopes }) => ({
    access_token: access,
    token_type: "Bearer",
    expires_in: 86399,
    scope: scopes.replaceAll(",", " "),
    refresh_token: refresh,
  }),
  api: {
    "POST api.linear.app/graphql": ({ isLive, body }) =>
      isLive && String(body.query).includes("viewer")
        ? { body: { data: { viewer: { id: "lin-1", name: "Alice", email: "alice@example.com" } } } }
        : { status: 401 },
    "POST api.linear.app/oauth/revoke": ({ body, revoke }) => (revoke(String(body.token)) ? {} : { status: 400 }),
  },
}

export const notion: Personality = {
  ...base,
  asks: { format: "json", authentication: "basic" },
  authorize: "api.notion.com/v1/oauth/authorize",
  token: "api.notion.com/v1/oauth/token",
  parameters: { ...noPkce, owner: "user", scope: undefined },
  pkce: false,
  refresh: "rotates",
  tokens: ({ access, refresh }) => ({
    access_token: access,
    token_type: "bearer",
    refresh_token: refresh,
    bot_id: "bot-1",
    workspace_id: "w-1",
    workspace_name: "Alice’s Notion",
    owner: { type: "user", user: { id: "u-1", name: "Alice", person: { email: "alice@example.com" } } },
  }),
  api: {
    "POST api.notion.com/v1/oauth/revoke": ({ isClient, body, headers, revoke }) => {
      if (!isClient || headers["notion-version"] === undefined) return { status: 401 }
      return revoke(String(body.token)) ? { body: { request_id: "r-1" } } : { status: 400 }
    },
  },
}

export const atlassian: Personality = {
  ...base,
  asks: { format: "json", authentication: "post" },
  authorize: "auth.atlassian.com/authorize",
  token: "auth.atlassian.com/oauth/token",
  parameters: {
    ...pkce,
    audience: "api.atlassian.com",
    prompt: "consent",
    scope: "offline_access read:me read:jira-work",
  },
  pkce: true,
  refresh: "rotates",
  tokens: ({ access, refresh, scopes }) => ({
    access_token: access,
    refresh_token: refresh,
    expires_in: 3600,
    scope: scopes,
  }),
  errors: { ...usual, refresh: refusal(403, "invalid_grant") },
  api: {
    "GET api.atlassian.com/me": ({ isLive }) =>
      isLive ? { body: { account_id: "5b10", email: "alice@example.com", name: "Alice" } } : { status: 401 },
  },
}
