// The scrolling list of a chat's messages. It stays at its end when content grows, unless the person has scrolled up or
// the pointer is over the buttons of a question.

import { whenOffActs } from "@holdpoint/hub/forms"
import { h } from "./dom.ts"

export interface MessageList {
  readonly element: HTMLElement
  append(...nodes: readonly Node[]): void
  clear(): void
  scrollToEnd(): void
  close(): void
}

/** The distance from the end that still counts as the end. */
const endTolerancePixels = 64

export function createMessageList(label: string): MessageList {
  const content = h("div", { class: "messages" })
  const attributes = { class: "list", part: "list", role: "log", tabindex: 0, "aria-live": "off", "aria-label": label }
  const element = h("div", attributes, content)
  let isAtEnd = true
  const toEnd = (): void => {
    isAtEnd = true
    element.scrollTop = element.scrollHeight
  }
  element.addEventListener("scroll", () => {
    isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < endTolerancePixels
  })
  const follow = (): void => {
    if (isAtEnd) toEnd()
  }
  // Notices every change of size: of a message, of a card, or of the list when the composer grows.
  const observer = new ResizeObserver(() => whenOffActs(follow))
  observer.observe(content)
  observer.observe(element)
  return {
    element,
    append: (...nodes) => content.append(...nodes),
    clear: () => content.replaceChildren(),
    scrollToEnd: toEnd,
    close: () => observer.disconnect(),
  }
}
