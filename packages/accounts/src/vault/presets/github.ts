// GitHub, as an OAuth app or as the user side of a GitHub App.
// https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps

import type { OAuthProvider, OAuthQuirks } from "@holdpoint/hub/internal"
import { type ClientOptions, toParts } from "./client.ts"
import { defineProvider } from "./define.ts"

/** What `github` needs to know. */
export interface GithubOptions extends ClientOptions {
  /**
   * `oauth`: tokens that do not expire, with scopes. `github_app`: tokens for eight hours, with the app's permissions.
   */
  readonly app?: "oauth" | "github_app"
}

/** Accounts at GitHub, by an OAuth app or a GitHub App. */
export function github(options: GithubOptions): OAuthProvider {
  return defineProvider({
    kind: "oauth",
    ...toParts(options, { id: "github", name: "GitHub", method: "post" }),
    api: ["https://api.github.com", "https://uploads.github.com"],
    headers: { "X-GitHub-Api-Version": "2022-11-28" },
    issuer: "https://github.com/login/oauth",
    discovery: "none",
    endpoints: {
      authorization: "https://github.com/login/oauth/authorize",
      token: "https://github.com/login/oauth/access_token",
    },
    pkce: "S256",
    scopeWords: {
      repo: "See and change all your repositories, including private ones",
      public_repo: "See and change your public repositories",
      "repo:status": "Set the status of commits",
      "read:user": "See your profile",
      "user:email": "See your e-mail addresses",
      user: "See and change your profile",
      "read:org": "See your organisations and teams",
      gist: "Write gists",
      notifications: "See and mark your notifications",
      workflow: "Change workflow files",
    },
    redirect: "context",
    identity: { from: "call", call: { method: "GET", url: "https://api.github.com/user" }, id: "id", name: ["login"] },
    // 404: the grant had already ended.
    revocation: {
      by: "call",
      authorization: "basic_client",
      call: {
        method: "DELETE",
        url: `https://api.github.com/applications/${encodeURIComponent(options.clientId)}/token`,
        headers: { "content-type": "application/json" },
        body: '{"access_token":"{access_token}"}',
        accepts: [204, 404],
      },
    },
    quirks: { ...answerQuirks, ...(options.app === "github_app" ? expiringTokenQuirks : lastingTokenQuirks) },
  })
}

/** Errors come with status 200 and non-standard names. Scopes are sent with spaces and returned with commas. */
const answerQuirks: OAuthQuirks = {
  scopeSeparator: " ",
  errorMap: {
    bad_verification_code: "invalid_grant",
    bad_refresh_token: "invalid_grant",
    incorrect_client_credentials: "invalid_client",
    redirect_uri_mismatch: "invalid_request",
  },
}

const expiringTokenQuirks: OAuthQuirks = { refresh: "rotates", scopes: "ignored" }

const lastingTokenQuirks: OAuthQuirks = {
  refresh: "never",
  neverExpires: true,
  // The response leaves out scopes that a wider one includes.
  scopeImpliedBy: {
    public_repo: ["repo"],
    "repo:status": ["repo"],
    repo_deployment: ["repo"],
    "repo:invite": ["repo"],
    "read:user": ["user"],
    "user:email": ["user"],
    "user:follow": ["user"],
    "read:org": ["admin:org", "write:org"],
    "write:org": ["admin:org"],
  },
}
