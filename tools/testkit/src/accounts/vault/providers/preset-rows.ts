// Every OAuth preset beside the mock that plays its provider, and what must come of connecting it.

import * as presets from "@holdpoint/accounts/providers"
import type { OAuthProvider } from "@holdpoint/hub/internal"
import type { Personality } from "./mock.ts"
import * as personalities from "./personalities.ts"
import { testClient } from "./personalities.ts"

const client = { clientId: testClient.id, clientSecret: testClient.secret }
const server = "https://cloud.example.com/"

export interface PresetRow {
  readonly provider: OAuthProvider
  readonly played: Personality
  readonly asks: readonly string[]
  readonly grants: readonly string[]
  readonly account: { readonly id: string; readonly name: string }
  /** In seconds; absent when tokens do not end. */
  readonly lives?: number
  readonly refreshes: "new" | "same" | "nothing"
  readonly revoked: object
}

const email = "https://www.googleapis.com/auth/userinfo.email"
const calendar = "https://www.googleapis.com/auth/calendar.readonly"
const openid = ["openid", "profile", "email", "offline_access"]

export const presetRows: readonly PresetRow[] = [
  {
    provider: presets.nextcloudOAuth({ server, ...client }),
    played: personalities.nextcloud,
    asks: ["files"],
    grants: ["files"],
    account: { id: "alice", name: "Alice (alice@cloud.example.com)" },
    lives: 3600,
    refreshes: "new",
    revoked: { kind: "revoked" },
  },
  {
    provider: presets.nextcloudOidc({ ...client, server: "https://other-cloud.example.com", id: "nextcloud-oidc" }),
    played: personalities.nextcloudApp,
    asks: ["files"],
    grants: [...openid, "files"],
    account: { id: "alice", name: "alice@other-cloud.example.com" },
    lives: 900,
    refreshes: "new",
    revoked: { kind: "impossible", settings: "https://other-cloud.example.com/index.php/settings/user/security" },
  },
  {
    provider: presets.google(client),
    played: personalities.google,
    asks: [calendar, "email"],
    grants: ["openid", email, calendar, "email"],
    account: { id: "1077", name: "alice@gmail.com" },
    lives: 3599,
    refreshes: "same",
    revoked: { kind: "revoked" },
  },
  {
    provider: presets.github(client),
    played: personalities.github,
    asks: ["repo", "read:user", "public_repo"],
    grants: ["repo", "read:user", "public_repo"],
    account: { id: "583231", name: "alice" },
    refreshes: "nothing",
    revoked: { kind: "revoked" },
  },
  {
    provider: presets.microsoft(client),
    played: personalities.microsoft,
    asks: ["Mail.Read"],
    grants: ["openid", "profile", "Mail.Read"],
    account: { id: "AAAAAbbbb", name: "alice@outlook.com" },
    lives: 3736,
    refreshes: "new",
    revoked: { kind: "impossible", settings: "https://myapplications.microsoft.com" },
  },
  {
    provider: presets.slack(client),
    played: personalities.slack,
    asks: ["chat:write", "search:read"],
    grants: ["chat:write", "search:read"],
    account: { id: "U1", name: "alice" },
    lives: 43200,
    refreshes: "new",
    revoked: { kind: "revoked" },
  },
  {
    provider: presets.linear(client),
    played: personalities.linear,
    asks: ["issues:create"],
    grants: ["read", "issues:create"],
    account: { id: "lin-1", name: "alice@example.com" },
    lives: 86399,
    refreshes: "new",
    revoked: { kind: "revoked" },
  },
  {
    provider: presets.notion(client),
    played: personalities.notion,
    asks: [],
    grants: [],
    account: { id: "bot-1", name: "Alice’s Notion" },
    refreshes: "new",
    revoked: { kind: "revoked" },
  },
  {
    provider: presets.atlassian(client),
    played: personalities.atlassian,
    asks: ["read:jira-work"],
    grants: ["offline_access", "read:me", "read:jira-work"],
    account: { id: "5b10", name: "alice@example.com" },
    lives: 3600,
    refreshes: "new",
    revoked: { kind: "impossible", settings: "https://id.atlassian.com/manage-profile/apps" },
  },
]
