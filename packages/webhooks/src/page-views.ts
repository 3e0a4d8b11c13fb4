// The page of a program's webhook (its address, its events, the deliveries, and buttons to test, pause and repeat), and the
// section of the account page that leads there. A new secret is shown once.

import { paths } from "@holdpoint/hub"
import {
  csrfField,
  type Html,
  html,
  monogram,
  page,
  type SignedIn,
  timeOf,
  toHref,
  toLabelledInput,
} from "@holdpoint/server/parts"

export interface WebhookView extends SignedIn {
  readonly now: number
  /** The program's name. */
  readonly program: string
  /**
   * The address to which the form posts `csrf` and `do` (set, test, again, rotate, pause, resume, remove); with set
   * also the fields.
   */
  readonly action: string
  readonly endpoint?: WebhookEndpointView
  /** All types of events. */
  readonly events: readonly string[]
  readonly deliveries: readonly WebhookDeliveryView[]
  /** A secret that was just created. */
  readonly secret?: string
  readonly notice?: string
  /** The entered values, if they were invalid. */
  readonly values?: Pick<WebhookEndpointView, "url" | "events" | "hears">
  readonly problems?: readonly { readonly path: string; readonly message: string }[]
}

export interface WebhookEndpointView {
  readonly url: string
  readonly events: readonly string[]
  readonly hears: "own" | "audience"
  readonly state: "active" | "paused" | "disabled"
  readonly reason?: "gone" | "failing" | undefined
  readonly failingSince?: number | undefined
  /** The time until which the former secret is also valid. */
  readonly formerUntil?: number
}

export interface WebhookDeliveryView {
  readonly id: string
  readonly type: string
  readonly at: number
  readonly state: "owed" | "accepted" | "failed"
  readonly attempts: number
  /** The time of the next attempt. */
  readonly dueAt: number
  /** The status of the last response, or the problem if there was no response. */
  readonly last?: { readonly status?: number; readonly problem?: string } | undefined
}

export function webhookPage(view: WebhookView): Html {
  const { program, endpoint, notice, secret } = view
  return page(
    {
      title: `Webhook of ${program}`,
      state: toneOf(endpoint),
      width: "wide",
      viewer: view,
      currentPath: paths.account,
    },
    html`<p class="back"><a href="${paths.account}">Account</a></p>
<h1>Webhook of ${program}</h1>
${notice !== undefined && html`<div class="notice" role="status"><p>${notice}</p></div>`}
${secret !== undefined && newSecret(secret)}
${endpoint === undefined ? html`<p class="lead">The program is told over HTTP what happens to its questions, as soon as it happens.</p>` : endpointSection(endpoint, view)}
${settings(view)}
${endpoint !== undefined && deliverySection(view, endpoint)}
${endpoint !== undefined && removalSection(view)}`,
  )
}

const toneOf = (endpoint: WebhookEndpointView | undefined) => (endpoint?.state === "disabled" ? "stop" : "calm")

const newSecret = (secret: string): Html =>
  html`<div class="notice" role="status"><p>This is the secret of this webhook. Copy it now: it is shown only once.</p>
<p class="new-key"><code>${secret}</code></p>
<p class="meta">With it, and any Standard Webhooks library, the receiver can check that an event comes from here.</p></div>`

function endpointSection(
  { url, state, reason, failingSince, formerUntil }: WebhookEndpointView,
  view: WebhookView,
): Html {
  const { now } = view
  return html`<dl class="facts">
<div><dt>Address</dt><dd><code>${url}</code></dd></div>
<div><dt>State</dt><dd>${stateWords({ state, ...(reason === undefined ? {} : { reason }) })}${
    failingSince !== undefined &&
    html` <span class="note">Nothing has been accepted since the first failure, ${timeOf(failingSince, now)}.</span>`
  }</dd></div>
${formerUntil !== undefined && formerUntil > now && html`<div><dt>Secrets</dt><dd>Two <span class="note">The previous one ends ${timeOf(formerUntil, now)}.</span></dd></div>`}
</dl>
<div class="buttons">${state === "active" ? html`${actionForm(view, "test", "Send a test event")}${actionForm(view, "pause", "Pause")}` : actionForm(view, "resume", "Resume")}${actionForm(view, "rotate", "Make a new secret")}</div>`
}

function stateWords({ state, reason }: Pick<WebhookEndpointView, "state" | "reason">): string {
  if (state === "active") return "Active"
  if (state === "paused") return "Paused: events are kept until it is resumed"
  return reason === "gone"
    ? "Disabled: the receiver said that it wants no more events (410)"
    : "Disabled: every attempt failed for five days"
}

const actionForm = ({ action, csrf }: WebhookView, button: string, words: Html | string, inputs?: Html): Html =>
  html`<form class="inline" method="post" action="${toHref(action)}" data-once>${csrfField(csrf)}<input type="hidden" name="do" value="${button}">${inputs}<button type="submit">${words}</button></form>`

function settings(view: WebhookView): Html {
  const { endpoint, action, csrf, problems, events } = view
  const values = view.values ?? endpoint ?? { url: "", events, hears: "own" as const }
  const problemOf = (path: string): string | undefined => problems?.find((one) => one.path === path)?.message
  const wrongEvents = problemOf("events")
  const form = html`<form method="post" action="${toHref(action)}" data-once>${csrfField(csrf)}<input type="hidden" name="do" value="set">
${toLabelledInput({ id: "webhook-url", label: "Address of the receiver", problem: problemOf("url") }, (attributes) => html`<input type="url" name="url" required maxlength="2000" autocapitalize="none" spellcheck="false" placeholder="https://"${attributes} value="${values.url}">`)}
<fieldset class="field"${wrongEvents !== undefined && html` aria-describedby="webhook-events-problem"`}><legend>Events</legend>${events.map((one, index) => html`<div class="tick"><input type="checkbox" id="webhook-event-${index}" name="event" value="${one}"${values.events.includes(one) && html` checked`}><label for="webhook-event-${index}">${eventWords[one] ?? one} <code>${one}</code></label></div>`)}${wrongEvents !== undefined && html`<p class="problem" id="webhook-events-problem" role="alert">${wrongEvents}</p>`}</fieldset>
${toLabelledInput({ id: "webhook-hears", label: "Which questions", problem: problemOf("hears") }, (attributes) => html`<select name="hears"${attributes}>${choices.map(([value, words]) => html`<option value="${value}"${value === values.hears && html` selected`}>${words}</option>`)}</select>`)}
<div class="buttons"><button class="primary" type="submit">${endpoint === undefined ? "Set the webhook" : "Save"}</button></div></form>`
  if (endpoint === undefined) return form
  return html`<details${problems !== undefined && html` open`}><summary>Change address and events</summary>${form}</details>`
}

const choices = [
  ["own", "Those that the program asks"],
  ["audience", "All questions to the people whom it may ask, without the answers"],
] as const

const eventWords: Readonly<Record<string, string>> = {
  "question.asked": "A question was asked",
  "question.opened": "Its page was opened",
  "question.voted": "One of several people said yes",
  "question.accepted": "A link was accepted",
  "question.settled": "It has ended",
}

function deliverySection(view: WebhookView, { state }: WebhookEndpointView): Html {
  const { deliveries } = view
  return html`<section aria-labelledby="deliveries"><h2 id="deliveries">Sent in the last 7 days</h2>
${deliveries.length === 0 && html`<p class="quiet">Nothing yet.</p>`}
<ul class="rows">${deliveries.map((one) => row(one, view, state === "active"))}</ul></section>`
}

function row(delivery: WebhookDeliveryView, view: WebhookView, mayRepeat: boolean): Html {
  const { id, type, at, attempts, last } = delivery
  const result = last?.status === undefined ? problemWords(last?.problem) : `status ${last.status}`
  const repeat = html`<input type="hidden" name="delivery" value="${id}">`
  return html`<li class="row">
<div class="row-main"><div>
<h3>${type}</h3>
<p>${deliveryWords(delivery, view.now)}</p>
<p class="meta">${timeOf(at, view.now)}, ${attempts === 1 ? "1 attempt" : `${attempts} attempts`}${result !== undefined && `, last: ${result}`}. <code>${id}</code></p>
</div></div>
${mayRepeat && html`<div class="row-actions">${actionForm(view, "again", html`Send again<span class="sr"> ${type} ${id}</span>`, repeat)}</div>`}
</li>`
}

function deliveryWords({ state, dueAt }: WebhookDeliveryView, now: number): Html | string {
  if (state === "accepted") return "Accepted"
  if (state === "failed") return "Given up"
  return dueAt > now ? html`Not accepted yet; the next attempt is ${timeOf(dueAt, now)}` : "On its way"
}

const problemWords = (problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : (failureWords[problem] ?? problem)

const failureWords: Readonly<Record<string, string>> = {
  timeout: "no answer in time",
  refused_address: "the address is not allowed",
  ECONNREFUSED: "no connection",
  ENOTFOUND: "no such host",
  question_gone: "the question is no longer kept",
  endpoint_disabled: "the webhook was disabled",
}

const removalSection = ({ action, csrf, program }: WebhookView): Html =>
  html`<details class="confirm"><summary>Remove the webhook</summary><form method="post" action="${toHref(action)}" data-once>${csrfField(csrf)}<input type="hidden" name="do" value="remove"><p>${program} immediately stops getting events. Its key does not change.</p><button class="danger" type="submit">Yes, remove it</button></form></details>`

/** The webhook of one program, in the section of the account page. */
export interface ProgramWebhookView {
  readonly program: string
  readonly href: string
  readonly state: keyof typeof webhookWords
}

const webhookWords = {
  none: "not set",
  active: "active",
  failing: "its receiver is failing",
  paused: "paused",
  disabled: "disabled, because its receiver failed",
}

export const webhookSection = (webhooks: readonly ProgramWebhookView[]): Html =>
  html`<section aria-labelledby="webhooks"><h2 id="webhooks">Webhooks</h2>
<p>A program is told over HTTP what happens to its questions.</p>
<ul class="rows">${webhooks.map(webhookRow)}</ul>
</section>`

const webhookRow = ({ program, href, state }: ProgramWebhookView): Html => html`<li class="row">
<div class="row-main">${monogram(program)}<div>
<h3>${program}</h3>
<p class="meta"><a href="${toHref(href)}">Webhook<span class="sr"> of ${program}</span></a>: ${webhookWords[state]}</p>
</div></div>
</li>`
