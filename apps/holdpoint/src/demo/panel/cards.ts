// The prompts of the panel. The person can cancel or retry each prompt at any time, because a server is not required to
// report that a page is done.

import {
  type Acts,
  actsOf,
  type FieldsView,
  guardActs,
  keepHeight,
  whenAwayFrom,
  whenOffActs,
} from "@holdpoint/hub/forms"
import type { ElicitRequestFormParams } from "@modelcontextprotocol/client"
import { button, type Child, h, newId, withOwnLinks } from "./dom.ts"
import { createFields, type Schema } from "./fields.ts"
import { mayOpen, openPopup, type Popup } from "./popup.ts"

export interface Card {
  readonly element: HTMLElement
  /** Closes the prompt and its popup. */
  close(): void
}

/** A prompt to open a page. */
export interface Visit {
  readonly title: string
  readonly message: string
  readonly url: string
  readonly openWords?: string
  /** The text after the page was opened: what happens next. */
  readonly opened: string
  onOpen?(): void
  onDecline?(): void
  onCancel(): void
  /** Absent when the prompt has no “try again” button. */
  onRetry?(): void
}

export function visitCard(visit: Visit): Card {
  const { title, message, url, openWords = "Open the page", opened } = visit
  const status = h("p", { role: "status", class: "meta" })
  let popup: Popup | undefined
  const retryButton =
    visit.onRetry === undefined ? undefined : button("I have done this: try again", () => visit.onRetry?.())
  const decline = visit.onDecline === undefined ? undefined : button("Decline", () => visit.onDecline?.())
  const open = (): void => {
    popup?.close()
    popup = openPopup(url)
    if (!mayOpen(url)) {
      status.replaceChildren(...blockedNotice(url))
      return
    }
    status.replaceChildren(...(popup.isOpen ? [opened] : blockedNotice(url)))
    opener.textContent = "Open it again"
    opener.className = ""
    if (retryButton !== undefined) retryButton.hidden = false
    if (decline !== undefined) decline.hidden = true
    visit.onOpen?.()
  }
  const opener = button(openWords, open, "primary")
  const cancel = button("Cancel", () => visit.onCancel())
  // Hidden until the person opens the page: before that, “Try again” at the top of the call is enough.
  if (retryButton !== undefined) Object.assign(retryButton, { className: "primary", hidden: true })
  return {
    element: card(title, [
      h("p", { class: "message" }, message),
      h("p", { class: "address" }, "It opens a page of ", h("b", {}, new URL(url).host), ": ", h("code", {}, url)),
      status,
      h("div", { class: "buttons" }, opener, retryButton, decline, cancel),
    ]),
    close: () => popup?.close(),
  }
}

const blockedNotice = (url: string): readonly (Node | string)[] =>
  mayOpen(url)
    ? [
        "The browser did not open a window. ",
        h("a", { href: url, target: "_blank", rel: "noopener" }, "Open the page in a tab"),
        ".",
      ]
    : ["This address cannot be opened: it is neither https nor on this machine."]

export interface FormHandlers {
  onAccept(content: Readonly<Record<string, unknown>>): void
  onDecline(): void
  onCancel(): void
}

export function formCard(params: ElicitRequestFormParams, handlers: FormHandlers): Card {
  const { message, requestedSchema } = params
  const acts = actsOf(requestedSchema as FieldsView["form"], {}, message)
  const element = acts === undefined ? fieldsForm(params, handlers) : actsForm(params, acts, handlers)
  return { element: card("The server asks you", [element]), close: () => {} }
}

/** A form with two buttons, which name what a yes and a no do. Enter in a field presses neither button. */
function actsForm({ message }: ElicitRequestFormParams, acts: Acts, handlers: FormHandlers): HTMLElement {
  const { yes, no, about, answers, rest } = acts
  const fields = createFields(rest as unknown as Schema)
  const agree = (): void => {
    const content = fields.read()
    if (content !== undefined) handlers.onAccept({ ...answers.yes, ...content })
  }
  const refuse = (): void => (answers.no === undefined ? handlers.onDecline() : handlers.onAccept(answers.no))
  return h(
    "form",
    { novalidate: true, onsubmit: (event) => event.preventDefault() },
    h("p", { class: "message" }, ...withOwnLinks(message)),
    about === undefined ? undefined : h("p", {}, about),
    fields.element,
    h("div", { class: "buttons" }, button(yes, agree, "primary"), button(no, refuse)),
  )
}

function fieldsForm({ message, requestedSchema }: ElicitRequestFormParams, handlers: FormHandlers): HTMLElement {
  const fields = createFields(requestedSchema as Schema)
  const accept = h("button", { type: "submit", class: "primary" }, "Accept")
  const send = (event: Event): void => {
    event.preventDefault()
    const content = fields.read()
    if (content !== undefined) handlers.onAccept(content)
  }
  const decline = button("Decline", () => handlers.onDecline())
  const cancel = button("Cancel", () => handlers.onCancel())
  return h(
    "form",
    { novalidate: true, onsubmit: send },
    h("p", { class: "message" }, ...withOwnLinks(message)),
    fields.element,
    h("div", { class: "buttons" }, accept, decline, cancel),
  )
}

function card(title: string, children: readonly Child[]): HTMLElement {
  const id = newId("card")
  const attributes = { class: "prompt", role: "group", "aria-labelledby": id }
  const element = h("div", attributes, h("h4", { id }, title), ...children)
  guards.set(element, guardActs(element, { elements: [...element.querySelectorAll(".buttons button")] }))
  return element
}

/** The functions that end the guards of prompts. */
const guards = new WeakMap<HTMLElement, () => void>()

/** Removes a prompt that the person has answered, when that moves no other prompt under the pointer. */
export function remove({ element }: Card): void {
  guards.get(element)?.()
  whenOffActs(() => element.remove())
}

/** Says that a prompt has ended without the person. Its place stays until the mouse is elsewhere. */
export function withdraw({ element }: Card): void {
  guards.get(element)?.()
  keepHeight(element)
  element.replaceChildren(h("p", { class: "meta" }, "This question was withdrawn."))
  whenAwayFrom(element.parentElement ?? element, () => element.remove())
}
