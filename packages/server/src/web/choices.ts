// The settings on the account page: one form for each group of choices.

import { csrfField } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import type { ChoiceGroupView } from "./views.ts"

export function choiceSection(group: ChoiceGroupView, csrf: string): Html {
  const { id, title, words, action, items, options } = group
  return html`<section aria-labelledby="choices-${id}"><h2 id="choices-${id}">${title}</h2>
<p>${words}</p>
<details class="choices"><summary>Choose<span class="sr"> ${title}</span></summary>
<form method="post" action="${toHref(action)}" data-once>${csrfField(csrf)}<input type="hidden" name="group" value="${id}">
<ul class="rows">${items.map((item, index) => itemRow(item, index, id, options))}</ul>
<div class="buttons"><button class="primary" type="submit">Save</button></div></form></details>
</section>`
}

function itemRow(
  { name, title, usual, chosen }: ChoiceGroupView["items"][number],
  index: number,
  group: string,
  options: ChoiceGroupView["options"],
): Html {
  const id = `choice-${group}-${index}`
  const defaultTitle = options.find(({ value }) => value === usual)?.title ?? usual
  return html`<li class="row"><div class="row-main"><label for="${id}">${title}</label></div>
<div class="row-actions"><select id="${id}" name="${name}"><option value="">Default${defaultTitle !== "" && `: ${defaultTitle}`}</option>${options.map(
    ({ value, title: words }) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )}</select></div></li>`
}
