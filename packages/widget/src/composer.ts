// Where the person writes. A draft can be written at any time; it is sent when no reply is under way.

import { button, h, newId } from "./dom.ts"
import type { Say } from "./texts.ts"

export interface ComposerParts {
  readonly say: Say
  /** Called inside the click or key press. */
  readonly onSend: (text: string) => void
  readonly onStop: () => void
}

export interface Composer {
  readonly element: HTMLElement
  /** `reason` says why nothing can be sent now. */
  setBusy(reason: string | undefined): void
  setText(text: string): void
  focus(): void
}

export function createComposer({ say, onSend, onStop }: ComposerParts): Composer {
  let reason: string | undefined
  const id = newId("message")
  const hint = h("p", { class: "hint", id: `${id}-hint`, part: "hint" })
  const area = h("textarea", {
    ...{ id, rows: 1, part: "input", placeholder: say("placeholder"), "aria-label": say("message") },
    ...{ "aria-describedby": hint.id, enterkeyhint: "send" },
  })
  const fit = (): void => {
    area.style.blockSize = "auto"
    area.style.blockSize = `${Math.min(area.scrollHeight + 2, 200)}px`
  }
  const send = (): void => {
    const text = area.value.trim()
    if (text === "" || reason !== undefined) return
    area.value = ""
    fit()
    onSend(text)
  }
  area.addEventListener("input", fit)
  area.addEventListener("keydown", (event) => {
    // Enter that ends the input of a composed character sends nothing.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
    event.preventDefault()
    send()
  })
  const sender = button(say("send"), send, { primary: true, part: "send" })
  const stopper = button(say("stop"), onStop, { part: "stop" })
  stopper.hidden = true
  const element = h(
    "div",
    { class: "composer", part: "composer" },
    h("div", { class: "line" }, area, sender, stopper),
    hint,
  )
  return {
    element,
    setBusy(words) {
      reason = words
      hint.textContent = words ?? ""
      sender.hidden = words !== undefined
      stopper.hidden = words === undefined
    },
    setText(text) {
      area.value = text
      fit()
    },
    focus: () => area.focus(),
  }
}
