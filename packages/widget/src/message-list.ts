// The messages of a chat, which scroll. A person who reads the end stays there when something grows; one who reads further
// up is not moved.

import { h } from "./dom.ts"

export interface MessageList {
  readonly element: HTMLElement
  append(...nodes: readonly Node[]): void
  clear(): void
  toEnd(): void
  close(): void
}

/** How far from the end still counts as the end. */
const nearPixels = 64

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
    isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearPixels
  })
  // Whatever grows or shrinks: a message, a card, the place for the composer.
  const observer = new ResizeObserver(() => {
    if (isAtEnd) toEnd()
  })
  observer.observe(content)
  observer.observe(element)
  return {
    element,
    append: (...nodes) => content.append(...nodes),
    clear: () => content.replaceChildren(),
    toEnd,
    close: () => observer.disconnect(),
  }
}
