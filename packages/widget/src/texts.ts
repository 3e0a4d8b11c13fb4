// Which texts an element shows: those of its language, with the page's own words before them.

import type { FormTexts } from "@holdpoint/sdk/forms"
import type { WidgetHost } from "./element.ts"
import { de } from "./texts/de.ts"
import type { WidgetTexts } from "./texts/en.ts"
import { en } from "./texts/en.ts"

/** A text by its name, with the words in braces replaced. */
export type Say = (name: keyof typeof en, words?: Readonly<Record<string, string | number>>) => string

export interface Wording {
  readonly say: Say
  /** The words around the fields of a form. */
  readonly form: Partial<FormTexts>
  readonly language: string
  /** The tag of the headings of cards, so that they fit those of the page. */
  readonly heading: "h2" | "h3" | "h4" | "h5" | "h6"
}

export const languages: Readonly<Record<string, WidgetTexts>> = { en, de }

export function createWording(language: string, own: Partial<WidgetTexts>): Omit<Wording, "heading"> {
  const texts = { ...(languages[language.slice(0, 2).toLowerCase()] ?? en), ...own }
  return {
    language,
    form: texts,
    say: (name, words = {}) => texts[name].replaceAll(/\{(\w+)\}/g, (braces, word) => String(words[word] ?? braces)),
  }
}

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
