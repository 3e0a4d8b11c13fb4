// The last pages of a flow, without a further step: connected, ended, unusable link, error, signed out.

import { paths } from "@holdpoint/hub"
import { afterAnswerWords } from "./after-answer.ts"
import { page } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import type { ConfirmedView, DoneView, EndedView, ReturnTo } from "./views.ts"

export interface SignedOutView {
  /** The sign-out address of the identity provider. */
  readonly signOutAddress?: string
}

export interface ErrorView {
  readonly title: string
  readonly words: string
  /** The path of the page to show again. Default: the inbox. */
  readonly back?: string
}

export function donePage({
  provider,
  account,
  returnTo,
  popup,
  afterAnswer,
  accountPage = paths.account,
}: DoneView): Html {
  return page(
    { title: `${provider.name} is connected`, state: "clear", width: "narrow", popup },
    html`<div class="mark" aria-hidden="true"></div>
<h1>${account === undefined ? `${provider.name} is connected` : html`Connected as <span class="account">${account}</span>`}</h1>
<p class="lead">${account !== undefined && `${provider.name} is connected. `}${afterAnswerWords(afterAnswer, keptAccount)}</p>
${returnLink(returnTo)}
<p class="after">You can disconnect it at any time under <a href="${toHref(accountPage)}">your account</a>.</p>`,
  )
}

const keptAccount = "The account stays connected: repeat the request, and it will be used."

/** The page after the asker has confirmed that the task on an external page is done. */
export function confirmedPage({ requester, returnTo, popup, afterAnswer }: ConfirmedView): Html {
  return page(
    { title: "Done", state: "clear", width: "narrow", popup },
    html`<div class="mark" aria-hidden="true"></div>
<h1>It is done</h1>
<p class="lead">${requester.name} has confirmed it. ${afterAnswerWords(afterAnswer)}</p>
${returnLink(returnTo)}`,
  )
}

export function endedPage({ title, words, returnTo, popup }: EndedView): Html {
  return page(
    { title, state: "stop", width: "narrow", popup },
    html`<h1>${title}</h1>
<p class="lead">${words}</p>
${returnLink(returnTo)}`,
  )
}

/** The page for every unusable link. It is the same for all reasons, so that it reveals none. */
export function unusableLinkPage(): Html {
  return page(
    { title: "This link cannot be used", state: "stop", width: "narrow" },
    html`<h1>This link cannot be used</h1>
<p class="lead">It may have expired, been used already, or be meant for somebody else.</p>
<p>If you were asked to open it, ask for a new one. Questions that are waiting for you are in <a href="${paths.inbox}">your inbox</a>.</p>`,
  )
}

/** Local mode: a browser that is known by links to single questions has opened the inbox or the account. */
export function singleQuestionsPage(): Html {
  return page(
    { title: "Open a question by its link", state: "stop", width: "narrow" },
    html`<h1>Open a question by its link</h1>
<p class="lead">This browser may open only questions whose link it was given, and no other page.</p>
<p>The program that asks shows the link of each question, in its terminal or in the client that called it. If the terminal printed an address for the inbox, the inbox opens in the first browser that uses that address.</p>`,
  )
}

export function errorPage({ title, words, back }: ErrorView): Html {
  return page(
    { title, state: "stop", width: "narrow" },
    html`<h1>${title}</h1>
<p class="lead">${words}</p>
<p>${back === undefined ? html`<a href="${paths.inbox}">Go to your inbox</a>` : html`<a href="${toHref(back)}">Show the page again</a>`}</p>`,
  )
}

export function signedOutPage({ signOutAddress }: SignedOutView = {}): Html {
  return page(
    { title: "Signed out", state: "calm", width: "narrow" },
    html`<h1>You are signed out</h1>
<p class="lead">This browser can no longer answer for you.</p>
<p class="buttons"><a class="button" href="${paths.signIn}">Sign in again</a></p>
${
  signOutAddress !== undefined &&
  html`<p class="after">You may still be signed in at <a href="${toHref(signOutAddress)}">your identity provider</a>; sign out there too if others use this browser.</p>`
}`,
  )
}

function returnLink(returnTo: ReturnTo | undefined): Html {
  return returnTo === undefined
    ? html`<p data-close>You can close this window.</p>`
    : html`<p class="buttons"><a class="button primary" href="${toHref(returnTo.href)}">Back to ${returnTo.name}</a></p>`
}
