// The card body of a form: its fields, with the problems that the server found beside them, and two buttons.

import type { FieldsView } from "@holdpoint/hub/forms"
import { fieldNodes, problemSummaryNodes, readContent, toElements } from "@holdpoint/hub/forms"
import type { CardAnswer, CardBody, CardBodyParts } from "./card-body.ts"
import { button, h, newId } from "./dom.ts"

type Form = FieldsView["form"]
type Content = NonNullable<CardAnswer["content"]>
export type FieldProblem = NonNullable<FieldsView["problems"]>[number]

export function createFormBody(parts: CardBodyParts): CardBody {
  const { event, translate, sendAnswer } = parts
  const send = async (): Promise<void> => {
    if (!fields.isFilledIn()) return
    if (!(await sendAnswer({ action: "accept", content: fields.read() }, ""))) fields.show(parts.problems())
  }
  const fields = createFields(event.requestedSchema ?? { type: "object", properties: {} }, {
    form: parts.form,
    // As a press on the button, which counts only when the card has stood still.
    onEnter: () => answer.click(),
  })
  const answer = button(translate("answer"), () => void send(), { primary: true })
  return {
    fields: [fields.element],
    buttons: [answer, button(translate("decline"), () => void sendAnswer({ action: "decline" }, translate("decline")))],
    close: () => {},
  }
}

export interface Fields {
  readonly element: HTMLElement
  /** The content of the fields, which the server has yet to validate. */
  read(): Content
  /** Whether every field is valid for the browser. Moves the focus to the first invalid field. */
  isFilledIn(): boolean
  /** Shows the problems that the server found, and moves the focus to them. */
  show(problems: readonly FieldProblem[]): void
}

interface FieldsParts extends Pick<CardBodyParts, "form"> {
  /** Called when the person presses Enter in a field of one line. */
  readonly onEnter: () => void
}

export function createFields(form: Form, { form: texts, onEnter }: FieldsParts): Fields {
  const prefix = newId("field")
  const onsubmit = (event: Event): void => {
    event.preventDefault()
    onEnter()
  }
  const element = h("form", { class: "fields", novalidate: true, onsubmit, onclick: followLink })
  const read = (): Content => readContent(form, new FormData(element)) as Content
  const render = (view: Pick<FieldsView, "problems" | "values">): void => {
    const options = { prefix, form, texts, ...view }
    // The hidden button makes browsers submit the form on Enter.
    const submit = h("button", { type: "submit", hidden: true })
    const nodes = [...problemSummaryNodes(options), ...fieldNodes(options)]
    element.replaceChildren(...toElements(nodes, document), submit)
  }
  render({})
  return {
    element,
    read,
    isFilledIn: () => element.reportValidity(),
    show(problems) {
      if (problems.length === 0) return
      render({ problems, values: read() })
      element.querySelector<HTMLElement>("[role=alert]")?.focus()
    },
  }
}

/** Moves the focus to the field that a link names, because fragment links do not work inside a shadow root. */
function followLink(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null
  if (link === null) return
  event.preventDefault()
  const root = link.getRootNode() as ShadowRoot
  root.getElementById(link.hash.slice(1))?.focus()
}
