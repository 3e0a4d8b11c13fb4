// The page /try as HTML: the panel, the list of running parts, and the lines for MCP clients. The script of the panel
// fills the empty elements.

import { paths } from "@holdpoint/hub"
import { signInTo } from "@holdpoint/hub/internal"
import { html } from "hono/html"
import { clientLines } from "./clients.ts"
import { toFramedPage } from "./frame.ts"

export interface TryView {
  readonly mcpUrl: string
  readonly standInUrl: string
  /** The data folder, relative to the working directory. */
  readonly dataFolder: string
  readonly signedInAs: string | undefined
}

export function tryPage({ mcpUrl, standInUrl, dataFolder, signedInAs }: TryView) {
  return toFramedPage(
    {
      title: "Try the MCP server",
      currentPath: "/try",
      styles: "/try/try.css",
      scripts: ["/try/panel.js"],
      signedInAs,
    },
    html`<h1>A Nextcloud that asks before it lets anyone in</h1>
<p class="lead">An MCP server for Nextcloud is running here, with everything it needs. A tool that needs your account
stops, asks you, and goes on with your answer: no administrator, no token to paste.</p>
${panel()}
${lines(mcpUrl)}
${running({ mcpUrl, standInUrl, dataFolder })}`,
  )
}

function panel() {
  return html`<section id="try" data-sign-in="${signInTo("account")}" aria-labelledby="try-title">
<h2 id="try-title">Try it here</h2>
<p>This page is an MCP client. Its first call needs an account that is not connected yet: you sign in as <b>alice</b>,
allow access at the Nextcloud in a window, and the same call returns her notes.</p>
<noscript><p class="notice">The panel needs JavaScript.</p></noscript>
<div class="buttons first"><button class="primary" id="first" type="button">List my notes</button></div>
<div id="stage" hidden></div>
<p id="status" role="status"></p>
<details id="tools">
<summary>All tools</summary>
<p id="tools-none">The tools are listed when you are signed in. <button class="link" id="tools-sign-in" type="button">Sign in</button></p>
<div class="tools" id="tools-there" hidden>
<div>
<label for="tool-search">Search</label>
<input id="tool-search" type="search" autocomplete="off" spellcheck="false">
<p class="meta" id="tool-count" role="status"></p>
<div class="tool-list" id="tool-list" tabindex="0" role="region" aria-label="Tools by app"></div>
</div>
<div id="tool-form"><p class="meta">Choose a tool to see its arguments.</p></div>
</div>
</details>
<details>
<summary>This page as a client: <span id="client-now"></span></summary>
<div class="choices">
<div class="field"><label for="revision">Protocol revision</label><select id="revision"></select></div>
<div class="field"><label for="declares">What it can show</label><select id="declares"></select></div>
</div>
<p class="meta">The server asks each kind of client in the way it supports. Change it and call again.</p>
</details>
<details>
<summary>Messages on the wire (<span id="log-count">0</span>)</summary>
<ol class="log" id="log-lines"></ol>
</details>
</section>`
}

function lines(url: string) {
  return html`<section aria-labelledby="clients-title">
<h2 id="clients-title">In your own client</h2>
<p>Paste the line for your MCP client. The client then signs you in at this server, as alice or bob, without a password.</p>
<ul class="client-lines">${clientLines(url).map(
    ({ client, place, line, nextStep }) => html`<li>
<h3>${client}</h3>
<p class="meta">${place}:</p>
<div class="paste"><code data-copy="${client}" tabindex="0">${line}</code></div>
<p class="meta">${nextStep}</p>
</li>`,
  )}</ul>
</section>`
}

function running({ mcpUrl, standInUrl, dataFolder }: Omit<TryView, "signedInAs">) {
  return html`<section aria-labelledby="running-title">
<h2 id="running-title">What is running</h2>
<dl class="facts">
<div><dt>MCP server</dt><dd><code>${mcpUrl}</code><span class="note">the Nextcloud tools; clients sign people in by OAuth</span></dd></div>
<div><dt>Nextcloud</dt><dd><a href="${standInUrl}/">${standInUrl}</a><span class="note">a stand-in, with some notes, files, events and contacts in it. Sign in there as alice (password alice-Pass-2026) or bob (bob-Pass-2026).</span></dd></div>
<div><dt>Sign-in</dt><dd>alice and bob<span class="note">an identity provider for trying out, on this machine only; one button signs you in, without a password</span></dd></div>
<div><dt>Pages</dt><dd><a href="${paths.inbox}">Inbox</a> and <a href="${paths.account}">Account</a><span class="note">what waits for you; what you have connected, and how to disconnect it</span></dd></div>
<div><dt>Store</dt><dd>${dataFolder}<span class="note">sealed consents and the Nextcloud's data, in the folder where the demo was started; --reset deletes all of it</span></dd></div>
</dl>
<p class="meta">All of it is one process on this machine. Ctrl-C in the terminal ends it.</p>
</section>`
}
