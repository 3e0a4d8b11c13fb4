// The frame of every page: its head, the coloured line that shows the state, and the navigation.

import { paths } from "@holdpoint/hub"
import { pathTo } from "@holdpoint/hub/internal"
import { type Html, html } from "./html.ts"
import type { PageLink, Popup, SignedIn } from "./views.ts"

/**
 * The state of a page. `hold`: the person has to decide. `clear`: the task is done. `stop`: the task has ended without
 * success. `calm`: none of these.
 */
export type State = "hold" | "clear" | "stop" | "calm"

export interface Frame {
  readonly title: string
  readonly state: State
  /** `narrow`: one decision. `wide`: a list or a long page. */
  readonly width: "narrow" | "wide"
  readonly viewer?: Partial<SignedIn>
  /** The path of the current page in the navigation. */
  readonly currentPath?: string
  readonly popup?: Popup | undefined
  readonly head?: Html
}

/** A whole page: the frame around its content. */
export function page(frame: Frame, content: Html): Html {
  const { title, state, width, popup } = frame
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
<script type="module" src="${pathTo(paths.asset, "holdpoint.js")}"></script>
${frame.head}
</head>
<body class="${width} ${state}"${popup && popupData(popup)}>
<div class="line" aria-hidden="true"></div>
${header(frame)}
<main id="main">${content}</main>
</body>
</html>
`
}

function header({ width, viewer, currentPath }: Frame): Html {
  const { signedInAs, csrf, isLocal = false, links = ownPages } = viewer ?? {}
  const brand = html`<a class="brand" href="${paths.start}"><img src="${pathTo(paths.asset, "logo.svg")}" alt="" width="28" height="28">Holdpoint</a>`
  if (signedInAs === undefined) return html`<header class="top">${brand}</header>`
  // A narrow page has one decision, and its footer says who is signed in.
  const viewerPart = html`<div class="who"><span>${signedInAs}</span>${csrf !== undefined && !isLocal && signOutForm(csrf, "Sign out")}</div>`
  return html`<header class="top">
${brand}
${links.length > 0 && navigation(links, currentPath)}
${width === "wide" && viewerPart}
</header>`
}

/** The pages that every installation has. */
export const ownPages: readonly PageLink[] = [
  { name: "Inbox", path: paths.inbox },
  { name: "Account", path: paths.account },
]

/** The links of the header; the current page is marked. */
export function navigation(links: readonly PageLink[], currentPath?: string): Html {
  return html`<nav aria-label="Main">
${links.map(({ name, path }) => html`<a href="${path}"${currentPath === path && html` aria-current="page"`}>${name}</a>\n`)}</nav>`
}

/** The sign-out button, a form because it changes state. `returnTo` names the page to show after the next sign-in. */
export function signOutForm(csrf: string, words: string, returnTo?: string): Html {
  return html`<form class="inline" method="post" action="${paths.signOut}">${csrfField(csrf)}${
    returnTo !== undefined && html`<input type="hidden" name="to" value="${returnTo}">`
  }<button class="link" type="submit">${words}</button></form>`
}

/** The footer of a page with one decision: who is signed in, and a button to sign out if that is another person. */
export function signedInFooter({ signedInAs, csrf, isLocal = false }: SignedIn, returnTo?: string): Html {
  if (isLocal)
    return html`<footer class="foot"><span>For <strong>${signedInAs}</strong>, on this machine.</span></footer>`
  return html`<footer class="foot"><span>Signed in as <strong>${signedInAs}</strong>.</span> ${signOutForm(csrf, "Not you? Sign out", returnTo)}</footer>`
}

/** Local mode: a code that the person compares with their terminal. */
export function codeBox(code: string): Html {
  return html`<div class="code"><p>Check that your terminal or program shows the same code:</p><p><strong>${code}</strong></p></div>`
}

/** The hidden field with the CSRF token of the session, for every form. */
export function csrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`
}

/**
 * The CSRF token, and when the page was made: without scripts the server refuses a press that comes too soon. The
 * script removes the time once it judges presses itself.
 */
export function actFields(csrf: string, now: number): Html {
  return html`${csrfField(csrf)}<input name="rendered" type="hidden" value="${now}">`
}

/** A message that screen readers announce when the page loads, and that the script focuses. */
export function alert(content: Html): Html {
  return html`<div class="notice bad" role="alert" tabindex="-1">${content}</div>`
}

/** The first letter of a name in place of a logo, which would have to be fetched from elsewhere. */
export function monogram(name: string): Html {
  return html`<span class="monogram" aria-hidden="true">${[...name.trim()][0]?.toUpperCase() ?? "?"}</span>`
}

/** The initials of asker and target, with a line between them. */
export function monogramPair(from: string, to: string): Html {
  return html`<div class="pair">${monogram(from)}<span class="gap"></span>${monogram(to)}</div>`
}

function popupData({ origin, id, status }: Popup): Html {
  return html` data-popup-origin="${origin}" data-popup-id="${id}" data-popup-status="${status}"`
}
