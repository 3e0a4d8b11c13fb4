// Tells people who listen to the page what happened, politely: a screen reader says it when it has finished its sentence.

import { h } from "./dom.ts"

export interface Announcer {
  readonly element: HTMLElement
  readonly announce: (words: string) => void
}

/** After this time the words are taken away, so that people who walk through the page do not find them again. */
const keepMs = 10_000
/** Words that come this soon after others are added to them, so that none are lost. */
const togetherMs = 1_000

export function createAnnouncer(): Announcer {
  const element = h("p", { class: "sr", role: "status" })
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  return {
    element,
    announce(words) {
      clearTimeout(timer)
      if (Date.now() - last > togetherMs) element.replaceChildren()
      element.append(h("span", {}, `${words} `))
      last = Date.now()
      timer = setTimeout(() => element.replaceChildren(), keepMs)
    },
  }
}
