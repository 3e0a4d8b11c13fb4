// Chooses an element's texts: in the language around it, with the texts that the page replaces.

import type { WidgetHost } from "./element.ts"
import type { WidgetTexts } from "./texts/en.ts"
import type { Wording } from "./texts.ts"
import { createWording } from "./texts.ts"

/** The wording of an element, from its language, its property `texts` and its attribute `heading-level`. */
export function wordingOf(host: WidgetHost): Wording {
  const level = Number(host.getAttribute("heading-level") ?? 2)
  const heading = `h${level >= 2 && level <= 6 ? Math.floor(level) : 2}` as Wording["heading"]
  return { ...createWording(languageOf(host), (host.property("texts") ?? {}) as Partial<WidgetTexts>), heading }
}

/** The element's `lang` attribute, or that of the closest element around it that has one. */
function languageOf(host: HTMLElement): string {
  for (let element: Element | null = host; element !== null; element = element.parentElement ?? shadowHostOf(element)) {
    const language = element.getAttribute("lang")
    if (language !== null && language !== "") return language
  }
  return "en"
}

function shadowHostOf(element: Element): Element | null {
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}
