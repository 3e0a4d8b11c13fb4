// The account page: connected accounts, programs, sessions and history; for administrators also the accounts of
// projects.

import { paths } from "@holdpoint/hub"
import { askingProgramSection } from "./asking-programs.ts"
import { choiceSection } from "./choices.ts"
import { csrfField, monogram, page, signOutForm } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { toLabelledInput } from "./labelled-input.ts"
import { reachSection } from "./reach.ts"
import { timeOf } from "./time.ts"
import type {
  AccountView,
  ConfirmDisconnectView,
  ConnectionView,
  HistoryView,
  ProgramView,
  ProjectsView,
  SessionView,
} from "./views.ts"

export function accountPage(view: AccountView): Html {
  const { connections, history, projects, notice } = view
  return page(
    { title: "Account", state: "calm", width: "wide", viewer: view, currentPath: paths.account },
    html`<h1>Account</h1>
${notice !== undefined && html`<div class="notice" role="status"><p>${notice}</p></div>`}
<section aria-labelledby="connections"><h2 id="connections">Connected accounts</h2>
${connections.length === 0 && html`<p class="quiet">Nothing is connected. A program that needs one of your accounts asks you first.</p>`}
<ul class="rows">${connections.map((one) => connectionRow(one, view))}</ul>
</section>
${view.programs !== undefined && view.programs.length > 0 && programSection(view.programs, view)}
${view.asking !== undefined && askingProgramSection(view.asking, view)}
${view.sections}
${projects !== undefined && projectSection(projects, view)}
${view.reach !== undefined && reachSection(view.reach, view)}
${view.choices?.map((group) => choiceSection(group, view.csrf))}
${!view.isLocal && sessionSection(view)}
<section aria-labelledby="history"><h2 id="history">History</h2>
${history.length === 0 ? html`<p class="quiet">Nothing yet.</p>` : html`<ol class="history">${history.map((one) => historyRow(one, view.now))}</ol>`}
</section>`,
  )
}

/** Asks for confirmation when a person reached “disconnect” by a link instead of the form. */
export function confirmDisconnectPage(view: ConfirmDisconnectView): Html {
  const { connection, csrf } = view
  const { provider, account, disconnect } = connection
  return page(
    { title: `Disconnect ${provider.name}`, state: "hold", width: "wide", viewer: view, currentPath: paths.account },
    html`<article class="card"><h1>Disconnect ${provider.name}?</h1>
<p class="lead">${account !== undefined && html`<strong>${account}</strong>: `}${disconnectWords}</p>
<form method="post" action="${toHref(disconnect)}" data-once>${csrfField(csrf)}
<div class="buttons"><button class="danger" type="submit">Disconnect</button><a class="button" href="${paths.account}">Keep it</a></div></form></article>`,
  )
}

const disconnectWords = "Programs can no longer use this account, and its stored credentials are deleted immediately."

function connectionRow(connection: ConnectionView, { csrf, now }: AccountView, project?: string): Html {
  const { provider, account, hint, scopes, status, reason, lastUsedAt, expiresAt, reconnect, connectedAt } = connection
  return html`<li class="row">
<div class="row-main">${monogram(provider.name)}<div>
<h3>${provider.name} ${status !== "active" && html`<span class="tag ${status}">${statusWords[status]}</span>`}</h3>
<p>${account}${hint !== undefined && html`${account !== undefined && ", "}key ending in <code>${hint}</code>`}${project !== undefined && html`<span class="note">project ${project}</span>`}</p>
${scopes.length > 0 && html`<ul class="grants">${scopes.map(({ words }) => html`<li>${words}</li>`)}</ul>`}
${connection.narrow !== undefined && narrowForm(connection, connection.narrow, csrf)}
${reason !== undefined && html`<p class="reason">${reason}</p>`}
<p class="meta">${connectedAt !== undefined && html`Connected ${timeOf(connectedAt, now)}. `}${
    lastUsedAt === undefined ? "Never used." : html`Last used ${timeOf(lastUsedAt, now)}.`
  }${expiresAt !== undefined && html` Access ${expiresAt > now ? "ends" : "ended"} ${timeOf(expiresAt, now)}.`}</p>
</div></div>
<div class="row-actions">
${reconnect !== undefined && html`<form method="post" action="${toHref(reconnect)}" data-once>${csrfField(csrf)}<button class="primary" type="submit">Connect again</button></form>`}
${
  status !== "revoked" &&
  html`<details class="confirm"><summary>Disconnect<span class="sr"> ${provider.name} ${account}</span></summary><form method="post" action="${toHref(connection.disconnect)}" data-once>${csrfField(csrf)}<p>${disconnectWords}</p><button class="danger" type="submit">Yes, disconnect</button></form></details>`
}
</div>
</li>`
}

/** A form that removes single scopes, for providers whose scopes this server enforces itself. */
function narrowForm(
  { provider, account }: ConnectionView,
  { action, scopes }: NonNullable<ConnectionView["narrow"]>,
  csrf: string,
): Html {
  return html`<details class="narrow"><summary>Allow less<span class="sr"> at ${provider.name} ${account}</span></summary>
<form method="post" action="${toHref(action)}" data-once>${csrfField(csrf)}
<ul class="scopes">${scopes.map(({ scope, words }) => html`<li><span>${words}</span> <button type="submit" name="scope" value="${scope}">Remove<span class="sr"> ${words}</span></button></li>`)}</ul>
<p class="meta">Nothing changes at ${provider.name}. Programs ask you again when they need it.</p></form></details>`
}

const statusWords = {
  pending: "not confirmed yet",
  active: "",
  needs_reauth: "needs your consent again",
  revoked: "disconnected",
} as const

function programSection(programs: readonly ProgramView[], view: AccountView): Html {
  return html`<section aria-labelledby="programs"><h2 id="programs">Programs that act in your name</h2>
<ul class="rows">${programs.map((one) => programRow(one, view))}</ul>
</section>`
}

function programRow({ name, host, resource, scopes, since, withdraw }: ProgramView, { csrf, now }: AccountView): Html {
  return html`<li class="row">
<div class="row-main">${monogram(name)}<div>
<h3>${name}</h3>
<p>${host !== undefined && `${host}, `}uses ${resource}</p>
<ul class="grants">${scopes.map(({ words }) => html`<li>${words}</li>`)}</ul>
<p class="meta">Allowed ${timeOf(since, now)}.</p>
</div></div>
<div class="row-actions"><details class="confirm"><summary>Stop<span class="sr"> ${name}</span></summary><form method="post" action="${toHref(withdraw)}" data-once>${csrfField(csrf)}<p>It can no longer act in your name, within ten minutes at the latest. It may ask you again.</p><button class="danger" type="submit">Yes, stop it</button></form></details></div>
</li>`
}

function sessionSection(view: AccountView): Html {
  return html`<section aria-labelledby="sessions"><h2 id="sessions">Where you are signed in</h2>
<ul class="rows">${view.sessions.map((one) => sessionRow(one, view))}</ul>
<form method="post" action="${toHref(view.signOutEverywhere)}" data-once>${csrfField(view.csrf)}<button type="submit">Sign out everywhere</button></form>
</section>`
}

function sessionRow({ agent, createdAt, seenAt, current, end }: SessionView, { csrf, now }: AccountView): Html {
  return html`<li class="row">
<div class="row-main"><h3>${agent ?? "A browser"} ${current && html`<span class="tag">this one</span>`}</h3>
<p class="meta">Signed in ${timeOf(createdAt, now)}, last seen ${timeOf(seenAt, now)}.</p></div>
<div class="row-actions">${
    current
      ? signOutForm(csrf, "Sign out")
      : html`<form method="post" action="${toHref(end)}" data-once>${csrfField(csrf)}<button type="submit">End<span class="sr"> the session in ${agent ?? "a browser"}</span></button></form>`
  }</div>
</li>`
}

function historyRow({ at, words, detail, href, timeline }: HistoryView, now: number): Html {
  const timelineLink =
    timeline !== undefined &&
    html` <a href="${toHref(timeline)}" aria-label="What happened: ${words}">What happened</a>`
  const note =
    (detail !== undefined || timelineLink !== false) && html`<span class="note">${detail}${timelineLink}</span>`
  return html`<li><span>${href === undefined ? words : html`<a href="${toHref(href)}">${words}</a>`}${note}</span> ${timeOf(at, now)}</li>`
}

function projectSection(projects: ProjectsView, view: AccountView): Html {
  const { connections, providers, action, values, problems } = projects
  const problemOf = (name: string): string | undefined => problems?.find(({ field }) => field === name)?.message
  return html`<section aria-labelledby="projects"><h2 id="projects">Accounts of projects</h2>
${connections.length === 0 && html`<p class="quiet">No project has an account yet.</p>`}
<ul class="rows">${connections.map((one) => connectionRow(one, view, one.project))}</ul>
<details${problems !== undefined && html` open`}><summary>Connect an account for a project</summary>
<form method="post" action="${toHref(action)}" data-once>${csrfField(view.csrf)}
${toLabelledInput({ id: "project-project", label: "Project", problem: problemOf("project") }, (attributes) => html`<input type="text" name="project" required maxlength="200"${attributes} value="${values?.project ?? ""}">`)}
${toLabelledInput({ id: "project-provider", label: "Provider", problem: problemOf("provider") }, (attributes) => html`<select name="provider" required${attributes}>${providers.map(({ id, name }) => html`<option value="${id}"${id === values?.provider && html` selected`}>${name}</option>`)}</select>`)}
${toLabelledInput({ id: "project-scopes", label: "Scopes, separated by spaces", problem: problemOf("scopes") }, (attributes) => html`<input type="text" name="scopes" autocapitalize="none" spellcheck="false"${attributes} value="${values?.scopes ?? ""}">`)}
<div class="buttons"><button class="primary" type="submit">Continue</button></div></form></details>
</section>`
}
