// The HTML around the content of each demo page: the head, and the header with the main links.

import { paths } from "@holdpoint/hub"
import { pathTo } from "@holdpoint/hub/internal"
import { html } from "hono/html"

/** The links in the header of every page, including the pages of the library. */
export const demoLinks = [
  { name: "Chat", path: "/" },
  { name: "Inbox", path: paths.inbox },
  { name: "Account", path: paths.account },
  { name: "Try", path: "/try" },
] as const

export interface DemoFrame {
  readonly title: string
  /** The path of the page. */
  readonly currentPath: (typeof demoLinks)[number]["path"]
  readonly styles: string
  readonly scripts: readonly string[]
  readonly signedInAs: string | undefined
}

export function toFramedPage(
  { title, currentPath, styles, scripts, signedInAs }: DemoFrame,
  content: ReturnType<typeof html>,
) {
  const signInText = signedInAs === undefined ? "Not signed in" : `Signed in as ${signedInAs}`
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
<link rel="stylesheet" href="${styles}">
${scripts.map((path) => html`<script src="${path}" type="module"></script>\n`)}</head>
<body class="wide calm">
<div class="line" aria-hidden="true"></div>
<header class="top">
<a class="brand" href="/"><img src="${pathTo(paths.asset, "logo.svg")}" alt="" width="28" height="28">Holdpoint</a>
<nav aria-label="Main">${demoLinks.map(
    ({ name, path }) => html`<a href="${path}"${path === currentPath && html` aria-current="page"`}>${name}</a>\n`,
  )}</nav>
<div class="who"><span id="who">${signInText}</span></div>
</header>
<main id="main">
${content}
</main>
</body>
</html>
`
}
