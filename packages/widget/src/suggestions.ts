// Buttons with suggested messages. Pressing one sends its text.

import { button, h } from "./dom.ts"
import type { WidgetHost } from "./element.ts"

export interface Suggestions {
  readonly element: HTMLElement
  show(texts: readonly string[]): void
}

export function createSuggestions(label: string, onPress: (text: string) => void): Suggestions {
  const element = h("div", {
    class: "suggestions",
    part: "suggestions",
    role: "group",
    "aria-label": label,
    hidden: true,
  })
  return {
    element,
    show(texts) {
      element.hidden = texts.length === 0
      element.replaceChildren(...texts.map((text) => button(text, () => onPress(text), { part: "suggestion" })))
    },
  }
}

/** The suggestions in the property, or in the attribute, where `|` separates them. */
export function suggestionsOf(host: WidgetHost): readonly string[] {
  const property = host.property("suggestions")
  const texts = Array.isArray(property) ? property.map(String) : (host.getAttribute("suggestions") ?? "").split("|")
  return texts.map((text) => text.trim()).filter((text) => text !== "")
}
