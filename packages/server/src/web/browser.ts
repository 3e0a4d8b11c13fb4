// Local mode: the pages for a browser that is not yet identified as the person's, or never will be.

import { paths } from "@holdpoint/hub"
import { csrfField, page } from "./frame.ts"
import { type Html, html } from "./html.ts"

export interface RefusedBrowserView {
  readonly csrf: string
  /** The page that the browser asked for. */
  readonly to: string
}

export function unknownBrowserPage(view: RefusedBrowserView): Html {
  return page(
    { title: "Is it you?", state: "hold", width: "narrow" },
    html`<h1>Is it you?</h1>
<p class="lead">This page is for the person at this machine. Programs on it can open links too, so Holdpoint shows the page in your own browser, or prints its address in the terminal where it runs.</p>
${actionForm(view, "show", "Show it to me")}
<p class="after">This is asked once for each browser. If you are not at this machine's screen, start the server with HOLDPOINT_OPEN_BROWSER=false.</p>`,
  )
}

export function shownElsewherePage(): Html {
  return page(
    { title: "Continue there", state: "calm", width: "narrow" },
    html`<h1>Continue there</h1>
<p class="lead">The page opens in your browser, or its address is printed in the terminal of this server. You can close this one.</p>`,
  )
}

export function takenLinkPage(view: RefusedBrowserView): Html {
  return page(
    { title: "In use in another browser", state: "stop", width: "narrow" },
    html`<h1>In use in another browser</h1>
<p class="lead">A button on this page was pressed in another browser, or by a program. If that was you, continue there.</p>
<p>If it was not, cancel the question here. That allows nothing. Then go back to the program that asked and start again to get a new link.</p>
${actionForm(view, "end", "Cancel it")}`,
  )
}

function actionForm({ csrf, to }: RefusedBrowserView, act: string, words: string): Html {
  return html`<form method="post" action="${paths.browser}" data-once>${csrfField(csrf)}<input type="hidden" name="to" value="${to}">
<div class="buttons"><button class="primary" type="submit" name="do" value="${act}">${words}</button></div></form>`
}
