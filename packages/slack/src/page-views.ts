// The page on which a person links a Slack account, and the section of the account page about linked Slack accounts, as
// HTML: pure, from view to page.

import { paths } from "@holdpoint/hub"
import { csrfField, type Html, html, monogram, page, type SignedIn, timeOf, toHref } from "@holdpoint/server/parts"

/** The names of a Slack account that people recognise. */
export interface SlackAccountView {
  readonly user: string
  readonly workspace: string
}

export interface LinkSlackView extends SignedIn {
  readonly account: SlackAccountView
  /** The address to which the form posts `csrf` and `do`. */
  readonly action: string
}

/** Asks the person to link a Slack account. Names both accounts, because either may belong to another person. */
export function linkSlackPage({ account, action, csrf, ...viewer }: LinkSlackView): Html {
  const { user, workspace } = account
  return page(
    { title: "Link your Slack account", state: "hold", width: "narrow", viewer: { csrf, ...viewer } },
    html`<h1>Link your Slack account?</h1>
<dl class="facts"><div><dt>In Slack</dt><dd><strong>${user}</strong> in the workspace <strong>${workspace}</strong></dd></div>
<div><dt>Signed in here as</dt><dd><strong>${viewer.signedInAs}</strong></dd></div></dl>
<p class="lead">From then on, questions for you come to this Slack account, and what you press there counts as your answer.</p>
<p>If you are not ${user} in Slack, or if somebody else sent you this link, close this page. Nothing happens then.</p>
<form method="post" action="${toHref(action)}" data-once>${csrfField(csrf)}
<div class="buttons"><button class="primary" type="submit" name="do" value="link">Yes, ${user} is me</button><a class="button" href="${paths.inbox}">No</a></div></form>`,
  )
}

export function slackCodePage({ account, code }: { readonly account: SlackAccountView; readonly code: string }): Html {
  return page(
    { title: "Enter this code in Slack", state: "hold", width: "narrow" },
    html`<h1>Enter this code in Slack</h1>
<p class="new-key"><code>${code}</code></p>
<p class="lead">The app has sent a message to ${account.user} in ${account.workspace}. Press “Enter the code” there, and type it in.</p>
<p>Give it to no one: with it, another person could answer questions in your name. It is good for ten minutes.</p>`,
  )
}

export function slackLinkedPage({ user, workspace }: SlackAccountView): Html {
  return page(
    { title: "Your Slack account is linked", state: "clear", width: "narrow" },
    html`<div class="mark" aria-hidden="true"></div>
<h1>Your Slack account is linked</h1>
<p class="lead">Questions for you come to ${user} in ${workspace}. Go on there: what waited for you is asked again.</p>
<p class="after">You can unlink it at any time under <a href="${paths.account}">your account</a>.</p>`,
  )
}

export interface SlackLinkView extends SlackAccountView {
  readonly since: number
  /** The address to which the form posts `csrf`. */
  readonly unlink: string
}

export function slackSection(accounts: readonly SlackLinkView[], { csrf, now }: { csrf: string; now: number }): Html {
  return html`<section aria-labelledby="slack"><h2 id="slack">Slack</h2>
${accounts.length === 0 && html`<p class="quiet">No Slack account is linked. Send the app a message in Slack, and it will tell you how.</p>`}
<ul class="rows">${accounts.map((one) => slackRow(one, csrf, now))}</ul>
</section>`
}

function slackRow({ user, workspace, since, unlink }: SlackLinkView, csrf: string, now: number): Html {
  return html`<li class="row">
<div class="row-main">${monogram(workspace)}<div>
<h3>${user}</h3>
<p>in the workspace ${workspace}</p>
<p class="meta">Linked ${timeOf(since, now)}.</p>
</div></div>
<div class="row-actions"><details class="confirm"><summary>Unlink<span class="sr"> ${user} in ${workspace}</span></summary><form method="post" action="${toHref(unlink)}" data-once>${csrfField(csrf)}<p>No more questions come there, and what is pressed there does not count any more, at once.</p><button class="danger" type="submit">Yes, unlink it</button></form></details></div>
</li>`
}
