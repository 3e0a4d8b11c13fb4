// The page / as HTML: a chat with an agent that asks, and the timeline of its steps. chat.js and the widget fill both.

import { paths } from "@holdpoint/hub"
import { signInTo } from "@holdpoint/hub/internal"
import { html } from "hono/html"
import { toFramedPage } from "./frame.ts"
import type { DemoModel } from "./model.ts"
import { assistantName, requests } from "./script.ts"

export interface ChatView {
  readonly model: Pick<DemoModel, "label">
  readonly signedInAs: string | undefined
}

/** chat.js comes first: it selects the conversation before the widget creates its elements. */
const scripts = ["/chat/chat.js", "/chat/holdpoint-widget.js"]

export function chatPage({ model, signedInAs }: ChatView) {
  return toFramedPage(
    { title: "Chat", currentPath: "/", styles: "/chat/chat.css", scripts, signedInAs },
    html`<h1>Any program can stop and ask you</h1>
<p class="lead">An agent, an MCP tool, a script: it stops in the middle, asks the right person, and goes on with the
answer. Press <b>List my notes</b>.</p>
<div class="stage">
<section class="talk" aria-labelledby="chat-title">
<h2 id="chat-title">Talk to an agent that asks</h2>
${modelLine(model)}
${chat(signedInAs)}
${chatFooter(model)}
</section>
<section class="beneath">
<h2 id="timeline-title">What happens underneath</h2>
<p class="meta">Each step of the program, each question and each answer, as the trail records it.</p>
<div class="steps" tabindex="0" role="region" aria-labelledby="timeline-title"><holdpoint-timeline></holdpoint-timeline></div>
</section>
</div>
${otherWaysSection()}`,
  )
}

function chat(signedInAs: string | undefined) {
  const { notes, deletion, trip, desk } = requests
  const [first, next] = [[notes, deletion, trip, desk].join("|"), [deletion, trip, desk, notes].join("|")]
  return html`<noscript><p class="notice">The chat needs JavaScript.</p></noscript>
<holdpoint-chat id="demo-chat" agent="${assistantName}" sign-in="${signInTo("account")}"${signedInAs === undefined && html` signed-out`} suggestions="${first}" data-next="${next}">
<p slot="welcome" class="welcome">Hello! I can look in your Nextcloud, if you let me, and plan a trip. Press a button, or write a message.</p>
</holdpoint-chat>`
}

function modelLine({ label }: ChatView["model"]) {
  return label === undefined
    ? html`<p class="meta"><b>A scripted model answers here</b>: it knows these four requests.</p>`
    : html`<p class="meta"><b>${label.name}</b> at ${label.host} answers here.</p>`
}

function chatFooter({ label }: ChatView["model"]) {
  const hint = html`<span>A real model answers when OPENAI_API_KEY is set, or HOLDPOINT_MODEL_URL and OPENAI_MODEL for a local one.</span>`
  return html`<p class="meta below"><button class="link" id="anew" type="button">New conversation</button> ${label === undefined && hint}</p>`
}

/** The other ways to ask and to answer: an MCP tool, a script and the inbox. */
function otherWaysSection() {
  return html`<section aria-labelledby="others-title">
<h2 id="others-title">Not only in a chat, and not only for a Nextcloud</h2>
<ul class="others">
<li><h3>An MCP tool</h3><p>asks through the client that called it, whichever revision it speaks.</p><p><a href="/try">Try it as an MCP client</a></p></li>
<li><h3>A script</h3><p>asks with one line, and goes on with the answer.</p><p><code>npx holdpoint ask 'Deploy?' &amp;&amp; ./deploy.sh</code></p></li>
<li><h3>The person</h3><p>answers where they are: here, in a client, in a terminal or in their inbox.</p><p><a href="${paths.inbox}">Open the inbox</a></p></li>
</ul>
</section>`
}
