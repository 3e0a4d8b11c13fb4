// The sign-in page of the embedded identity provider, and its only error page. They work without a script.

import type { ServerResponse } from "node:http"
import { paths } from "@holdpoint/hub"
import { pathTo } from "@holdpoint/hub/internal"
import { html } from "hono/html"
import type { KoaContextWithOIDC } from "oidc-provider"
import type { DemoUser } from "./users.ts"

type Html = ReturnType<typeof html>

export interface SignInForm {
  readonly users: readonly DemoUser[]
  /** Whether the submitted form named an unknown user. */
  readonly isUnknown?: boolean
}

export function sendSignInPage(response: ServerResponse, { users, isUnknown = false }: SignInForm): Promise<void> {
  const alert = html`<div class="notice bad" role="alert" tabindex="-1"><p>This user does not exist. Choose one of the buttons.</p></div>`
  const buttons = users.map(
    ({ id }) => html`<button class="primary" type="submit" name="user" value="${id}">Continue as ${id}</button>\n`,
  )
  const content = html`<h1>Sign in to try it out</h1>
${isUnknown && alert}
<p class="lead">Who do you want to be? There is no password.</p>
<form method="post">
<div class="buttons">${buttons}<button type="submit" name="cancel" value="yes">Cancel</button></div>
</form>
<div class="notice"><p><strong>Not for production.</strong> These people exist on this machine alone. A real server sends you to
your own identity provider here.</p></div>`
  return send(response, isUnknown ? 422 : 200, page("Sign in", "hold", content))
}

export function sendErrorPage(response: ServerResponse): Promise<void> {
  return send(response, 400, errorPage())
}

/** Shows an error that must not be sent to a redirect URI. The page repeats nothing of the request. */
export async function renderError(context: KoaContextWithOIDC): Promise<void> {
  context.set(headers)
  context.body = String(await errorPage())
}

function errorPage(): Html {
  const content = html`<h1>This sign-in cannot go on</h1>
<p class="lead">It took too long, was finished already, or was not begun in this browser.</p>
<p><a href="${paths.signIn}">Sign in again</a></p>`
  return page("Sign in", "stop", content)
}

const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
}

async function send(response: ServerResponse, status: number, body: Html): Promise<void> {
  response.writeHead(status, headers).end(String(await body))
}

function page(title: string, state: "hold" | "stop", content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Holdpoint</title>
<link rel="icon" href="${pathTo(paths.asset, "logo.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${pathTo(paths.asset, "holdpoint.css")}">
</head>
<body class="narrow ${state}">
<div class="line" aria-hidden="true"></div>
<header class="top"><span class="brand"><img src="${pathTo(paths.asset, "logo.svg")}" alt="" width="28" height="28">Holdpoint demo sign-in</span></header>
<main id="main">${content}</main>
</body>
</html>
`
}
