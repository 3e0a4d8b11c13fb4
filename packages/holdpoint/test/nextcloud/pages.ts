// The pages of the fake Nextcloud: plain forms in the order of the real ones, for a browser to click through.

import type { Reply } from "./state.ts"

const noStore = { "cache-control": "no-cache, no-store, must-revalidate" }

export function page(status: number, title: string, body: string): Reply {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${toHtml(title)}</title></head>
<body><main><h1>${toHtml(title)}</h1>${body}</main></body></html>`
  return { status, headers: { ...noStore, "content-type": "text/html; charset=UTF-8" }, body: html }
}

export const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { ...noStore, "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(value),
})

export const redirect = (location: string): Reply => ({
  status: 303,
  headers: { ...noStore, "content-type": "text/html; charset=UTF-8", location },
})

/** As Nextcloud's own error page, which says little. */
export const errorPage = (status: number): Reply => page(status, "Nextcloud", "<p>Something went wrong.</p>")

export const pickerPage = (device: string, grantAddress: string): Reply =>
  page(
    200,
    "Connect to your account",
    `<p>Please log in before granting <strong>${toHtml(device)}</strong> access to your account.</p>
<p><a id="login" href="${toHtml(grantAddress)}">Log in</a></p>`,
  )

export const loginPage = (action: string, hidden: Readonly<Record<string, string>>, failed: boolean): Reply =>
  page(
    200,
    "Login – Nextcloud",
    `${failed ? "<p role=alert>Wrong login or password.</p>" : ""}<form method="post" action="${toHtml(action)}">
<label>Account name <input name="user" autocomplete="username"></label>
<label>Password <input name="password" type="password" autocomplete="current-password"></label>
${inputs(hidden)}<button type="submit">Log in</button></form>`,
  )

export const grantPage = (
  action: string,
  { user, device }: { readonly user: string; readonly device: string },
  hidden: Readonly<Record<string, string>>,
): Reply =>
  page(
    200,
    "Account access",
    `<p>Currently logged in as <strong>${toHtml(user)}</strong>.</p>
<p>You are about to grant <strong>${toHtml(device)}</strong> access to your account.</p>
<form method="post" action="${toHtml(action)}">${inputs(hidden)}<button type="submit">Grant access</button></form>`,
  )

const inputs = (hidden: Readonly<Record<string, string>>): string =>
  Object.entries(hidden)
    .map(([name, value]) => `<input type="hidden" name="${toHtml(name)}" value="${toHtml(value)}">`)
    .join("")

function toHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
