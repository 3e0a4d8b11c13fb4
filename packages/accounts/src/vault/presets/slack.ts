// Slack, OAuth v2, acting for the person (user tokens). https://docs.slack.dev/authentication/installing-with-oauth

import type { OAuthProvider } from "@holdpoint/hub/internal"
import { type ClientOptions, toParts } from "./client.ts"
import { defineProvider } from "./define.ts"

/** What `slack` needs to know. */
export interface SlackOptions extends ClientOptions {
  /** Slack accepts S256 only from apps with PKCE turned on, which makes them public clients permanently. */
  readonly pkce?: "S256" | "none"
}

/** Accounts at Slack. */
export function slack({ pkce = "none", ...options }: SlackOptions): OAuthProvider {
  return defineProvider({
    kind: "oauth",
    ...toParts(options, { id: "slack", name: "Slack", method: "basic" }),
    api: ["https://slack.com", "https://files.slack.com"],
    issuer: "https://slack.com",
    discovery: "none",
    endpoints: {
      authorization: "https://slack.com/oauth/v2/authorize",
      token: "https://slack.com/api/oauth.v2.access",
    },
    pkce,
    scopeWords: {
      "channels:read": "See the list of public channels",
      "channels:history": "Read public channels that you are in",
      "groups:read": "See which private channels you are in",
      "groups:history": "Read private channels that you are in",
      "im:history": "Read your direct messages",
      "chat:write": "Write messages as you",
      "search:read": "Search what you can see",
      "users:read": "See who is in the workspace",
      "files:read": "See files that you can see",
      "reactions:write": "Add reactions as you",
    },
    redirect: "context",
    identity: {
      from: "call",
      call: { method: "POST", url: "https://slack.com/api/auth.test" },
      id: "user_id",
      name: ["user", "user_id"],
    },
    revocation: {
      by: "call",
      authorization: "bearer",
      call: { method: "POST", url: "https://slack.com/api/auth.revoke" },
    },
    quirks: {
      okMember: "ok",
      scopeParameter: "user_scope",
      scopeSeparator: ",",
      tokenPath: "authed_user",
      tokenTypes: ["user"],
      // Tokens do not expire unless the app turned on rotation; then they come with a refresh token.
      refresh: "rotates",
      errorMap: {
        bad_client_secret: "invalid_client",
        invalid_client_id: "invalid_client",
        invalid_code: "invalid_grant",
        code_already_used: "invalid_grant",
        bad_redirect_uri: "invalid_request",
        internal_error: "server_error",
        fatal_error: "server_error",
        service_unavailable: "temporarily_unavailable",
        ratelimited: "temporarily_unavailable",
      },
      deadGrantErrors: ["invalid_refresh_token", "token_revoked", "token_expired", "invalid_auth", "account_inactive"],
    },
  })
}
