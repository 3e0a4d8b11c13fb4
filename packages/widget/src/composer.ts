// Where the person writes. A draft can be written at any time; it is sent when no reply is under way.

import { button, h, newId } from "./dom.ts"
import type { Say } from "./texts.ts"

export interface ComposerParts {
  readonly say: Say
  /** Called inside the click or key press. */
  readonly onSend: (text: string) => void
  readonly onStop: () => void
  /** Whether a question is open, which ends when the reply is stopped. */
  readonly isAsking: () => boolean
}

export interface Composer {
  readonly element: HTMLElement
  /** Says why nothing can be sent now; undefined when it can. */
  setBusy(reason: string | undefined): void
  setLost(isLost: boolean): void
  setText(text: string): void
  text(): string
}

const mostPixels = 200

export function createComposer({ say, onSend, onStop, isAsking }: ComposerParts): Composer {
  const id = newId("message")
  const hint = h("p", { class: "hint", id: `${id}-hint`, part: "hint" })
  const lost = h("p", { class: "hint lost", part: "connection", role: "status" })
  const area = h("textarea", {
    ...{ id, rows: 1, part: "input", placeholder: say("placeholder"), "aria-label": say("message") },
    ...{ "aria-describedby": hint.id, enterkeyhint: "send" },
  })
  let reason: string | undefined
  const setText = (text: string): void => {
    area.value = text
    fit(area)
  }
  const send = (): void => {
    const text = area.value.trim()
    if (text === "" || reason !== undefined) return
    setText("")
    onSend(text)
  }
  area.addEventListener("input", () => fit(area))
  area.addEventListener("keydown", (event) => {
    // Enter that ends the input of a composed character sends nothing.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
    event.preventDefault()
    send()
  })
  const sender = button(say("send"), send, { primary: true, part: "send" })
  const stopper = button(say("stop"), () => (isAsking() ? askToStop() : onStop()), { part: "stop" })
  const line = h("div", { class: "line" }, area, sender, stopper)
  const sure = createStopQuestion(say, onStop)
  const askToStop = (): void => {
    sure.element.hidden = false
    sure.focus()
  }
  stopper.hidden = true
  return {
    element: h(
      "div",
      { class: "composer", part: "composer" },
      sure.element,
      line,
      h("div", { class: "under" }, lost, hint),
    ),
    setBusy(words) {
      reason = words
      hint.textContent = words ?? ""
      sender.hidden = words !== undefined
      stopper.hidden = words === undefined
      if (words === undefined) sure.element.hidden = true
    },
    setLost(isLost) {
      lost.textContent = isLost ? say("connectionLost") : ""
      hint.hidden = isLost
    },
    setText,
    text: () => area.value,
  }
}

/** Says what becomes of the open question before the reply is stopped. */
function createStopQuestion(say: Say, onStop: () => void) {
  const id = newId("stop")
  const hide = (): void => {
    element.hidden = true
  }
  const yes = button(say("stopYes"), () => {
    hide()
    onStop()
  })
  const words = h("p", { id, tabindex: -1 }, say("stopAsks"))
  const element = h(
    "div",
    { class: "sure", part: "stop-question", role: "group", "aria-labelledby": id, hidden: true },
    ...[words, h("div", { class: "buttons" }, yes, button(say("stopNo"), hide))],
  )
  return { element, focus: () => words.focus() }
}

/** As high as its text, up to a limit. */
function fit(area: HTMLTextAreaElement): void {
  area.style.blockSize = "auto"
  area.style.blockSize = `${Math.min(area.scrollHeight + 2, mostPixels)}px`
}
