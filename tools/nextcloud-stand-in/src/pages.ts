// The pages of the stand-in: plain forms in the order of the real ones, for people to click through.

import type { Reply } from "./area.ts"
import { htmlType, noStore } from "./replies.ts"
import { style } from "./style.ts"

export function page(status: number, title: string, body: string): Reply {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${toHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header><p>Nextcloud <span>stand-in for tests and demonstrations</span></p></header>
<main>
<h1>${toHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
  return { status, headers: { ...noStore, ...htmlType }, body: html }
}

/** Like Nextcloud's own error page, which explains little. */
export const errorPage = (status: number, text = "Something went wrong."): Reply =>
  page(status, "Nextcloud", `<p>${toHtml(text)}</p>`)

export const pickerPage = (device: string, grantAddress: string): Reply =>
  page(
    200,
    "Connect to your account",
    `<p>Please log in before granting <strong>${toHtml(device)}</strong> access to your account.</p>
<p>If you are not trying to set up a new device or app, someone may be trying to trick you: then close this window.</p>
<p><a id="login" class="button" href="${toHtml(grantAddress)}">Log in</a></p>`,
  )

/** For demonstrations: one button instead of the login and the grant. */
export const grantButtonsPage = (
  action: string,
  { names, device }: { readonly names: readonly string[]; readonly device: string },
  hiddenFields: Readonly<Record<string, string>>,
): Reply =>
  page(
    200,
    "Connect to your account",
    `<p>You are about to grant <strong>${toHtml(device)}</strong> access to your account.</p>
<form method="post" action="${toHtml(action)}">${inputs(hiddenFields)}${names.map(grantButton).join("")}</form>
<aside><p>This is a stand-in. A real Nextcloud asks you to log in first, and then to grant access.</p></aside>`,
  )

const grantButton = (name: string): string =>
  `<button type="submit" name="user" value="${toHtml(name)}">Grant access as ${toHtml(name)}</button>`

export interface Hint {
  readonly name: string
  readonly password: string
}

export interface LoginForm {
  readonly action: string
  readonly hiddenFields: Readonly<Record<string, string>>
  /** The account name of a failed attempt. */
  readonly failed?: string
  /** Accounts that the page names with their passwords; none outside demonstrations. */
  readonly hints: readonly Hint[]
}

export function loginPage({ action, hiddenFields, failed, hints }: LoginForm): Reply {
  const alert = failed === undefined ? "" : '<p role="alert">Wrong login or password.</p>'
  const hintLinks = hints.map(
    ({ name, password }) => `<li><code>${toHtml(name)}</code>, password <code>${toHtml(password)}</code></li>`,
  )
  const help = hints.length === 0 ? "" : `<aside><p>Here you can be:</p><ul>${hintLinks.join("")}</ul></aside>`
  return page(
    200,
    "Login – Nextcloud",
    `${alert}<form method="post" action="${toHtml(action)}">
<label>Account name <input name="user" autocomplete="username" autocapitalize="none" required value="${toHtml(failed ?? "")}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
${inputs(hiddenFields)}<button type="submit">Log in</button></form>
${help}`,
  )
}

export const grantPage = (
  action: string,
  { user, device }: { readonly user: string; readonly device: string },
  hiddenFields: Readonly<Record<string, string>>,
): Reply =>
  page(
    200,
    "Account access",
    `<p>Currently logged in as <strong>${toHtml(user)}</strong>.</p>
<p>You are about to grant <strong>${toHtml(device)}</strong> access to your account.</p>
<form method="post" action="${toHtml(action)}">${inputs(hiddenFields)}<button type="submit">Grant access</button></form>`,
  )

export const grantedPage = (): Reply =>
  page(200, "Account connected", "<p>Your client should now be connected! You can close this window.</p>")

const inputs = (hiddenFields: Readonly<Record<string, string>>): string =>
  Object.entries(hiddenFields)
    .map(([name, value]) => `<input type="hidden" name="${toHtml(name)}" value="${toHtml(value)}">`)
    .join("")

export function toHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
