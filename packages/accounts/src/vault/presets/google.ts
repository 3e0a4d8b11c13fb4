// Google: OpenID Connect by discovery. https://developers.google.com/identity/protocols/oauth2/web-server

import type { OAuthProvider } from "@holdpoint/hub/internal"
import { type ClientOptions, toParts } from "./client.ts"
import { defineProvider } from "./define.ts"

const scope = (name: string): string => `https://www.googleapis.com/auth/${name}`

/** Accounts at Google. */
export function google(options: ClientOptions): OAuthProvider {
  return defineProvider({
    kind: "oauth",
    ...toParts(options, { id: "google", name: "Google", method: "post" }),
    api: [
      "https://www.googleapis.com",
      ...["gmail", "calendar-json", "people", "drive", "docs", "sheets", "tasks"].map(
        (api) => `https://${api}.googleapis.com`,
      ),
    ],
    issuer: "https://accounts.google.com",
    discovery: "oidc",
    pkce: "S256",
    baseScopes: ["openid", scope("userinfo.email")],
    // Google issues a refresh token only for offline access, and after the first time only with a consent prompt.
    authorizationParameters: { access_type: "offline", prompt: "consent", include_granted_scopes: "true" },
    scopeWords: {
      openid: "Know who you are",
      [scope("userinfo.email")]: "See your e-mail address",
      [scope("userinfo.profile")]: "See your name and picture",
      [scope("calendar.readonly")]: "See your calendars",
      [scope("calendar.events")]: "See and change events in your calendars",
      [scope("calendar")]: "See, change and delete your calendars",
      [scope("gmail.readonly")]: "Read your mail",
      [scope("gmail.send")]: "Send mail as you",
      [scope("gmail.modify")]: "Read, write and send mail, and move it to the bin",
      [scope("drive.file")]: "See and change the files that you open with this program",
      [scope("drive.readonly")]: "See and download all your files",
      [scope("drive")]: "See, change and delete all your files",
      [scope("contacts.readonly")]: "See your contacts",
      [scope("tasks")]: "See and change your tasks",
    },
    redirect: "context",
    identity: { from: "id_token", id: "sub", name: ["email", "name"] },
    revocation: { by: "rfc7009" },
    // Google returns the long form of short scope names.
    quirks: {
      refresh: "keeps",
      scopeImpliedBy: { email: [scope("userinfo.email")], profile: [scope("userinfo.profile")] },
    },
  })
}
