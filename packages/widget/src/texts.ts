// Which texts an element shows: those of its language, with the page's own words before them. Pure.

import type { FormTexts } from "@holdpoint/sdk/forms"
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
