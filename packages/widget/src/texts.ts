// Chooses the texts of an element: those of its language, unless the page overrides them. Pure.

import type { FormTexts } from "@holdpoint/hub/forms"
import { de } from "./texts/de.ts"
import type { WidgetTexts } from "./texts/en.ts"
import { en } from "./texts/en.ts"

/** Returns the text with this name, and replaces the words in braces. */
export type Translate = (name: keyof typeof en, words?: Readonly<Record<string, string | number>>) => string

export interface Wording {
  readonly translate: Translate
  /** The texts around the fields of a form. */
  readonly form: Partial<FormTexts>
  readonly language: string
  /** The tag of card headings, which should fit the headings of the page. */
  readonly heading: "h2" | "h3" | "h4" | "h5" | "h6"
}

export const languages: Readonly<Record<string, WidgetTexts>> = { en, de }

export function createWording(language: string, overrides: Partial<WidgetTexts>): Omit<Wording, "heading"> {
  const texts = { ...(languages[language.slice(0, 2).toLowerCase()] ?? en), ...overrides }
  return {
    language,
    form: texts,
    translate: (name, words = {}) =>
      texts[name].replaceAll(/\{(\w+)\}/g, (braces, word) => String(words[word] ?? braces)),
  }
}
