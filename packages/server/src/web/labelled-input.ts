// An input of the account page with its label and its problem, linked for screen readers.

import { type Html, html } from "./html.ts"

export interface LabelledInput {
  readonly id: string
  readonly label: string
  readonly problem: string | undefined
}

/** An input with its label and its problem; `input` gets the attributes that link them. */
export function toLabelledInput({ id, label, problem }: LabelledInput, input: (attributes: Html) => Html): Html {
  const attributes = html` id="${id}"${problem !== undefined && html` aria-invalid="true" aria-describedby="${id}-problem" autofocus`}`
  return html`<div class="field"><label for="${id}">${label}</label>${input(attributes)}${problem !== undefined && html`<p class="problem" id="${id}-problem" role="alert">${problem}</p>`}</div>`
}
