// A yes-or-no question: two buttons that name the acts. Enter presses neither, wherever the focus is.

import { actsOf } from "@holdpoint/sdk/forms"
import { button, h, newId } from "./dom.ts"
import { createFields } from "./form-body.ts"
import type { CardBody, CardBodyParts } from "./question-card.ts"

/** Undefined for other forms. */
export function createConfirmBody(parts: CardBodyParts): CardBody | undefined {
  const { event, say, give, form } = parts
  const acts = event.requestedSchema === undefined ? undefined : actsOf(event.requestedSchema, form, event.message)
  if (acts === undefined) return undefined
  const hasRest = Object.keys(acts.rest.properties).length > 0
  const rest = hasRest ? createFields(acts.rest, { form, onEnter: () => {} }) : undefined
  const reason = event.context.trigger === "approval" ? createReason(say("whyNot")) : undefined
  const accept = async (): Promise<void> => {
    if (rest?.isFilledIn() === false) return
    const content = { ...rest?.read(), ...acts.answers.yes }
    if (!(await give({ action: "accept", content }, acts.yes))) rest?.show(parts.problems())
  }
  const refuse = (): void => {
    const said = reason?.words() ?? ""
    void give({ action: "decline", ...(said === "" ? {} : { reason: said }) }, acts.no)
  }
  const about = acts.about === undefined ? [] : [h("p", { class: "about" }, acts.about)]
  return {
    fields: [
      ...about,
      ...(rest === undefined ? [] : [rest.element]),
      ...(reason === undefined ? [] : [reason.element]),
    ],
    buttons: [button(acts.yes, () => void accept(), { primary: true }), button(acts.no, refuse)],
    close: () => {},
  }
}

function createReason(label: string): { readonly element: HTMLElement; readonly words: () => string } {
  const id = newId("reason")
  const input = h("input", { id, type: "text", maxlength: 1000, autocomplete: "off", part: "input" })
  const element = h("div", { class: "field reason" }, h("label", { for: id }, label), input)
  return { element, words: () => input.value.trim() }
}
