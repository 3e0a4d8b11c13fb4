// Microsoft Entra ID and personal accounts, v2.0 endpoints, for Microsoft Graph. Its metadata omits PKCE, which its
// documentation supports, so the endpoints are given here.
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow

import type { OAuthProvider } from "@holdpoint/hub/internal"
import { type ClientOptions, toParts } from "./client.ts"
import { defineProvider } from "./define.ts"

/** What `microsoft` needs to know. */
export interface MicrosoftOptions extends ClientOptions {
  /** A tenant's id or domain; or `common`, `organizations` or `consumers` for several tenants. */
  readonly tenant?: string
}

/** Accounts at Microsoft: Entra ID and Microsoft Graph. */
export function microsoft({ tenant = "common", ...options }: MicrosoftOptions): OAuthProvider {
  const endpointBase = `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0`
  const isTenantId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tenant)
  return defineProvider({
    kind: "oauth",
    ...toParts(options, { id: "microsoft", name: "Microsoft", method: "post" }),
    api: ["https://graph.microsoft.com"],
    // With several tenants, the issuer is only known from the token, which names the account's tenant.
    issuer: `https://login.microsoftonline.com/${isTenantId ? tenant.toLowerCase() : "{tenantid}"}/v2.0`,
    discovery: "none",
    endpoints: {
      authorization: `${endpointBase}/authorize`,
      token: `${endpointBase}/token`,
      userinfo: "https://graph.microsoft.com/oidc/userinfo",
    },
    pkce: "S256",
    baseScopes: ["openid", "profile", "offline_access"],
    scopeWords: {
      openid: "Know who you are",
      profile: "See your name",
      email: "See your e-mail address",
      offline_access: "Keep access while you are away",
      "User.Read": "See your profile",
      "Mail.Read": "Read your mail",
      "Mail.ReadWrite": "Read and change your mail",
      "Mail.Send": "Send mail as you",
      "Calendars.Read": "See your calendars",
      "Calendars.ReadWrite": "See and change your calendars",
      "Contacts.Read": "See your contacts",
      "Files.Read": "See your files",
      "Files.ReadWrite": "See and change your files",
      "Files.ReadWrite.All": "See and change all files that you can access",
      "Tasks.ReadWrite": "See and change your tasks",
    },
    redirect: "context",
    identity: { from: "id_token", id: "sub", name: ["preferred_username", "email", "name"] },
    revocation: { by: "nothing", settings: "https://myapplications.microsoft.com" },
    // offline_access and openid are granted but missing in the response.
    quirks: {
      refresh: "rotates",
      deadGrantErrors: ["interaction_required", "consent_required", "login_required"],
    },
  })
}
