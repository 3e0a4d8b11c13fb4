// A form: the fields of the one renderer, with the server's problems beside them, and two buttons.

import type { FieldsView } from "@holdpoint/sdk/forms"
import { fieldNodes, problemSummaryNodes, readContent, toElements } from "@holdpoint/sdk/forms"
import { button, h, newId } from "./dom.ts"
import type { CardAnswer, CardBody, CardBodyParts } from "./question-card.ts"

type Form = FieldsView["form"]
type Content = NonNullable<CardAnswer["content"]>
export type FieldProblem = NonNullable<FieldsView["problems"]>[number]

export function createFormBody(parts: CardBodyParts): CardBody {
  const { event, say, give } = parts
  const send = async (): Promise<void> => {
    if (!fields.isFilledIn()) return
    if (!(await give({ action: "accept", content: fields.read() }, ""))) fields.show(parts.problems())
  }
  const fields = createFields(event.requestedSchema ?? { type: "object", properties: {} }, {
    form: parts.form,
    onEnter: () => void send(),
  })
  return {
    fields: [fields.element],
    buttons: [
      button(say("answer"), () => void send(), { primary: true }),
      button(say("decline"), () => void give({ action: "decline" }, say("decline"))),
    ],
    close: () => {},
  }
}

export interface Fields {
  readonly element: HTMLElement
  /** What is filled in. The server checks it. */
  read(): Content
  /** Whether the browser finds nothing missing or wrong. Moves the focus to what is. */
  isFilledIn(): boolean
  /** Shows what the server found wrong, and moves the focus there. */
  show(problems: readonly FieldProblem[]): void
}

interface FieldsParts extends Pick<CardBodyParts, "form"> {
  /** Called for Enter in a line of text. */
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
    const all = { prefix, form, texts, ...view }
    // Browsers submit by Enter only where there is a button for it.
    const submit = h("button", { type: "submit", hidden: true })
    const nodes = [...problemSummaryNodes(all), ...fieldNodes(all)]
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

/** Addresses of fields lead nowhere inside of a shadow root. */
function followLink(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null
  if (link === null) return
  event.preventDefault()
  const root = link.getRootNode() as ShadowRoot
  root.getElementById(link.hash.slice(1))?.focus()
}
