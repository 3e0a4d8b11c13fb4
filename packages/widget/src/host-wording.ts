// How an element on a page speaks: in the language around it, with the words that the page gave it.

import type { WidgetHost } from "./element.ts"
import type { WidgetTexts } from "./texts/en.ts"
import type { Wording } from "./texts.ts"
import { createWording } from "./texts.ts"

/** The wording of an element: of its language, its property `texts`, and its attribute `heading-level`. */
export function wordingOf(host: WidgetHost): Wording {
  const level = Number(host.getAttribute("heading-level") ?? 2)
  const heading = `h${level >= 2 && level <= 6 ? Math.floor(level) : 2}` as Wording["heading"]
  return { ...createWording(languageOf(host), (host.property("texts") ?? {}) as Partial<WidgetTexts>), heading }
}

/** The language of an element: its own, or that of the closest element around it which has one. */
function languageOf(host: HTMLElement): string {
  for (let at: Element | null = host; at !== null; at = at.parentElement ?? shadowHostOf(at)) {
    const language = at.getAttribute("lang")
    if (language !== null && language !== "") return language
  }
  return "en"
}

function shadowHostOf(element: Element): Element | null {
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}
