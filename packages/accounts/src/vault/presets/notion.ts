// Notion, public connections. No scopes: the person chooses pages. PKCE is not documented.
// https://developers.notion.com/reference/create-a-token

import type { OAuthProvider } from "@holdpoint/hub/internal"
import { type ClientOptions, toParts } from "./client.ts"
import { defineProvider } from "./define.ts"

/** Accounts at Notion. */
export function notion(options: ClientOptions): OAuthProvider {
  return defineProvider({
    kind: "oauth",
    ...toParts(options, { id: "notion", name: "Notion", method: "basic" }),
    api: ["https://api.notion.com"],
    headers: { "Notion-Version": "2025-09-03" },
    discovery: "none",
    endpoints: {
      authorization: "https://api.notion.com/v1/oauth/authorize",
      token: "https://api.notion.com/v1/oauth/token",
    },
    pkce: "none",
    authorizationParameters: { owner: "user" },
    redirect: "context",
    // A bot represents one person in one workspace.
    identity: {
      from: "token",
      id: "bot_id",
      name: ["workspace_name", "owner.user.person.email", "owner.user.name"],
    },
    revocation: {
      by: "call",
      authorization: "basic_client",
      call: {
        method: "POST",
        url: "https://api.notion.com/v1/oauth/revoke",
        headers: { "content-type": "application/json" },
        body: '{"token":"{access_token}"}',
      },
    },
    // The response has no lifetime: a token is refreshed once it is refused.
    quirks: { tokenRequest: "json", scopes: "ignored", refresh: "rotates" },
  })
}
