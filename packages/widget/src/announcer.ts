// Announces what happened to screen readers, politely: they read it after they have finished their sentence.

import { h } from "./dom.ts"

export interface Announcer {
  readonly element: HTMLElement
  readonly announce: (text: string) => void
}

/** The time until announced text is removed, so that a screen reader does not come across it later. */
const clearAfterMs = 10_000
/** Text announced within this time of the last announcement is appended to it, so that neither is lost. */
const appendWithinMs = 1_000

export function createAnnouncer(): Announcer {
  const element = h("p", { class: "sr", role: "status" })
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastTime = 0
  return {
    element,
    announce(text) {
      clearTimeout(timer)
      if (Date.now() - lastTime > appendWithinMs) element.replaceChildren()
      element.append(h("span", {}, `${text} `))
      lastTime = Date.now()
      timer = setTimeout(() => element.replaceChildren(), clearAfterMs)
    },
  }
}
