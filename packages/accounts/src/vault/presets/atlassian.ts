// Atlassian: OAuth 2.0 (3LO) for Jira and Confluence.
// https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps

import type { OAuthProvider } from "@holdpoint/hub/internal"
import { type ClientOptions, toParts } from "./client.ts"
import { defineProvider } from "./define.ts"

/** Accounts at Atlassian: Jira, Confluence and other products. */
export function atlassian(options: ClientOptions): OAuthProvider {
  return defineProvider({
    kind: "oauth",
    ...toParts(options, { id: "atlassian", name: "Atlassian", method: "post" }),
    api: ["https://api.atlassian.com"],
    issuer: "https://auth.atlassian.com",
    discovery: "none",
    endpoints: {
      authorization: "https://auth.atlassian.com/authorize",
      token: "https://auth.atlassian.com/oauth/token",
    },
    pkce: "S256",
    // read:me is needed to identify the account.
    baseScopes: ["offline_access", "read:me"],
    authorizationParameters: { audience: "api.atlassian.com", prompt: "consent" },
    scopeWords: {
      offline_access: "Keep access while you are away",
      "read:me": "See your profile",
      "read:jira-work": "See projects and issues in Jira",
      "write:jira-work": "Create and change issues in Jira",
      "read:jira-user": "See people in Jira",
      "manage:jira-project": "Administer projects in Jira",
      "read:confluence-content.all": "Read pages in Confluence",
      "write:confluence-content": "Write pages in Confluence",
      "search:confluence": "Search in Confluence",
    },
    redirect: "context",
    identity: {
      from: "call",
      call: { method: "GET", url: "https://api.atlassian.com/me" },
      id: "account_id",
      name: ["email", "name"],
    },
    revocation: { by: "nothing", settings: "https://id.atlassian.com/manage-profile/apps" },
    // An ended refresh token is answered with 403: invalid_grant, formerly unauthorized_client. token_type is not
    // documented.
    quirks: {
      tokenRequest: "json",
      refresh: "rotates",
      tokenTypes: ["absent"],
      deadGrantErrors: ["unauthorized_client"],
    },
  })
}
