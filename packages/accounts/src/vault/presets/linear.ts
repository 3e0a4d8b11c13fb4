// Linear. https://linear.app/developers/oauth-2-0-authentication

import type { OAuthProvider } from "@holdpoint/hub/internal"
import { type ClientOptions, toParts } from "./client.ts"
import { defineProvider } from "./define.ts"

/** What `linear` needs to know. */
export interface LinearOptions extends ClientOptions {
  /** Whether things are created in the person's name or in the program's. */
  readonly actor?: "user" | "app"
}

/** Accounts at Linear. */
export function linear({ actor = "user", ...options }: LinearOptions): OAuthProvider {
  return defineProvider({
    kind: "oauth",
    ...toParts(options, { id: "linear", name: "Linear", method: "post" }),
    api: ["https://api.linear.app"],
    discovery: "none",
    endpoints: {
      authorization: "https://linear.app/oauth/authorize",
      token: "https://api.linear.app/oauth/token",
      revocation: "https://api.linear.app/oauth/revoke",
    },
    pkce: "S256",
    baseScopes: ["read"],
    authorizationParameters: { actor, prompt: "consent" },
    scopeWords: {
      read: "See what you can see",
      write: "Change what you can change",
      "issues:create": "Create issues",
      "comments:create": "Write comments",
      "timeSchedule:write": "Change time schedules",
      admin: "Administer the workspace",
    },
    redirect: "context",
    identity: {
      from: "call",
      call: {
        method: "POST",
        url: "https://api.linear.app/graphql",
        headers: { "content-type": "application/json" },
        body: '{"query":"{ viewer { id name email } }"}',
      },
      id: "data.viewer.id",
      name: ["data.viewer.email", "data.viewer.name"],
    },
    // 400: the token was already revoked, for example together with its refresh token.
    revocation: { by: "rfc7009", accepts: [400] },
    quirks: { refresh: "rotates", scopeSeparator: "," },
  })
}
