// The card body of a yes-or-no question: two buttons, each named after its act. Enter in a field presses neither.

import { actsOf } from "@holdpoint/hub/forms"
import type { CardBody, CardBodyParts } from "./card-body.ts"
import { button, h, newId } from "./dom.ts"
import { createFields } from "./form-body.ts"

/** Undefined for a form that is not a yes-or-no question. */
export function createConfirmBody(parts: CardBodyParts): CardBody | undefined {
  const { event, translate, sendAnswer, form } = parts
  const acts = event.requestedSchema === undefined ? undefined : actsOf(event.requestedSchema, form, event.message)
  if (acts === undefined) return undefined
  const hasFields = Object.keys(acts.rest.properties).length > 0
  const fields = hasFields ? createFields(acts.rest, { form, onEnter: () => {} }) : undefined
  const reason = event.context.trigger === "approval" ? createReason(translate("whyNot")) : undefined
  const accept = async (): Promise<void> => {
    if (fields?.isFilledIn() === false) return
    const content = { ...fields?.read(), ...acts.answers.yes }
    if (!(await sendAnswer({ action: "accept", content }, acts.yes))) fields?.show(parts.problems())
  }
  const refuse = (): void => {
    const reasonText = reason?.text() ?? ""
    void sendAnswer({ action: "decline", ...(reasonText === "" ? {} : { reason: reasonText }) }, acts.no)
  }
  const about = acts.about === undefined ? [] : [h("p", { class: "about" }, acts.about)]
  return {
    fields: [
      ...about,
      ...(fields === undefined ? [] : [fields.element]),
      ...(reason === undefined ? [] : [reason.element]),
    ],
    buttons: [button(acts.yes, () => void accept(), { primary: true }), button(acts.no, refuse)],
    close: () => {},
  }
}

function createReason(label: string): { readonly element: HTMLElement; readonly text: () => string } {
  const id = newId("reason")
  const input = h("input", { id, type: "text", maxlength: 1000, autocomplete: "off", part: "input" })
  const element = h("div", { class: "field reason" }, h("label", { for: id }, label), input)
  return { element, text: () => input.value.trim() }
}
