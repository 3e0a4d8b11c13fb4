// The page on which a person says Yes or No to the connection of an account: the asker, the scopes and the provider.

import { actFields, alert, codeBox, csrfField, monogramPair, page, signedInFooter } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { deadlineOf } from "./time.ts"
import type { ConfirmAccountView, ConnectView, ScopeView, WaitingView } from "./views.ts"

export function connectPage(view: ConnectView): Html {
  const {
    provider,
    requester,
    client,
    owner,
    code,
    id,
    csrf,
    signedInAs,
    widens = false,
    lossSentence,
    offers = [],
  } = view
  const verb = widens ? "Allow more at" : "Connect"
  return page(
    { title: `${verb} ${provider.name}`, state: "hold", width: "narrow", viewer: view },
    html`${monogramPair(requester.name, provider.name)}
<h1>${verb} ${provider.name}?</h1>
${view.isChanged && alert(html`<p>The program asked for more while this page was open. Check the whole list before you say yes.</p>`)}
${view.problem !== undefined && alert(html`<p>${view.problem}${!/try again/i.test(view.problem) && " You can try again."}</p>`)}
<p class="lead"><strong>${requester.name}</strong> asks to ${widens ? "do more with" : "use"} ${owner === undefined ? "your" : "an"} account at <strong>${provider.name}</strong>${
      owner !== undefined && html` for the project <strong>${owner}</strong>`
    }.</p>
${!containsReason(view.message, lossSentence) && html`<blockquote class="message">${view.message}</blockquote>`}
${lossSentence !== undefined && html`<div class="notice"><p><strong>Why again?</strong> ${lossSentence}</p></div>`}
${code !== undefined && codeBox(code)}
<dl class="facts">
<div><dt>Connects to</dt><dd>${provider.host}</dd></div>
<div><dt>Belongs to</dt><dd>${owner === undefined ? signedInAs : `the project ${owner}`}</dd></div>
${client !== undefined && html`<div><dt>Asked through</dt><dd>“${client.name}”<span class="note">as that program calls itself</span></dd></div>`}
${view.account !== undefined && accountFact(view, view.account)}
</dl>
${widens ? addedScopes(view) : scopeList(view.scopes, offers.length > 0 ? "Needed now" : "It may then")}
<form method="post" action="${toHref(view.action)}" data-once${leadsToLogin(view) && html` data-opens`}>
${actFields(csrf, view.now)}<input type="hidden" name="shown" value="${view.shown}">
${entryFields(view)}
${offers.length > 0 && offerList(offers)}
<div class="buttons">
<button class="primary" type="submit" name="do" value="continue">${primaryWords(view)}</button>
${offers.length > 0 && html`<button type="submit" name="do" value="needed">Only what is needed now</button>`}
<button type="submit" name="do" value="no" formnovalidate>No</button>
</div>
</form>
<p class="after">${assurance(view)} This request ${deadlineOf(view.expiresAt, view.now)}.</p>
${signedInFooter({ ...view, isLocal: code !== undefined }, `connect:${id}`)}`,
  )
}

/** Whether a Yes leads to a login page at the provider, which the script opens with the same click. */
const leadsToLogin = ({ kind, widens = false }: ConnectView): boolean => kind === "login_flow" && !widens

/** Whether the message contains the reason. The page then omits the message, because the reason has its own box. */
const containsReason = (message: string, lossSentence: string | undefined): boolean =>
  lossSentence !== undefined && message.includes(lossSentence.replace(/\.$/, ""))

function accountFact({ lossSentence, widens }: ConnectView, account: string): Html {
  if (lossSentence !== undefined) return html`<div><dt>Connected before</dt><dd>${account}</dd></div>`
  const note = widens ? "stays as it is" : "stays until you consent again"
  return html`<div><dt>Connected now</dt><dd>${account}<span class="note">${note}</span></dd></div>`
}

/** The scopes that a Yes adds, followed by the scopes that are already allowed. */
function addedScopes({ scopes }: ConnectView): Html {
  const allowed = scopes.filter(({ isNew }) => !isNew)
  return html`<h2>This is added</h2>
${scopeItems(scopes.filter(({ isNew }) => isNew))}
${allowed.length > 0 && html`<h2>Allowed already</h2>${scopeItems(allowed, "quiet")}`}`
}

/** Optional scopes, ticked by default because each would be requested later. A second button omits all of them. */
function offerList(offers: NonNullable<ConnectView["offers"]>): Html {
  return html`<fieldset class="field offers">
<legend>Allow this as well</legend>
<p class="hint">Other tools here need it. If you leave something out, you are asked when a tool needs it.</p>
${offers.map(
  ({ scope, words }, index) =>
    html`<div class="tick"><input type="checkbox" id="allow-${index + 1}" name="allow" value="${scope}" checked><label for="allow-${index + 1}">${words}</label></div>`,
)}
</fieldset>`
}

export function waitingPage(view: WaitingView): Html {
  const { provider, csrf, login } = view
  return page(
    {
      title: `Waiting for ${provider.name}`,
      state: "hold",
      width: "narrow",
      viewer: view,
      head: html`<noscript><meta http-equiv="refresh" content="5"></noscript>`,
    },
    html`${login === undefined ? almostConnectedWords(provider.name) : loginInstructions(view, login)}
<p class="waiting" role="status" data-status-url="${toHref(view.statusUrl)}"><span class="dots" aria-hidden="true"></span>Waiting for ${provider.name}</p>
<form method="post" action="${toHref(view.action)}" data-once>${csrfField(csrf)}
<div class="buttons"><button type="submit" name="do" value="no">No, stop this</button></div></form>
<p class="after">This request ${deadlineOf(view.expiresAt, view.now)}.</p>
${signedInFooter(view, `connect:${view.id}`)}`,
  )
}

function loginInstructions({ provider, code }: WaitingView, login: string): Html {
  return html`<h1>Say yes at ${provider.name}</h1>
<p class="lead">Open ${provider.name}, sign in there and grant access. This page then continues automatically.</p>
${code !== undefined && html`<div class="code"><p>${provider.name} shows your name, this server and this code. Grant access only if the code is the same:</p><p><strong>${code}</strong></p></div>`}
<p class="buttons"><a class="button primary" href="${toHref(login)}" target="_blank" rel="noopener noreferrer" data-login>Open ${provider.name}<span class="note">${provider.host}, in a new tab</span></a></p>`
}

function almostConnectedWords(provider: string): Html {
  return html`<h1>Almost connected</h1>
<p class="lead">You have done your part. ${provider} still has to say which account it is; this page then continues automatically.</p>`
}

export function confirmAccountPage(view: ConfirmAccountView): Html {
  const { provider, before, after, owner, csrf, action } = view
  return page(
    { title: `A different account at ${provider.name}`, state: "hold", width: "narrow", viewer: view },
    html`${owner === undefined ? otherAccountWords(provider.name) : unconfirmedAccountWords(provider.name, owner.isOther)}
<dl class="facts">
${owner !== undefined && html`<div><dt>You are</dt><dd>${owner.name}</dd></div>`}
${before !== undefined && html`<div><dt>Until now</dt><dd>${before}</dd></div>`}
<div><dt>${owner === undefined ? "Now" : "The account is"}</dt><dd>${after}</dd></div>
</dl>
<form method="post" action="${toHref(action)}" data-once>${actFields(csrf, view.now)}
<div class="buttons">
<button class="primary" type="submit" name="do" value="use">Use ${after}</button>
<button type="submit" name="do" value="keep">No, ${before === undefined ? "do not use it" : html`keep ${before}`}</button>
</div></form>
${signedInFooter(view)}`,
  )
}

function otherAccountWords(provider: string): Html {
  return html`<h1>A different account than before</h1>
<p class="lead">You have just said yes at ${provider} with a different account than last time. Which one should be used?</p>`
}

function unconfirmedAccountWords(provider: string, isOther: boolean): Html {
  const reason = isOther
    ? "The account has a different e-mail address from yours."
    : "Its user id and e-mail address do not show whether it is yours."
  return html`<h1>Is this your account?</h1>
<p class="lead">Access was granted at ${provider}. ${reason} Use it only if it is yours, or if its owner knows that you will use it.</p>`
}

/** The list of scopes that a Yes allows. */
export function scopeList(scopes: readonly ScopeView[], title = "It may then"): Html | false {
  if (scopes.length === 0) return false
  // The tag “new” would say nothing when every scope is new.
  const isMarked = scopes.some(({ isNew }) => isNew !== true)
  return html`<h2>${title}</h2>
${scopeItems(scopes.map(({ isNew = false, ...one }) => ({ ...one, isNew: isNew && isMarked })))}`
}

function scopeItems(scopes: readonly ScopeView[], className = ""): Html {
  return html`<ul class="scopes ${className}">${scopes.map(
    ({ scope, words, isNew }) =>
      html`<li><span>${words}${isNew && html` <span class="tag">new</span>`}</span>${words !== scope && html`<code>${scope}</code>`}</li>`,
  )}</ul>`
}

function primaryWords({ kind, provider, widens }: ConnectView): string {
  if (widens) return "Allow"
  if (kind === "api_key") return "Save key"
  return kind === "basic" ? "Save password" : `Continue to ${provider.name}`
}

function assurance({ kind, provider, widens }: ConnectView): string {
  if (widens)
    return `You do not have to sign in at ${provider.name} again, and nothing changes there. You can undo this on your account page.`
  return kind === "api_key" || kind === "basic"
    ? `It is checked once with ${provider.name} and stored encrypted. It is never shown again.`
    : `You say yes or no at ${provider.name}. Your password stays there.`
}

function entryFields(view: ConnectView): Html | false {
  const { kind, help, provider } = view
  if (kind !== "api_key" && kind !== "basic") return false
  return html`${
    kind === "basic" && entryField(view, { name: "username", label: "User name", type: "text", value: view.username })
  }${kind === "basic" ? entryField(view, { name: "password", label: "Password", type: "password" }) : entryField(view, { name: "key", label: `Key for ${provider.name}`, type: "password" })}
${help !== undefined && html`<p class="hint">${help.words}${help.url !== undefined && html` <a href="${toHref(help.url)}" target="_blank" rel="noopener noreferrer">Open ${URL.parse(help.url)?.host ?? "it"} in a new tab</a>`}</p>`}`
}

interface Entry {
  readonly name: "key" | "username" | "password"
  readonly label: string
  readonly type: string
  readonly value?: string | undefined
}

function entryField({ problems }: ConnectView, { name, label, type, value }: Entry): Html {
  const problem = problems?.find(({ field }) => field === name)?.message
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="4096"${
    value !== undefined && html` value="${value}"`
  }${problem !== undefined && html` aria-invalid="true" aria-describedby="${name}-problem" autofocus`}>
${problem !== undefined && html`<p class="problem" id="${name}-problem" role="alert">${problem}</p>`}
</div>`
}
