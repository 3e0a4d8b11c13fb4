// The section of the account page about programs that ask over HTTP: their keys, the people that each may ask, and a
// form for a new program. A new key is shown once.

import { csrfField, monogram } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { toLabelledInput } from "./labelled-input.ts"
import { timeOf } from "./time.ts"
import type { AccountView, AskingProgramsView, AskingProgramView } from "./views.ts"

export function askingProgramSection(asking: AskingProgramsView, view: AccountView): Html {
  const { programs, newKey, action, values, problems, isAdmin } = asking
  const problemOf = (name: string): string | undefined => problems?.find(({ field }) => field === name)?.message
  const audience = values?.to ?? "me"
  return html`<section aria-labelledby="asking-programs"><h2 id="asking-programs">Programs that ask</h2>
${newKey !== undefined && newKeyNotice(newKey)}
${programs.length === 0 && html`<p class="quiet">No program has a key. With one, a script or a service asks you over HTTP and waits for your answer.</p>`}
<ul class="rows">${programs.map((one) => programRow(one, view))}</ul>
<details${problems !== undefined && html` open`}><summary>Make a key for a program</summary>
<form method="post" action="${toHref(action)}" data-once>${csrfField(view.csrf)}
${toLabelledInput({ id: "key-name", label: "Name that people see in its questions", problem: problemOf("name") }, (attributes) => html`<input type="text" name="name" required maxlength="100"${attributes} value="${values?.name ?? ""}">`)}
${
  isAdmin &&
  html`${toLabelledInput({ id: "key-to", label: "Whom it may ask", problem: problemOf("to") }, (attributes) => html`<select name="to"${attributes}>${choices.map(([value, words]) => html`<option value="${value}"${value === audience && html` selected`}>${words}</option>`)}</select>`)}
${toLabelledInput({ id: "key-role", label: "The role, if it may ask one", problem: problemOf("role") }, (attributes) => html`<input type="text" name="role" autocapitalize="none" spellcheck="false" maxlength="100"${attributes} value="${values?.role ?? ""}">`)}`
}
${!isAdmin && html`<p class="meta">It may ask you, and no one else. An administrator can make keys for more.</p>`}
<div class="buttons"><button class="primary" type="submit">Make the key</button></div></form></details>
</section>`
}

const choices = [
  ["me", "Only me"],
  ["role", "People with a role"],
  ["anyone", "Anyone here"],
] as const

const newKeyNotice = ({ name, key }: NonNullable<AskingProgramsView["newKey"]>): Html =>
  html`<div class="notice" role="status"><p>This is the key of <strong>${name}</strong>. Copy it now: it is shown only once.</p>
<p class="new-key"><code>${key}</code></p>
<p class="meta">The program sends it with each request, as <code>Authorization: Bearer</code> and the key.</p></div>`

function programRow(program: AskingProgramView, { csrf, now }: AccountView): Html {
  const { name, shownKey, audience, madeBy, since, lastUsedAt, remove } = program
  return html`<li class="row">
<div class="row-main">${monogram(name)}<div>
<h3>${name}</h3>
<p>may ask ${audience}</p>
<p class="meta">Key <code>${shownKey}</code>, made ${timeOf(since, now)}${madeBy !== undefined && ` by ${madeBy}`}. ${
    lastUsedAt === undefined ? "Never used." : html`Last used ${timeOf(lastUsedAt, now)}.`
  }</p>
</div></div>
<div class="row-actions"><details class="confirm"><summary>Withdraw<span class="sr"> the key of ${name}</span></summary><form method="post" action="${toHref(remove)}" data-once>${csrfField(csrf)}<p>The program immediately loses its key: it can no longer ask or read answers. Open questions stay open.</p><button class="danger" type="submit">Yes, withdraw it</button></form></details></div>
</li>`
}
