// The field for messages, with its buttons. A draft can be written while a reply is under way, but not sent.

import { button, h, newId } from "./dom.ts"
import type { Translate } from "./texts.ts"

export interface ComposerParts {
  readonly translate: Translate
  /** Called within the click or key press that sends the message. */
  readonly onSend: (text: string) => void
  readonly onStop: () => void
  /** Whether the reply has an open question. Stopping the reply withdraws it. */
  readonly isAsking: () => boolean
}

export interface Composer {
  readonly element: HTMLElement
  /** Sets the reason why no message can be sent now; undefined when one can be sent. */
  setBusy(reason: string | undefined): void
  setLost(isLost: boolean): void
  setText(text: string): void
  text(): string
}

const maxPixels = 200

export function createComposer({ translate, onSend, onStop, isAsking }: ComposerParts): Composer {
  const id = newId("message")
  const hint = h("p", { class: "hint", id: `${id}-hint`, part: "hint" })
  const connectionNote = h("p", { class: "hint lost", part: "connection", role: "status" })
  const textarea = h("textarea", {
    ...{ id, rows: 1, part: "input", placeholder: translate("placeholder"), "aria-label": translate("message") },
    ...{ "aria-describedby": hint.id, enterkeyhint: "send" },
  })
  let reason: string | undefined
  const setText = (text: string): void => {
    textarea.value = text
    fitHeight(textarea)
  }
  const send = (): void => {
    const text = textarea.value.trim()
    if (text === "" || reason !== undefined) return
    setText("")
    onSend(text)
  }
  textarea.addEventListener("input", () => fitHeight(textarea))
  textarea.addEventListener("keydown", (event) => {
    // The Enter key that ends the input of a composed character must not send the message.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
    event.preventDefault()
    send()
  })
  const sendButton = button(translate("send"), send, { primary: true, part: "send" })
  const stopButton = button(translate("stop"), () => (isAsking() ? askToStop() : onStop()), { part: "stop" })
  const controls = h("div", { class: "line" }, textarea, sendButton, stopButton)
  const stopQuestion = createStopQuestion(translate, onStop)
  const askToStop = (): void => {
    stopQuestion.element.hidden = false
    stopQuestion.focus()
  }
  stopButton.hidden = true
  return {
    element: h(
      "div",
      { class: "composer", part: "composer" },
      stopQuestion.element,
      controls,
      h("div", { class: "under" }, connectionNote, hint),
    ),
    setBusy(waitReason) {
      reason = waitReason
      hint.textContent = waitReason ?? ""
      sendButton.hidden = waitReason !== undefined
      stopButton.hidden = waitReason === undefined
      if (waitReason === undefined) stopQuestion.element.hidden = true
    },
    setLost(isLost) {
      connectionNote.textContent = isLost ? translate("connectionLost") : ""
      hint.hidden = isLost
    },
    setText,
    text: () => textarea.value,
  }
}

/** Asks whether to stop the reply, and says that its open question will be withdrawn. */
function createStopQuestion(translate: Translate, onStop: () => void) {
  const id = newId("stop")
  const hide = (): void => {
    element.hidden = true
  }
  const confirmButton = button(translate("stopYes"), () => {
    hide()
    onStop()
  })
  const prompt = h("p", { id, tabindex: -1 }, translate("stopAsks"))
  const element = h(
    "div",
    { class: "sure", part: "stop-question", role: "group", "aria-labelledby": id, hidden: true },
    ...[prompt, h("div", { class: "buttons" }, confirmButton, button(translate("stopNo"), hide))],
  )
  return { element, focus: () => prompt.focus() }
}

/** Makes the field as high as its text, up to a limit. */
function fitHeight(textarea: HTMLTextAreaElement): void {
  textarea.style.blockSize = "auto"
  textarea.style.blockSize = `${Math.min(textarea.scrollHeight + 2, maxPixels)}px`
}
